package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.status.Awaited;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is sent for what is decided again after it was over, or not known. */
class RepeatedRequestsTest extends ReportedRequests {
    private static final Decision WAITING = new Decision.Waiting("a Cluster");
    private static final Decision GONE = new Decision.Gone("deleted");

    @Test
    void of_objects_that_are_keys() {
        start(context.objectStatus("Machine", "test"));
        decideAgain(target("cluster.x-k8s.io", "machines", "Machine", MEMBER));
        requests.assertRecorded(getClass(), "object-again");
    }

    @Test
    void of_objects_of_a_kind_of_our_own() {
        start(context.readyStatus(QUOTA, "test"));
        decideAgain(target("example.com", "quotas", "Quota", MEMBER));
        requests.assertRecorded(getClass(), "ready-again");
    }

    @Test
    void of_owners_whose_members_are_known() {
        Target pool = target("cluster.x-k8s.io", "machinepools", "MachinePool");
        start(pools());
        summary = Optional.of(new Decision.Summary(pool, Set.of("a")));
        decideAgain(pool);
        summary = Optional.of(new Decision.Summary(pool, Set.of("a", "b")));
        decideMembers(pool);
        decideItself(pool);
        requests.assertRecorded(getClass(), "owner-again");
    }

    @Test
    void of_owners_whose_members_may_leave() {
        Target set = target("cluster.x-k8s.io", "machinesets", "MachineSet");
        start(sets());
        summary = Optional.of(new Decision.Summary(set, Set.of()));
        decideAgain(set);
        decideMembers(set);
        decideItself(set);
        requests.assertRecorded(getClass(), "lasting-again");
    }

    private void decideAgain(Target target) {
        decideRefusedAgain(target);
        Decision blocked = new Decision.Blocked(target, BY, true);
        Decision over = new Decision.InEffect(target, List.of());
        for (Decision meanwhile : List.of(WAITING, new Decision.Waiting("a Cluster", Optional.of(target)), over,
                GONE)) {
            decideBriefly(blocked, MEMBER, meanwhile);
            step("in effect at last", MEMBER, over);
        }
        undo(change(target, node(true), List.of()));
        undo(change(target, node(true), List.of()));
        step("it may not last", MEMBER, change(target, node(false), List.of()));
        step("it has not", MEMBER, change(target, node(true), List.of()));
    }

    /** That nothing needs to be written ends what was refused: should the same be refused once more, it is news. */
    private void decideRefusedAgain(Target target) {
        Decision change = change(target, node(true), List.of());
        fail("throttled before anything is known", change, failing(429, "TooManyRequests"));
        fail("refused", change, failing(422, "Invalid"));
        step("in effect without a change", MEMBER, new Decision.InEffect(target, List.of()));
        fail("refused as before", change, failing(422, "Invalid"));
        step("gone after that", MEMBER, GONE);
        fail("refused when it is back", change, failing(422, "Invalid"));
        step("in effect but for two things", MEMBER, change(target, node(false), List.of(
                FINDINGS.getFirst(), new Finding("MalformedTracking", "left out, too", true, true))));
        fail("a right is missing", change, failing(403, "Forbidden"));
        step("in effect with the right", MEMBER, new Decision.InEffect(target, List.of()));
        Target deleted = new Target(target.resource(), target.regarding(), List.of(), true);
        fail("a right is missing while it is deleted", change(deleted, node(true), List.of()),
                failing(403, "Forbidden"));
        step("in effect, not deleted", MEMBER, new Decision.InEffect(target, List.of()));
    }

    /** Blocked for half the time until a condition reports it, then not, or not known to be, then blocked again. */
    private void decideBriefly(Decision blocked, ObjectKey key, Decision meanwhile) {
        once("blocked", MEMBER, blocked, true);
        time.pass(AFTER.dividedBy(2));
        once(meanwhile.getClass().getSimpleName() + " of " + key, key, meanwhile, true);
        once("blocked anew", MEMBER, blocked, true);
        time.pass(AFTER.dividedBy(2));
        step("blocked for long", MEMBER, blocked);
    }

    private void decideMembers(Target target) {
        Decision none = change(target, node(false), List.of());
        step("both are looked at", MEMBER, none);
        step("both were", OTHER, none);
        step("the other is blocked", OTHER, blocked(target, "NodeRejected", "no, b"));
        once("and the first", MEMBER, blocked(target, "NodeRejected", "no, a"), true);
        time.pass(Duration.ofSeconds(5));
        once("in other words", MEMBER, blocked(target, "NodeRejected", "no!"), true);
        step("by what is less grave", MEMBER, blocked(target, "NodeClaimedTwice", "no Node"));
        summarizes(target, Set.of("a"));
        step("the other has left", MEMBER, none);
        summarizes(target, Set.of("a", "b"));
        step("the other is back", OTHER, none);
        step("two are left out", MEMBER, change(target, node(false), FINDINGS));
        step("by both", OTHER, change(target, node(false), FINDINGS));
        step("by the other", MEMBER, none);
        step("by none", OTHER, none);
        for (ObjectKey member : List.of(OTHER, MEMBER)) {
            once("awaited", member, awaited(target), true);
            time.pass(Duration.ofMillis(20_500));
        }
        step("still awaited", OTHER, awaited(target));
        step("the other is not any more", OTHER, none);
        step("nor the first", MEMBER, none);
    }

    private void decideItself(Target target) {
        Decision blocked = blocked(target, "NodeRejected", "no");
        decideBriefly(blocked, OWNER, WAITING);
        step("in effect", MEMBER, new Decision.InEffect(target, List.of()));
        once("blocked before its owner is gone", MEMBER, blocked, true);
        time.pass(AFTER.dividedBy(2));
        once("gone itself", OWNER, GONE, true);
        once("looked at", OTHER, new Decision.InEffect(target, List.of()), true);
        step("blocked anew", MEMBER, blocked);
        once("gone itself once it is reported", OWNER, GONE, true);
        step("looked at again", OTHER, new Decision.InEffect(target, List.of()));
        step("blocked as before", MEMBER, blocked);
        step("its owner is blocked as well, without an Event", OWNER, new Decision.Blocked(target, BY, false));
    }

    private void summarizes(Target target, Set<String> members) {
        summary = summary.map(all -> all.members().isEmpty() ? all : new Decision.Summary(target, members));
    }

    private static Decision blocked(Target target, String reason, String message) {
        return new Decision.Blocked(target, new Blocked(reason, message), !reason.equals("NodeClaimedTwice"));
    }

    private static Decision awaited(Target target) {
        return new Decision.Change(target, node(false), "a", List.of(),
                Optional.of(new Awaited(Reason.NODES_UNINITIALIZED, "Nodes ", " wait")));
    }
}
