package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.simulation.Faults;
import io.nodeward.core.runtime.status.Awaited;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each way to report a status sends for each decision and all that may come of it. */
class ReportedRequestsTest extends ReportedRequests {
    @Test
    void of_objects_that_are_keys() {
        Target machine = target("cluster.x-k8s.io", "machines", "Machine");
        start(context.objectStatus("Machine", "test"));
        decideAll(machine);
        step("blocked while it is deleted", MEMBER, new Decision.Blocked(
                new Target(machine.resource(), machine.regarding(), List.of(), true), BY, true));
        requests.assertRecorded(getClass(), "object");
    }

    @Test
    void of_objects_of_a_kind_of_our_own() {
        start(context.readyStatus(QUOTA, "test"));
        decideAll(target("example.com", "quotas", "Quota"));
        requests.assertRecorded(getClass(), "ready");
    }

    @Test
    void of_owners_whose_members_are_known() {
        Target pool = target("cluster.x-k8s.io", "machinepools", "MachinePool");
        start(pools());
        summary = Optional.of(new Decision.Summary(pool, Set.of("a", "b")));
        step("another member has not been looked at", MEMBER, new Decision.Blocked(pool, BY, true));
        step("it has", OTHER, new Decision.Change(pool, node(false), "b", List.of(), Optional.empty()));
        decideAll(pool);
        decideOwner(pool);
        requests.assertRecorded(getClass(), "owner");
    }

    @Test
    void of_owners_whose_members_may_leave() {
        Target set = target("cluster.x-k8s.io", "machinesets", "MachineSet");
        start(sets());
        summary = Optional.of(new Decision.Summary(set, Set.of()));
        decideAll(set);
        decideOwner(set);
        requests.assertRecorded(getClass(), "lasting");
    }

    private void decideAll(Target target) {
        step("waiting, of nobody", MEMBER, new Decision.Waiting("a Cluster"));
        step("waiting", MEMBER, new Decision.Waiting("a Cluster", Optional.of(target)));
        step("blocked", MEMBER, new Decision.Blocked(target, BY, true));
        step("blocked by something else", MEMBER, new Decision.Blocked(target, new Blocked("Other", "o"), false));
        step("waiting again", MEMBER, new Decision.Waiting("a Cluster", Optional.of(target)));
        step("in effect but for something", MEMBER, new Decision.InEffect(target, FINDINGS));
        step("in effect", MEMBER, new Decision.InEffect(target, List.of()));
        Decision change = change(target, node(true), List.of());
        Decision none = change(target, node(false), List.of());
        step("nothing to change but for something", MEMBER, change(target, node(false), FINDINGS));
        step("changed but for something", MEMBER, change(target, node(true), FINDINGS));
        step("nothing to change", MEMBER, none);
        fail("conflict", change, (write, manager, again) -> again
                ? new Applied.Written()
                : new Applied.Outdated(Faults.failure(409, "Conflict")));
        fail("gone meanwhile", change, (write, manager, again) -> new Applied.Gone());
        fail("dry run", change, (write, manager, again) -> new Applied.DryRun());
        fail("refused", change(target, node(true), FINDINGS), failing(422, "Invalid"));
        step("changed after that", MEMBER, change);
        fail("of an object that is not there", change, failing(404, "NotFound"));
        fail("a right is missing", change, failing(403, "Forbidden"));
        step("nothing to change after that", MEMBER, none);
        fail("a right is missing, reported at once", change(target, homeNode(), List.of()), failing(403, "Forbidden"));
        fail("throttled", change, failing(429, "TooManyRequests"));
        fail("no answer", change, (write, manager, again) -> {
            throw ApiFailure.unreachable("a write", "of the test", new IOException());
        });
        fail("not connected", change, (write, manager, again) -> new Applied.Unavailable("the Cluster"));
        decideUndone(target);
        step("blocked before it is gone", MEMBER, new Decision.Blocked(target, BY, true));
        step("gone", MEMBER, new Decision.Gone("deleted"));
        step("blocked once more", MEMBER, new Decision.Blocked(target, BY, true));
        step("gone, not so its owner", MEMBER, new Decision.Gone("not ours", Optional.of(target)));
    }

    private void decideUndone(Target target) {
        undo(change(target, node(true), List.of()));
        step("it may not last", MEMBER, change(target, node(false), List.of()));
        time.pass(Duration.ofMinutes(2));
        step("it lasts", MEMBER, change(target, node(false), List.of()));
    }

    private void decideOwner(Target target) {
        step("awaited", MEMBER, new Decision.Change(target, node(false), "a", List.of(),
                Optional.of(new Awaited(Reason.NODES_UNINITIALIZED, "Nodes ", " wait"))));
        step("not awaited any more", MEMBER, change(target, node(false), List.of()));
        step("blocked itself", OWNER, new Decision.Blocked(target, BY, true));
        step("blocked, and its member", MEMBER,
                new Decision.Blocked(target, new Blocked(Reason.NODE_REJECTED, "no"), true));
        step("waiting itself", OWNER, new Decision.Waiting("a Cluster"));
        step("gone itself", OWNER, new Decision.Gone("deleted"));
    }
}
