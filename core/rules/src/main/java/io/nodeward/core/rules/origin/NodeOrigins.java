package io.nodeward.core.rules.origin;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.dedicated.DedicatedNodePlan;
import io.nodeward.core.rules.origin.TaintOrigin.Status;
import io.nodeward.core.rules.origin.TaintOrigin.Tracking;
import io.nodeward.core.rules.taint.DeclaredTaints;
import io.nodeward.core.rules.taint.TaintPlan;
import io.nodeward.core.rules.taint.TrackedTaints;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where all taints of a Node come from, and which declared ones it lacks.
 *
 * @param taints in the Node's order
 * @param missing the nearest declarations first
 */
public record NodeOrigins(List<TaintOrigin> taints, List<Missing> missing) {
    private static final List<String> TRACKING =
            List.of(ClusterApi.TAINTS_FROM_MACHINE, TaintAnnotations.TRACKING);

    public NodeOrigins {
        taints = List.copyOf(taints);
        missing = List.copyOf(missing);
    }

    public static NodeOrigins of(NodeScope scope) {
        Reading reading = new Reading(scope);
        List<TaintOrigin> origins = scope.node().taints().stream().map(reading::origin).toList();
        return new NodeOrigins(origins, new MissingTaints(scope, reading.declared, reading.plan).missing());
    }

    /** What the nearest object declares, in both ways. */
    record Declarations(DeclaredTaints spec, DeclaredTaints annotated) {
        static Declarations of(List<DeclaringObject> levels) {
            if (levels.isEmpty()) {
                return new Declarations(DeclaredTaints.NONE, DeclaredTaints.NONE);
            }
            DeclaredTaints spec = DeclaredTaints.of(levels.get(0).taints());
            return new Declarations(spec, DeclaredTaints.annotated(levels.get(0).annotations(), spec));
        }

        Optional<MachineTaint> usable(TaintId id) {
            return find(Stream.concat(spec.usable().stream(), annotated.usable().stream()), id);
        }

        boolean holds(TaintId id) {
            return find(Stream.concat(spec.held().stream(), annotated.held().stream()), id).isPresent();
        }

        private static Optional<MachineTaint> find(Stream<MachineTaint> taints, TaintId id) {
            return taints.filter(taint -> taint.id().equals(id)).findFirst();
        }
    }

    private static final class Reading {
        private final NodeScope scope;
        private final Declarations declared;
        private final TaintPlan plan;

        Reading(NodeScope scope) {
            this.scope = scope;
            this.declared = Declarations.of(scope.levels());
            this.plan = TaintPlan.propagate(declared.spec, declared.annotated, scope.node(),
                    scope.gates().initialization(), false);
        }

        TaintOrigin origin(Taint taint) {
            List<Tracking> tracked = tracked(taint.id());
            Status status = status(taint, !tracked.isEmpty());
            List<DeclaringObject> path = DeclarationPath.of(scope.levels(), taint.id());
            DeclaredOrigin declaration = new DeclaredOrigin(scope, taint, status, path, tracked);
            Cause cause = declaration.isDeclared() || !tracked.isEmpty()
                    ? declaration.cause()
                    : UnmanagedOrigin.of(scope, taint);
            return new TaintOrigin(taint, cause.source(), cause.by(), cause.certain(), cause.because(), path, status,
                    since(taint.id(), tracked),
                    status == Status.DEDICATED_NODES ? List.of(tracking(DedicatedAnnotations.TAINTS)) : tracked);
        }

        private List<Tracking> tracked(TaintId id) {
            List<Tracking> tracked = new ArrayList<>(1);
            for (String annotation : TRACKING) {
                if (TrackedTaints.of(scope.node(), annotation).filter(ids -> ids.contains(id)).isPresent()) {
                    tracked.add(tracking(annotation));
                }
            }
            return tracked;
        }

        private Tracking tracking(String annotation) {
            return new Tracking(annotation, ManagedFieldsEntry.names(scope.ownersOf(annotation)));
        }

        private Status status(Taint taint, boolean tracked) {
            if (tracked && scope.levels().isEmpty()) {
                return Status.UNSEEN;
            }
            Optional<MachineTaint> usable = declared.usable(taint.id());
            if (usable.isPresent()) {
                boolean once = usable.get().propagation().equals(MachineTaint.ON_INITIALIZATION);
                boolean same = usable.get().value().equals(taint.value());
                return once ? Status.ONCE : same ? Status.ALWAYS : Status.OTHER_VALUE;
            }
            if (declared.holds(taint.id())) {
                return Status.HELD;
            }
            boolean goes = plan.taints()
                    .filter(after -> after.stream().noneMatch(t -> t.id().equals(taint.id()))).isPresent();
            if (goes || tracked) {
                return goes ? Status.NO_MORE : Status.HELD;
            }
            return DedicatedNodePlan.isManaged(scope.node(), taint.id()) ? Status.DEDICATED_NODES : Status.UNMANAGED;
        }

        private Optional<Since> since(TaintId id, List<Tracking> tracked) {
            Instant added = scope.timeAdded().get(id);
            if (added != null) {
                return Optional.of(new Since(added, true));
            }
            if (scope.registeredWith(id)) {
                return scope.created().map(at -> new Since(at, true));
            }
            return Stream.concat(scope.listWriters().stream(),
                    tracked.stream().map(Tracking::annotation).filter(scope::isPropagated)
                            .flatMap(annotation -> scope.ownersOf(annotation).stream()))
                    .flatMap(writer -> writer.time().stream())
                    .min(Instant::compareTo)
                    .map(at -> new Since(at, false));
        }
    }
}
