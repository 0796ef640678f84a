package io.nodeward.controller.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.dedicated.Conflict;
import io.nodeward.core.rules.dedicated.Finding;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolved;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.StatusParts;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the status of a group shows.
 *
 * @param generation of the group's spec
 * @param blockedObject what keeps a Node or a pod of the group from being as declared
 * @param features what is done to pods
 * @param eviction how far it has come with evicting strangers; empty if it evicts none in this way
 * @param unreached why API servers may not ask about its pods
 */
record GroupStatus(
        long generation, Resolved resolved, Preview preview, Optional<Blocked> blockedObject, PodFeatures features,
        Optional<Evictions.Progress> eviction, Optional<AdmissionProbe.Unproved> unreached) {
    private static final String OBSERVED = "observedGeneration";
    private static final String CONFLICT = DedicatedNodes.CONFLICT;
    private static final String CONFIRMED = "NoExecuteConfirmed";
    private static final String NO_EXECUTE = "NoExecute";

    /** All that it may show besides the condition Ready; counts change with each pod. */
    static final StatusParts PARTS = new StatusParts(
            Set.of(DedicatedNodes.APPLIED, OBSERVED, "nodes", "taintedNodes", "pods", "preview"),
            Stream.concat(Stream.of(CONFLICT, CONFIRMED, Evictions.CONDITION),
                    Stream.of(Finding.Reason.values()).map(Enum::name))
                    .collect(Collectors.toSet()),
            Duration.ofSeconds(10));

    /** The group as it is in force, if it may evict what it would: the preview is of what is declared. */
    Optional<Group> confirmed() {
        return resolved.inForce().filter(group -> needsConfirmation() && group.spec().equals(declared())
                && preview.isConfirmedBy(declared()));
    }

    /** Returns whether pods would be evicted: of a group that respects budgets nobody is, unless a feature evicts them. */
    private boolean needsConfirmation() {
        return evicts() && (features.evictions() || !respectsBudgets());
    }

    private boolean evicts() {
        return declared().taint().effectsOnNode().contains(NO_EXECUTE);
    }

    private boolean respectsBudgets() {
        return declared().eviction().respectsBudgets();
    }

    private DedicatedNodesSpec declared() {
        return resolved.declared().desired();
    }

    /** Why not all that the group declares is in effect; empty if it is, or if it only counts. */
    Optional<Blocked> blocked() {
        if (!resolved.accepted()) {
            Optional<Blocked> first = resolved.conflicts().stream().findFirst().map(GroupStatus::text);
            return first.filter(by -> isPassing(by) || by.is(Reason.RELEASING)).flatMap(passing -> blockedObject)
                    .or(() -> first);
        }
        Optional<Blocked> by = blockedObject.or(() -> unreached
                .map(why -> new Blocked(Reason.ADMISSION_NOT_REACHED, why.message())));
        if (by.isPresent() || declared().enforcement() != EnforcementMode.Enforce) {
            return by;
        }
        if (preview.tainted().count() == preview.nodes().count()) {
            return Optional.empty();
        }
        return Optional.of(needsConfirmation() && confirmed().isEmpty()
                ? new Blocked(Reason.NO_EXECUTE_NOT_CONFIRMED, "evictions are not confirmed; the condition " + CONFIRMED
                        + " has their number")
                : new Blocked(Reason.NODES_PENDING, "not all Nodes have the taint yet" + awaitedPods()));
    }

    private String awaitedPods() {
        return preview.evicted().count() == 0 || !evicts() || !respectsBudgets() ? ""
                : "; spec.eviction is Respect, so Nodes get NoExecute when the pods are gone that it would evict"
                        + (features.evictions() ? ", but for those of DaemonSets" : "");
    }

    /** Whether this passes by itself. */
    boolean isPassing(Blocked by) {
        return by.is(Reason.NODES_PENDING) || by.is(Reason.TOLERATIONS_PENDING)
                || by.is(Reason.ADMISSION_NOT_REACHED)
                        && unreached.filter(AdmissionProbe.Unproved::lasting).isEmpty();
    }

    private static Blocked text(Conflict conflict) {
        return new Blocked(conflict.reason(), conflict.message());
    }

    StatusDetails details() {
        List<Conflict> conflicts = resolved.conflicts().stream()
                .filter(each -> !each.isOfPods() && !each.isRelease()).toList();
        StatusDetails details = counts().withCondition(CONFLICT,
                conflicts.isEmpty() ? Condition.FALSE : Condition.TRUE,
                conflicts.stream().findFirst().map(Conflict::reason).orElse(Reason.NO_CONFLICT),
                conflicts.stream().map(Conflict::message).collect(Collectors.joining("; ")));
        Optional<DedicatedNodesSpec> established = resolved.established();
        if (established.isPresent()) {
            details = details.withField(DedicatedNodes.APPLIED, established.get().tree());
        }
        for (Map.Entry<Finding.Reason, String> finding : findings().entrySet()) {
            details =
                    details.withCondition(finding.getKey().name(), Condition.TRUE, Reason.DECLARED, finding.getValue());
        }
        if (eviction.isPresent()) {
            details = details.withCondition(Evictions.CONDITION, eviction.get().state().status(),
                    eviction.get().state().reason(), eviction.get().message());
        }
        return needsConfirmation() ? confirmation(details) : details;
    }

    private Map<Finding.Reason, String> findings() {
        return new Group(resolved.declared().name(), declared()).findings(features).stream().collect(
                Collectors.groupingBy(Finding::reason, Collectors.mapping(Finding::message, Collectors.joining("; "))));
    }

    private StatusDetails confirmation(StatusDetails details) {
        int pods = preview.evicted().count();
        boolean confirmed = preview.isConfirmedBy(declared());
        return details.withCondition(CONFIRMED, confirmed ? Condition.TRUE : Condition.FALSE,
                confirmed ? Reason.CONFIRMED : Reason.NOT_CONFIRMED,
                pods + " pods would be evicted" + (confirmed ? "" : "; to confirm, set spec.confirmedPods to " + pods));
    }

    private StatusDetails counts() {
        StatusDetails details = StatusDetails.NONE.withField(OBSERVED, generation);
        if (preview.tree() instanceof Tree.Fields(Map<String, Tree> counts)) {
            for (Map.Entry<String, Tree> count : counts.entrySet()) {
                details = details.withField(count.getKey(), count.getValue());
            }
        }
        return details;
    }
}
