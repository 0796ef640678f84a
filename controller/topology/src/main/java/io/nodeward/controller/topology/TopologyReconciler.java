package io.nodeward.controller.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.NoExecuteCount;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.topology.EvictingTaints;
import io.nodeward.core.rules.topology.PropagationStep;
import io.nodeward.core.rules.topology.TaintListPlan;
import io.nodeward.core.rules.topology.TaintListPlan.Write;
import io.nodeward.core.rules.topology.TaintListPlanner;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Blocked;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Decides what one object gets of the taints that are declared for it above. */
final class TopologyReconciler implements Reconciler<TopologyTask> {
    static final String NAME = "topology";
    static final String FIELD_MANAGER = ControllerContext.fieldManager(NAME);
    /** Two controllers that report on one object would take each other's condition for their own. */
    static final String CONDITION = Condition.PREFIX + "TopologyBlocked";

    private final TopologyScopes scopes;
    private final NoExecuteLimit.Settings noExecute;

    @Inject
    TopologyReconciler(TopologyScopes scopes, TopologyPolicy policy) {
        this.scopes = scopes;
        this.noExecute = policy.noExecute();
    }

    @Override
    public Decision reconcile(TopologyTask task) {
        if (task.reports()) {
            return scopes.source(task.source())
                    .<Decision>map(source -> new Decision.Summary(source, Set.of()))
                    .orElseGet(() -> new Decision.Gone("it does not exist, or is being deleted"));
        }
        return switch (scopes.load(task)) {
            case TopologyScope.NotManaged notManaged -> new Decision.Gone(notManaged.reason());
            case TopologyScope.Waiting waiting -> new Decision.Waiting(waiting.reason());
            case TopologyScope.Stuck stuck -> new Decision.Blocked(stuck.source(), stuck.by(), false);
            case TopologyScope.Ready ready -> withholding(task, ready);
        };
    }

    /** Removes nothing while an object above may declare more in a newer version than it is read in. */
    private Decision withholding(TopologyTask task, TopologyScope.Ready ready) {
        Decision decision = propagate(ready);
        if (!(decision instanceof Decision.Change change) || change.change().isEmpty()) {
            return decision;
        }
        Decision kept = propagate(ready.withoutRemovals());
        return kept.equals(decision) ? decision : scopes.untilNewest(task, ready)
                .map(left -> kept instanceof Decision.Change rest ? change.withhold(rest.change(), left) : kept)
                .orElse(decision);
    }

    private Decision propagate(TopologyScope.Ready ready) {
        Optional<Finding> unconfirmed = unconfirmed(ready);
        List<MachineTaint> confirmed = unconfirmed.isEmpty()
                ? ready.wanted()
                : EvictingTaints.without(ready.step(), ready.wanted(), ready.list().found());
        return confirmed.equals(ready.wanted())
                ? propagate(ready, List.of())
                : propagate(new TopologyScope.Ready(
                        ready.source(), ready.step(), confirmed, ready.expected(), ready.list()),
                        List.of(unconfirmed.orElseThrow()));
    }

    /** Only what Cluster API carries on to Nodes: what Nodeward itself does is limited there. */
    private Optional<Finding> unconfirmed(TopologyScope.Ready ready) {
        String kind = ready.list().kind().kind();
        if (ready.step() != PropagationStep.COMPLETED_TOPOLOGY || kind.equals(TopologyKind.MACHINE_POOL.text())) {
            return Optional.empty();
        }
        TaintHolder found = ready.list().found();
        return noExecute.unconfirmed(new NoExecuteCount(found.replicas(), 0, found.replicas(),
                NoExecuteCount.confirmed(found.metadata().annotations())))
                .map(blocked -> new Finding(
                        blocked.reason(), blocked.message() + " on the " + kind + " itself", true, true));
    }

    private static Decision propagate(TopologyScope.Ready ready, List<Finding> held) {
        TaintListPlan plan =
                TaintListPlanner.plan(ready.step(), ready.wanted(), ready.expected(), ready.list().found());
        if (plan.write() instanceof Write.Refused refused) {
            return new Decision.Blocked(ready.source(), refused(refused), false);
        }
        List<Finding> findings = Stream.concat(held.stream(), plan.contests().stream()
                .map(contest -> new Finding(Reason.TAINT_CONTESTED.text(), contest.toString(), true, true))).toList();
        return new Decision.Change(ready.source(), ready.list().change(plan.write(), ready.step().manager()),
                ready.wanted(), findings, Optional.empty());
    }

    private static Blocked refused(Write.Refused refused) {
        return switch (refused.refusal()) {
            case FIELD_CONFLICT -> new Blocked(Reason.FIELD_CONFLICT, refused.message()
                    + ", and has not carried what is declared; leave it to that (--topology-mode=complete, or the gate"
                    + " TopologyTaintPropagation off), or see the guide on taking over");
            case OWNED_AS_A_WHOLE -> new Blocked(Reason.LIST_OWNED_AS_A_WHOLE, refused.message());
            case TOO_MANY -> new Blocked(Reason.TOO_MANY_TAINTS, refused.message());
        };
    }
}
