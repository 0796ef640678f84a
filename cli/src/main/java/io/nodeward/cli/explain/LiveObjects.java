package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.snapshot.Gap;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Objects of clusters, as if they stood in files. What an answer can do without, the user may not be allowed to read: then they say
 * what is less certain.
 */
public final class LiveObjects {
    private final UnaryOperator<ObjectNode> kept;
    private final List<Manifest> manifests = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();

    /** @param kept takes of each object of a list what is kept of it, as soon as it has arrived */
    public LiveObjects(UnaryOperator<ObjectNode> kept) {
        this.kept = kept;
    }

    /** Adds all objects of a kind, in a namespace or in all, and returns them. */
    public List<ObjectNode> list(LiveCluster from, Resource kind, String namespace) {
        return list(from, kind, namespace, object -> true);
    }

    List<ObjectNode> list(LiveCluster from, Resource kind, String namespace, Predicate<ObjectNode> which) {
        List<ObjectNode> all =
                from.list(kind, namespace, "", "", kept::apply).stream().filter(which).toList();
        all.forEach(object -> add(from, object));
        return all;
    }

    void add(LiveCluster from, ObjectNode object) {
        manifests.add(new Manifest(object, from.route()));
    }

    /**
     * Adds all objects of a kind, if the user may list them.
     *
     * @param lost what is not known without them
     */
    public void refine(LiveCluster from, Resource kind, String lost) {
        attempt(kind.plural(), "list " + kind.plural() + "." + kind.group(), lost, () -> list(from, kind, ""));
    }

    /**
     * Reads what the user may not be allowed to read.
     *
     * @param kind of what is read
     * @param doing verb, kind and place, as in {@code list machinesets.cluster.x-k8s.io in namespace fleet}
     * @param lost what is not known without it
     * @throws LiveFailure if it is not the right that is missing
     */
    public void attempt(String kind, String doing, String lost, Runnable reading) {
        try {
            reading.run();
        } catch (LiveFailure failure) {
            if (!failure.isForbidden()) {
                throw failure;
            }
            gaps.add(new Gap(kind, "not allowed to " + doing + ": " + lost));
        }
    }

    /** Notes that an object is not there which another one names. */
    void missing(String kind, ObjectKey key, String lost) {
        gaps.add(new Gap(kind, kind + " " + key + " is not found: " + lost));
    }

    /** Notes that the server does not have a kind. */
    public void absent(String kind, String lost) {
        gaps.add(new Gap(kind, "the server does not have " + kind + ": " + lost));
    }

    public List<Gap> gaps() {
        return List.copyOf(gaps);
    }

    List<Manifest> manifests() {
        return List.copyOf(manifests);
    }

    /** @param cluster whose Machines and pools are meant, as a {@link Snapshot} takes it */
    public Snapshot snapshot(String cluster) {
        return new Snapshot(manifests, cluster, gaps);
    }
}
