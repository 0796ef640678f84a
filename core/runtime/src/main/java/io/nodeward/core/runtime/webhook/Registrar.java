package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Sha256;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.runtime.time.WriteLimiter;
import io.nodeward.core.runtime.webhook.Registration.Ensured;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes cluster-scoped objects that differ from what they should be. */
final class Registrar {
    private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);
    /** The annotation with a digest of all that was applied, which shows that a field is not applied any more. */
    private static final String APPLIED = "nodeward.io/applied";
    /** The window of writes. It does not grow: pods may pass, or be refused, as long as a registration is not as declared. */
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int FREE_WRITES = 5;
    /** The time between looks for changes without an event: an upgrade of the API server, or an unmanaged object that has gone. */
    private static final Duration LOOK = Duration.ofMinutes(5);
    /** The pause after a refused write, which the server may accept once a policy or role has changed. */
    private static final Duration REFUSED = Duration.ofMinutes(1);

    private final HomeCluster home;
    private final ManagedObjects objects;
    private final boolean writes;
    private final LogOnce log;
    private final WriteLimiter<String, Tree> limiter;

    /**
     * @param writes false: only log
     * @param ticker nanoseconds since any one moment
     */
    Registrar(HomeCluster home, ManagedObjects objects, boolean writes, LogOnce log, LongSupplier ticker) {
        this.limiter = new WriteLimiter<>(FREE_WRITES, WINDOW, WINDOW, ticker);
        this.home = home;
        this.objects = objects;
        this.writes = writes;
        this.log = log;
    }

    /**
     * Applies an object of the component. Does not throw if the server refuses it, so that the caller can apply the next.
     *
     * @param content all of it besides metadata
     */
    Ensured ensure(Resource resource, String kind, String name, Map<String, Object> content) {
        try {
            return ensureServed(resource, kind, name, content);
        } catch (ApiFailure.NotServed old) {
            log.warn(kind + " " + name, "the API server does not serve " + resource.apiVersion() + " of this kind");
            return Ensured.notYet(true, Timers.jittered(LOOK), "the API server to serve its kind");
        } catch (ApiFailure.Rejected | ApiFailure.NotFound | ApiFailure.Forbidden refused) {
            String message = String.valueOf(refused.getMessage());
            log.warn(kind + " " + name, message + "; again in a minute");
            return Ensured.notYet(
                    false, Timers.jittered(REFUSED), "what was refused to be taken: " + message);
        }
    }

    private Ensured ensureServed(Resource resource, String kind, String name, Map<String, Object> content) {
        Tree wanted = wanted(resource, kind, name, content);
        Optional<Tree> there = home.read(resource, ObjectKey.clusterScoped(name));
        String what = kind + " " + name;
        if (there.isPresent() && !objects.manages(there.get())) {
            log.warn(what, "another owner made it, without the labels " + objects.labels() + ", and it is left alone");
            // Nodeward does not watch it, as it lacks the labels: no event tells that it has gone.
            return Ensured.notYet(false, Timers.jittered(LOOK), "an object of another owner to go");
        }
        if (there.filter(object -> object.has(wanted)).isPresent()) {
            log.resolved(what);
            return Ensured.accepted(true);
        }
        Optional<Duration> hold = limiter.hold(what, wanted);
        if (hold.isPresent()) {
            log.warn(what, "another writer keeps changing it; it is reconciled once a minute");
            return Ensured.notYet(false, hold.get(), "others to stop changing it");
        }
        if (!writes) {
            LOG.info("{} {} (dry run)", there.isPresent() ? "updating" : "creating", what);
            return Ensured.accepted(false);
        }
        home.server().patch(resource, ObjectKey.clusterScoped(name), Patch.apply(
                Trees.written(on(wanted, there)), objects.fieldManager(), true));
        limiter.count(what, wanted);
        LOG.info("{} {}", there.isPresent() ? "updated" : "created", what);
        return Ensured.accepted(true);
    }

    private Tree wanted(Resource resource, String kind, String name, Map<String, Object> content) {
        Map<String, Object> object = new TreeMap<>(content);
        object.put("apiVersion", resource.apiVersion());
        object.put("kind", kind);
        object.put("metadata", metadata(name, objects.annotations()));
        Map<String, String> annotations = new TreeMap<>(objects.annotations());
        annotations.put(APPLIED, Sha256.hex(Trees.written(Tree.of(object))).substring(0, 32));
        object.put("metadata", metadata(name, annotations));
        return Tree.of(object);
    }

    private Map<String, Object> metadata(String name, Map<String, String> annotations) {
        return Map.of("name", name, "labels", objects.labels(), "annotations", annotations);
    }

    /** Returns the object with the version that was read as its precondition. */
    private static Tree on(Tree wanted, Optional<Tree> there) {
        if (there.isEmpty() || !(wanted instanceof Tree.Fields(Map<String, Tree> fields))
                || !(wanted.at("metadata") instanceof Tree.Fields(Map<String, Tree> metadata))) {
            return wanted;
        }
        Map<String, Tree> held = new TreeMap<>(metadata);
        held.put("resourceVersion", there.get().at(List.of("metadata", "resourceVersion")));
        Map<String, Tree> object = new TreeMap<>(fields);
        object.put("metadata", new Tree.Fields(held));
        return new Tree.Fields(object);
    }
}
