package io.nodeward.core.rules.origin;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A Node of a MachineDeployment, told step by step. */
final class Case {
    static final Instant CREATED = Instant.parse("2026-03-01T10:00:00Z");
    static final Instant LATER = Instant.parse("2026-03-02T10:00:00Z");

    private final List<Taint> taints = new ArrayList<>();
    private final Map<String, String> annotations = new HashMap<>();
    private final Map<TaintId, Instant> timeAdded = new HashMap<>();
    private final List<ManagedFieldsEntry> writers = new ArrayList<>();
    private final List<DeclaringObject> levels = new ArrayList<>();
    private boolean unschedulable;
    private Optional<String> unread = Optional.empty();
    private Bootstrap bootstrap = Bootstrap.unknown(false);
    private Gates gates = Gates.DEFAULT;

    Case bears(String key, String value, String effect) {
        taints.add(Taint.of(key, value, effect));
        return this;
    }

    Case annotated(String name, String text) {
        annotations.put(name, text);
        return this;
    }

    /** What the Machine's list of taints has put there. */
    Case tracks(String text) {
        return annotated(ClusterApi.TAINTS_FROM_MACHINE, text);
    }

    Case added(String key, String effect, Instant at) {
        timeAdded.put(new TaintId(key, effect), at);
        return this;
    }

    Case listBy(String manager, Instant at, String... annotated) {
        writers.add(new ManagedFieldsEntry(manager, Optional.of(at), true, Set.of(), Set.of(annotated), false));
        return this;
    }

    Case annotationsBy(String manager, Instant at, String... annotated) {
        writers.add(new ManagedFieldsEntry(manager, Optional.of(at), false, Set.of(), Set.of(annotated), false));
        return this;
    }

    Case cordonedBy(String manager) {
        writers.add(new ManagedFieldsEntry(manager, Optional.of(LATER), false, Set.of(), Set.of(), true));
        unschedulable = true;
        return this;
    }

    Case bootstrap(Bootstrap known) {
        bootstrap = known;
        return this;
    }

    Case gates(Gates set) {
        gates = set;
        return this;
    }

    /** The next object up. */
    Case level(Source source, MachineTaint... declared) {
        levels.add(level(source, List.of(declared), Map.of()));
        return this;
    }

    Case level(DeclaringObject level) {
        levels.add(level);
        return this;
    }

    /** Who is above all of them. */
    Case unread(String name) {
        unread = Optional.of(name);
        return this;
    }

    static DeclaringObject level(Source source, List<MachineTaint> declared, Map<String, String> annotations) {
        return new DeclaringObject(source, source.text(), new ObjectKey("fleet", "x"), declared, annotations, List.of(),
                Optional.empty(), Optional.empty());
    }

    static MachineTaint always(String key, String effect) {
        return new MachineTaint(key, "", effect, MachineTaint.ALWAYS);
    }

    static MachineTaint once(String key, String effect) {
        return new MachineTaint(key, "", effect, MachineTaint.ON_INITIALIZATION);
    }

    NodeOrigins origins() {
        Metadata metadata = new Metadata(new ObjectKey("", "n1"), "u", "1", Map.of(), annotations, List.of(), false);
        return NodeOrigins.of(new NodeScope(new Node(metadata, "", taints), Optional.of(CREATED), timeAdded,
                unschedulable, writers, levels, unread, bootstrap, gates));
    }

    TaintOrigin only() {
        NodeOrigins origins = origins();
        if (origins.taints().size() != 1) {
            throw new IllegalStateException("not one taint: " + origins.taints());
        }
        return origins.taints().get(0);
    }

    Missing missing() {
        NodeOrigins origins = origins();
        if (origins.missing().size() != 1) {
            throw new IllegalStateException("not one missing: " + origins.missing());
        }
        return origins.missing().get(0);
    }
}
