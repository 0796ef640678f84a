package io.nodeward.core.rules.origin;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.origin.DeclaringObject.Declared;
import io.nodeward.core.rules.origin.DeclaringObject.Obstacle;
import io.nodeward.core.rules.origin.Missing.Reason;
import io.nodeward.core.rules.taint.TaintPlan;
import io.nodeward.core.rules.validation.MachineTaintRules;
import io.nodeward.core.rules.validation.NodeAcceptance;
import io.nodeward.core.rules.validation.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds what is declared for a Node and not there, and where on its way it has stopped. */
final class MissingTaints {
    private final NodeScope scope;
    private final NodeOrigins.Declarations nearest;
    private final Set<TaintId> there;
    private final Set<TaintId> planned;

    MissingTaints(NodeScope scope, NodeOrigins.Declarations nearest, TaintPlan plan) {
        this.scope = scope;
        this.nearest = nearest;
        this.there = ids(scope.node().taints());
        this.planned = ids(plan.taints().orElse(scope.node().taints()));
    }

    List<Missing> missing() {
        List<Missing> missing = new ArrayList<>();
        Set<TaintId> seen = new HashSet<>(there);
        for (int i = 0; i < scope.levels().size(); i++) {
            DeclaringObject level = scope.levels().get(i);
            for (Declared declared : level.declared()) {
                if (seen.add(declared.taint().id())) {
                    missing.add(missing(declared, i));
                }
            }
        }
        return missing;
    }

    /** What a class declares goes past its Cluster. */
    private Optional<DeclaringObject> below(int i) {
        List<DeclaringObject> levels = scope.levels();
        int next = i - 1;
        if (next >= 0 && levels.get(next).source() == Source.CLUSTER) {
            next--;
        }
        return next < 0 ? Optional.empty() : Optional.of(levels.get(next));
    }

    private Missing missing(Declared declared, int i) {
        List<DeclaringObject> levels = scope.levels();
        DeclaringObject at = levels.get(i);
        Optional<DeclaringObject> below = below(i);
        PropagationObstacles obstacles = new PropagationObstacles(levels, scope.gates());
        Obstacle obstacle = at.obstacle().or(() -> ofCluster(declared, i, obstacles))
                .orElseGet(() -> below.map(next -> obstacles.obstacle(declared, at, next))
                        .orElseGet(() -> onNode(declared, at)));
        return new Missing(declared, DeclarationPath.of(levels.subList(i, levels.size()), declared.taint().id()), below,
                obstacle.reason(), obstacle.message());
    }

    /** What a class declares is carried for a Cluster, and no further than what the Cluster itself declares. */
    private Optional<Obstacle> ofCluster(Declared declared, int i, PropagationObstacles obstacles) {
        DeclaringObject at = scope.levels().get(i);
        if (i == 0 || at.source() != Source.CLUSTER_CLASS) {
            return Optional.empty();
        }
        boolean propagated = scope.gates().merges();
        boolean waits = !obstacles.isReplaced(declared, at); // else nothing comes once the pause is over
        return Optional.of(scope.levels().get(i - 1)).filter(level -> level.source() == Source.CLUSTER)
                .flatMap(DeclaringObject::obstacle)
                .filter(obstacle -> propagated || waits && obstacle.reason() == Reason.PAUSED);
    }

    private Obstacle onNode(Declared declared, DeclaringObject at) {
        MachineTaint taint = declared.taint();
        if (!scope.gates().propagates()) {
            return PropagationObstacles.gateOff();
        }
        if (at.source() == Source.MACHINE_POOL && !scope.gates().pools().orElse(true)) {
            return new Obstacle(Reason.POOL_GATE, "the gate MachinePoolTaintPropagation is off");
        }
        if (MachineTaintRules.isReserved(taint.key())) {
            return new Obstacle(Reason.RESERVED, "its key is managed by Cluster API itself");
        }
        List<Violation> faults = NodeAcceptance.violations("", taint);
        if (!faults.isEmpty()) {
            return new Obstacle(Reason.UNUSABLE, faults.stream()
                    .map(fault -> fault.field().substring(1) + ": " + fault.message())
                    .collect(Collectors.joining("; ")));
        }
        if (planned.contains(taint.id())) {
            return due(at, annotation(declared));
        }
        return nearest.usable(taint.id()).isPresent() ? over(declared) : new Obstacle(Reason.UNUSABLE,
                "unknown propagation \"" + taint.propagation() + '"');
    }

    private Obstacle due(DeclaringObject at, String tracking) {
        boolean written = text(tracking) != null || text(ClusterApi.TAINTS_FROM_MACHINE) != null;
        if (written) {
            return new Obstacle(Reason.DUE, "the controller's next write brings it");
        }
        return at.source() == Source.MACHINE_POOL && !scope.gates().poolsOn()
                ? new Obstacle(Reason.POOL_GATE, "no taint was ever carried to this Node: the controller does so for"
                        + " MachinePools with the gate MachinePoolTaintPropagation")
                : new Obstacle(Reason.NOT_PROPAGATED,
                        "no taint was ever carried to this Node: no controller does, or it has"
                                + " not seen the Node yet");
    }

    private Obstacle over(Declared declared) {
        List<ManagedFieldsEntry> writers = scope.ownersOf(annotation(declared));
        String by = writers.isEmpty() ? "" : " by " + ManagedFieldsEntry.names(writers);
        boolean tracked = text(annotation(declared)) != null;
        return new Obstacle(Reason.INITIALIZATION_OVER, tracked
                ? "it is for initialization, and the Node was initialized" + by
                        + ": it was taken off since, or declared"
                        + " later"
                : "it is for initialization, and the Node bore no " + ClusterApi.UNINITIALIZED_TAINT + " any more");
    }

    /** With which this way of declaring tracks. */
    private static String annotation(Declared declared) {
        return declared.annotation().isEmpty() ? ClusterApi.TAINTS_FROM_MACHINE : TaintAnnotations.TRACKING;
    }

    private @Nullable String text(String annotation) {
        return scope.node().metadata().annotations().get(annotation);
    }

    private static Set<TaintId> ids(List<Taint> taints) {
        return taints.stream().map(Taint::id).collect(Collectors.toSet());
    }
}
