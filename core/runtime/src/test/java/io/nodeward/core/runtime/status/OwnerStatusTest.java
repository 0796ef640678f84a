package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnerStatusTest {
    private static final Duration AFTER = Duration.ofSeconds(30);
    private static final Blocked BY =
            new Blocked(Reason.DRIFT_RECURRING, "Node a: somebody keeps undoing what is declared");
    private static final String CONDITION = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinesets/set/status";
    private static final String EVENT = "/api/v1/namespaces/ns/events";

    /** Requests by path. */
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    /** Owners with something else to report. */
    private final List<String> changed = new ArrayList<>();
    private boolean conflict;
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ApiServer server = new ApiServer(new Recording());
    private final EventRecorder events = new EventRecorder(server, time, timers, true, new SimpleMeterRegistry());
    /** By name of the member; the owner itself has none. */
    private final OwnerStatus<String> atOnce =
            status(OwnerPolicy.atOnce("test", key -> "", key -> key));
    /** Owners are named as their objects, and members as they are. */
    private final OwnerStatus<String> lasting = status(OwnerPolicy.lasting("test",
            owner -> owner.regarding().key().name(), member -> member, (names, others, first) -> names + ": " + first));

    private OwnerStatus<String> status(OwnerPolicy<String> policy) {
        OwnerStatus<String> status = new OwnerStatus<>(
                policy, "test", new Conditions(server, AFTER, time, time::nanoTime, true), events, time);
        status.whenChanged(changed::add);
        return status;
    }

    @AfterEach
    void close() {
        events.close();
        timers.close();
    }

    @Test
    void a_member_that_is_held_back_need_not_come_back_for_the_condition() {
        assertThat(atOnce.report("a", owner("set"), new Outcome.HeldBack(BY))).isZero();
        assertThat(atOnce.report("", owner("set"), new Outcome.Summary(Set.of("a")))).as("the owner does")
                .isEqualTo(AFTER);
    }

    @Test
    void what_is_reported_if_it_lasts_is_not_reported_of_an_owner_that_is_being_deleted() {
        Target deleted = new Target(owner("set").resource(), owner("set").regarding(), List.of(), true);
        atOnce.report("a", deleted, new Outcome.NotWritten(BY, false));
        atOnce.report("", deleted, new Outcome.Summary(Set.of("a")));
        assertThat(written()).isEmpty();

        atOnce.report("b", deleted, new Outcome.NotWritten(BY, true));
        atOnce.report("", deleted, new Outcome.Summary(Set.of("a", "b")));
        assertThat(written()).as("what is certain is").containsExactly(EVENT);
    }

    @Test
    void what_a_former_run_reported_to_be_awaited_stands_until_it_would_be_late_in_this_run() {
        awaits("a");
        assertThat(atOnce.report("", showing("NodesUninitialized"), new Outcome.Summary(Set.of("a")))).isEqualTo(AFTER);
        assertThat(written()).isEmpty();

        time.pass(AFTER);
        atOnce.report("", showing("NodesUninitialized"), new Outcome.Summary(Set.of("a")));
        assertThat(written()).as("in the words of this run").contains(CONDITION);
    }

    @Test
    void what_a_former_run_reported_for_another_reason_ends_at_once_whatever_is_awaited() {
        awaits("a");
        assertThat(atOnce.report("", showing(BY.reason()), new Outcome.Summary(Set.of("a")))).isEqualTo(AFTER);
        assertThat(written()).containsExactly(CONDITION);
    }

    private void awaits(String member) {
        Awaited uninitialized = new Awaited(Reason.NODES_UNINITIALIZED, "waiting: ", "");
        atOnce.report(member, owner("set"), new Outcome.InEffect(List.of(), Optional.of(uninitialized)));
    }

    private Target showing(String reason) {
        Condition condition = new Condition(Conditions.TYPE, Condition.TRUE, reason, "of a former run", time.instant());
        return new Target(owner("set").resource(), owner("set").regarding(), List.of(condition), false);
    }

    @Test
    void what_blocks_a_member_is_reported_of_its_owner_once_it_has_lasted() {
        assertThat(lasting.report("a", owner("set"), new Outcome.NotWritten(BY, true))).isZero();
        assertThat(changed).containsExactly("set");
        assertThat(summarize("set")).isEqualTo(AFTER);
        assertThat(written()).isEmpty();

        time.pass(AFTER);
        assertThat(summarize("set")).isZero();
        assertThat(written()).containsExactlyInAnyOrder(CONDITION, EVENT);
    }

    @Test
    void a_condition_that_meets_a_newer_version_keeps_no_event_back() {
        lasting.report("a", owner("set"), new Outcome.Stuck(BY, false));
        summarize("set");
        time.pass(AFTER);
        conflict = true;
        assertThat(summarize("set")).isPositive();
        assertThat(written()).containsExactlyInAnyOrder(CONDITION, EVENT);
    }

    @Test
    void nor_does_that_of_an_object_without_members() {
        ObjectStatus<String> single = new ObjectStatus<>(key -> new ObjectId("MachineSet", new ObjectKey("ns", key)),
                "test", new Conditions(server, AFTER, time, time::nanoTime, true), events);
        assertThat(single.report("set", owner("set"), new Outcome.NotWritten(BY, false))).isEqualTo(AFTER);
        assertThat(written()).isEmpty();
        time.pass(AFTER);
        conflict = true;
        assertThat(single.report("set", owner("set"), new Outcome.NotWritten(BY, false))).isPositive();
        assertThat(single.isOutdated(owner("set"))).isTrue();
        assertThat(written()).containsExactlyInAnyOrder(CONDITION, EVENT);
    }

    @Test
    void what_is_over_or_not_known_any_more_is_not_reported() {
        lasting.report("a", owner("set"), new Outcome.Stuck(BY, true));
        lasting.report("b", owner("set"), new Outcome.HeldBack(BY));
        summarize("set");
        lasting.unknown("a");
        lasting.report("b", owner("set"), new Outcome.InEffect(List.of(), Optional.empty()));
        assertThat(changed).hasSize(4).containsOnly("set");

        time.pass(AFTER);
        assertThat(summarize("set")).isZero();
        assertThat(written()).isEmpty();
    }

    @Test
    void what_a_plan_left_out_blocks_its_member() {
        List<Finding> contested = List.of(new Finding("TaintContested", "somebody else's", true, true));
        lasting.report("a", owner("set"), new Outcome.InEffect(contested, Optional.empty()));
        assertThat(summarize("set")).isEqualTo(AFTER);
    }

    @Test
    void a_member_that_gets_another_owner_is_reported_there() {
        lasting.report("a", owner("set"), new Outcome.Stuck(BY, false));
        lasting.report("a", owner("pool"), new Outcome.Stuck(BY, false));
        assertThat(changed).containsExactlyInAnyOrder("set", "set", "pool");
        assertThat(summarize("set")).isZero();
        assertThat(summarize("pool")).isEqualTo(AFTER);
    }

    @Test
    void an_owner_that_is_gone_is_forgotten_with_all_that_blocks_its_members() {
        lasting.report("a", owner("set"), new Outcome.Stuck(BY, false));
        summarize("set");
        time.pass(AFTER);
        summarize("set");
        assertThat(written()).hasSize(2);
        lasting.forget("set");
        requests.clear();
        assertThat(summarize("set")).isZero();
        assertThat(written()).isEmpty();
    }

    private Duration summarize(String owner) {
        return lasting.report(owner, owner(owner), new Outcome.Summary(Set.of()));
    }

    private List<String> written() {
        await().until(events::isIdle);
        return List.copyOf(requests);
    }

    private static Target owner(String name) {
        return new Target(new Resource("cluster.x-k8s.io", "v1beta2", "machinesets", true),
                new Event.Regarding("cluster.x-k8s.io/v1beta2", "MachineSet", new ObjectKey("ns", name), "uid " + name,
                        "1"),
                List.of(), false);
    }

    private final class Recording implements Transport {
        @Override
        public Response exchange(Request call) {
            requests.add(call.path().replaceFirst("\\?.*", ""));
            return new Response(conflict && call.method().equals("PATCH") ? 409 : 201, Optional.empty(),
                    new ByteArrayInputStream("{\"metadata\":{\"resourceVersion\":\"2\"}}".getBytes()));
        }

        @Override
        public void close() {}
    }
}
