package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.controller.NoExecuteLimit.Settings;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoExecuteLimitTest {
    private static final Duration COUNTING = Duration.ofSeconds(3);
    private static final Duration PACE = Duration.ofSeconds(6);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    private static final Target TARGET = Target.of("v1beta2", "MachineDeployment", "machinedeployments", new Node(
            new Metadata(new ObjectKey("ns", "a"), "u", "1", Map.of(), Map.of(), List.of(), false), "",
            List.of()), List.of());

    private static final Target REPORTED = new Target(TARGET.resource(), TARGET.regarding(),
            List.of(new Condition(NoExecuteLimit.CONDITION, Condition.TRUE, Reason.NO_EXECUTE_NOT_CONFIRMED.text(), "",
                    Instant.EPOCH)),
            false);

    private final AtomicInteger nodes = new AtomicInteger();
    private long now;
    private final List<String> counted = new ArrayList<>();
    private final List<Integer> let = new ArrayList<>();
    private final NoExecuteLimit<String, Integer> limit = limit(Settings.DEFAULT);

    @Test
    void nodes_of_an_owner_get_it_one_after_the_other_and_those_of_another_at_the_same_time() {
        join("a", 0, 20);
        assertThat(ask(1, "a", 0)).as("they are counted first").isEqualTo(COUNTING);
        ask(2, "a", 0);
        ask(50, "b", 0);
        pass(COUNTING);
        assertThat(ask(1, "a", 0)).as("after a start the window counts as used").isEqualTo(PACE);
        assertThat(ask(2, "a", 0)).isEqualTo(PACE.multipliedBy(2));
        assertThat(ask(50, "b", 0)).isEqualTo(PACE);
        pass(PACE);
        assertThat(ask(1, "a", 0)).isZero();
        limit.given(1);
        assertThat(limit.waiting("a")).containsExactly(2);
        assertThat(ask(2, "a", 0)).isEqualTo(PACE);
    }

    @Test
    void more_than_a_tenth_of_the_nodes_wait_until_their_number_is_confirmed() {
        join("a", 0, 200);
        askAll("a", 0, 20, 0);
        pass(COUNTING);
        askAll("a", 0, 20, 0);
        assertThat(limit.stopped("a")).isEmpty();
        ask(20, "a", 0);
        pass(COUNTING);
        assertThat(ask(20, "a", 0)).isEqualTo(TEN_MINUTES);
        assertThat(limit.stopped("a").orElseThrow().message()).isEqualTo("21 of 200 Nodes would newly get"
                + " NoExecute, which evicts their pods; to confirm, set the annotation"
                + " nodeward.io/confirmed-noexecute-nodes to 21");
        pass(Duration.ofHours(1));
        assertThat(ask(20, "a", 20)).isEqualTo(TEN_MINUTES);
        assertThat(let).isEmpty();
        assertThat(ask(20, "a", 21)).as("the first token came long ago").isZero();
        assertThat(let).as("those that wait hear of it").hasSize(21);
        limit.given(20);
        assertThat(ask(19, "a", 21)).as("who got it still counts, and the number is confirmed").isPositive();
        assertThat(limit.stopped("a")).isEmpty();
    }

    @Test
    void none_gets_it_before_all_are_counted_even_without_a_pace() {
        NoExecuteLimit<String, Integer> unpaced = limit(new Settings(0, 10));
        IntStream.range(0, 10).forEach(node -> assertThat(unpaced.left(node, "a", 0)).isEqualTo(COUNTING));
        pass(COUNTING.minusNanos(1));
        assertThat(unpaced.left(10, "a", 0)).as("one more").isEqualTo(COUNTING);
        pass(COUNTING.minusNanos(1));
        assertThat(unpaced.left(0, "a", 0)).isEqualTo(Duration.ofNanos(1));
        assertThat(unpaced.stopped("a")).as("nobody is told of a part").isEmpty();
        pass(Duration.ofNanos(1));
        assertThat(unpaced.left(0, "a", 0)).isEqualTo(TEN_MINUTES);
        assertThat(unpaced.left(11, "a", 0)).as("one more does not let it go on").isEqualTo(TEN_MINUTES);
        assertThat(let).isEmpty();
        unpaced.forget(11);
        assertThat(unpaced.stopped("a").orElseThrow().waiting()).isEqualTo(11);
    }

    @Test
    void counting_goes_on_while_nodes_come_but_not_for_ever_and_begins_anew_after_a_pause() {
        NoExecuteLimit<String, Integer> unpaced = limit(new Settings(0, 10));
        IntStream.range(0, 1000).forEach(node -> unpaced.none(node, "a"));
        for (int node = 0; node < 15; node++) {
            assertThat(unpaced.left(node, "a", 0)).isPositive();
            pass(Duration.ofSeconds(2));
        }
        assertThat(unpaced.left(15, "a", 0)).as("after half a minute those get it that are allowed to").isZero();
        pass(Duration.ofSeconds(30));
        assertThat(unpaced.left(16, "a", 0)).as("one that waits for long hides no later edit").isEqualTo(COUNTING);
    }

    @Test
    void the_owner_says_the_number_and_an_event_comes_once() {
        Reconciler<String> owners = limit.owners(
                owner -> Optional.of(TARGET).filter(found -> owner.equals("a")), (owner, seen) -> true);
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.InEffect.class);
        assertThat(owners.reconcile("b")).isInstanceOf(Decision.Gone.class);
        askAll("a", 0, 12, 0);
        pass(COUNTING);
        ask(0, "a", 0);
        assertThat(owners.reconcile("a")).isInstanceOfSatisfying(Decision.Blocked.class,
                blocked -> assertThat(blocked.event()).isTrue());
        limit.none(0, "a");
        assertThat(owners.reconcile("a")).isInstanceOfSatisfying(Decision.Blocked.class, blocked -> {
            assertThat(blocked.by().message()).startsWith("11 of 12 Nodes");
            assertThat(blocked.event()).isFalse();
        });
        limit.none(1, "a");
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.InEffect.class);
        askAll("a", 0, 2, 0);
        pass(COUNTING);
        ask(0, "a", 0);
        assertThat(owners.reconcile("a")).as("stopped anew").isInstanceOfSatisfying(Decision.Blocked.class,
                blocked -> assertThat(blocked.event()).isTrue());
    }

    /** A process that has just started, or whose connection to the cluster is lost, does not know that it is over. */
    @Test
    void what_an_owner_says_stays_until_all_its_nodes_have_been_seen_and_counted() {
        Reconciler<String> owners = reported(12);
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.Waiting.class);
        limit.none(11, "a");
        assertThat(owners.reconcile("a")).as("one of them is seen").isInstanceOf(Decision.Waiting.class);
        askAll("a", 0, 12, 0);
        assertThat(owners.reconcile("a")).as("while they are counted").isInstanceOf(Decision.Waiting.class);
        pass(COUNTING);
        counted.clear();
        ask(0, "a", 0);
        assertThat(counted).containsExactly("a");
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.Blocked.class);

        IntStream.range(0, 12).forEach(limit::unknown);
        assertThat(owners.reconcile("a")).as("the cluster is away").isInstanceOf(Decision.Waiting.class);
        IntStream.range(0, 11).forEach(node -> limit.none(node, "a"));
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.Waiting.class);
        counted.clear();
        limit.blocked(11);
        assertThat(counted).isNotEmpty().containsOnly("a");
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void what_an_owner_says_ends_when_few_wait_once_they_are_counted() {
        Reconciler<String> owners = reported(2);
        owners.reconcile("a");
        askAll("a", 0, 2, 0);
        pass(COUNTING);
        counted.clear();
        ask(0, "a", 0);
        assertThat(counted).containsExactly("a");
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.InEffect.class);
        ask(0, "a", 0);
        assertThat(counted).hasSize(1);
    }

    /** They are blocked, or their Machines go. */
    @Test
    void what_an_owner_says_ends_without_nodes_that_joined() {
        Reconciler<String> owners = reported(1);
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.Waiting.class);
        limit.blocked(0);
        assertThat(counted).containsExactly("a");
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.InEffect.class);

        limit.unknown(0);
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.Waiting.class);
        nodes.set(0);
        limit.none(50, "b");
        limit.forget(50);
        assertThat(counted).as("one of another owner").hasSize(1);
        limit.forget(0);
        assertThat(counted).hasSize(2);
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_decision_on_a_node_while_the_owner_looks_for_its_nodes_is_not_lost() {
        Reconciler<String> owners = limit.owners(owner -> Optional.of(REPORTED), (owner, seen) -> {
            boolean found = seen.test(0);
            limit.none(0, "a");
            return found;
        });
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.Waiting.class);
        assertThat(counted).containsExactly("a");
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.InEffect.class);
    }

    /** Returns the reconciler of an owner that says so already, and has so many Nodes. */
    private Reconciler<String> reported(int count) {
        nodes.set(count);
        return limit.owners(
                owner -> Optional.of(REPORTED),
                (owner, seen) -> IntStream.range(0, nodes.get()).boxed().allMatch(seen));
    }

    @Test
    void nothing_is_kept_of_an_owner_that_is_deleted_while_it_is_stopped() {
        AtomicBoolean deleted = new AtomicBoolean();
        Reconciler<String> owners = limit.owners(
                owner -> Optional.of(TARGET).filter(found -> !deleted.get()), (owner, seen) -> true);
        askAll("a", 0, 12, 0);
        pass(COUNTING);
        ask(0, "a", 0);
        assertThat(owners.reconcile("a")).isInstanceOfSatisfying(Decision.Blocked.class,
                blocked -> assertThat(blocked.event()).isTrue());
        deleted.set(true);
        IntStream.range(0, 12).forEach(limit::forget);
        assertThat(owners.reconcile("a")).isInstanceOf(Decision.Gone.class);
        deleted.set(false);
        askAll("a", 20, 32, 0);
        pass(COUNTING);
        ask(20, "a", 0);
        assertThat(owners.reconcile("a")).as("another of the same name").isInstanceOfSatisfying(Decision.Blocked.class,
                blocked -> assertThat(blocked.event()).isTrue());
    }

    @Test
    void who_got_it_lately_counts_so_that_many_small_edits_are_a_large_one() {
        NoExecuteLimit<String, Integer> unpaced = limit(new Settings(0, 10));
        for (int node = 0; node < 10; node++) {
            unpaced.left(node, "a", 0);
            pass(COUNTING);
            assertThat(unpaced.left(node, "a", 0)).isZero();
            unpaced.given(node);
        }
        unpaced.left(10, "a", 0);
        pass(COUNTING);
        assertThat(unpaced.left(10, "a", 0)).isEqualTo(TEN_MINUTES);
        assertThat(unpaced.stopped("a").orElseThrow().message()).startsWith("11 of 11 Nodes would newly get"
                + " NoExecute, which evicts their pods (10 of them got it in the last ten minutes)");
        pass(TEN_MINUTES.minus(COUNTING.multipliedBy(10)));
        assertThat(unpaced.left(10, "a", 0)).as("the first of them is ten minutes ago").isZero();
        unpaced.forget(3);
        assertThat(unpaced.nodes("a")).doesNotContain(3);
    }

    @Test
    void ten_nodes_need_no_confirmation_however_few_the_owner_has() {
        askAll("a", 0, 11, 0);
        pass(COUNTING);
        ask(10, "a", 0);
        assertThat(limit.stopped("a")).isPresent();
        assertThat(counted).containsExactly("a");
        limit.forget(10);
        assertThat(limit.stopped("a")).isEmpty();
        assertThat(counted).containsExactly("a", "a");
        assertThat(let).hasSize(10);
    }

    @Test
    void a_node_of_which_it_is_not_known_does_not_wait_and_one_that_changes_hands_counts_for_its_new_owner() {
        askAll("a", 0, 12, 0);
        pass(COUNTING);
        ask(11, "a", 0);
        limit.unknown(2);
        assertThat(limit.stopped("a").orElseThrow().waiting()).isEqualTo(11);
        limit.none(3, "a");
        assertThat(limit.stopped("a")).isEmpty();
        ask(4, "b", 0);
        assertThat(limit.waiting("a")).hasSize(9);
        assertThat(limit.waiting("b")).containsExactly(4);
        assertThat(limit.waiting()).isEqualTo(10);
        limit.forget(4);
        assertThat(limit.waiting("b")).isEmpty();
        limit.unknown(99);
        limit.given(99);
        assertThat(limit.waiting()).isEqualTo(9);
    }

    @Test
    void an_owner_hears_of_numbers_that_its_status_shows_and_of_nothing_else() {
        askAll("a", 0, 12, 0);
        pass(COUNTING);
        assertThat(counted).isEmpty();
        ask(0, "a", 0);
        assertThat(counted).hasSize(1);
        ask(0, "a", 0);
        assertThat(counted).hasSize(1);
        limit.none(5, "a");
        limit.none(20, "a");
        assertThat(counted).as("fewer wait, and it has more Nodes").hasSize(3);
    }

    @Test
    void without_a_share_none_is_stopped() {
        NoExecuteLimit<String, Integer> paced = limit(new Settings(10, 0));
        IntStream.range(0, 100).forEach(node -> paced.left(node, "a", 0));
        pass(COUNTING);
        assertThat(paced.left(0, "a", 0)).isEqualTo(PACE);
        assertThat(paced.stopped("a")).isEmpty();
    }

    /** Until then it decides as the leader does, and writes nothing. */
    @Test
    void a_replica_that_begins_to_lead_paces_as_after_a_start_and_keeps_what_it_has_counted() {
        ManualTime time = new ManualTime();
        Timers timers = new Timers(time, time::nanoTime);
        ApiServer server = new ApiServer(new UnaskedServer());
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ControllerContext context = new ControllerContext((change, manager, again) -> new Applied.Written(),
                new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
                new EventRecorder(server, time, timers, false, registry), time, timers, registry, "", false);
        Leadership leadership = Leadership.by(
                new ObjectKey("ns", "lease"), new UnaskedServer(), "host", timers, time, registry);
        NoExecuteLimit<String, Integer> replica = NoExecuteLimit.of(Settings.DEFAULT, "test", context, leadership);
        assertThat(replica.left(1, "a", 0)).isEqualTo(COUNTING);
        time.pass(COUNTING);
        assertThat(replica.left(1, "a", 0)).isEqualTo(PACE);
        time.pass(PACE);
        assertThat(replica.left(1, "a", 0)).isZero();
        leadership.startsLeading();
        assertThat(replica.left(1, "a", 0)).isEqualTo(PACE);
        context.events().close();
        timers.close();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private void join(String owner, int from, int to) {
        IntStream.range(from, to).forEach(node -> limit.none(node, owner));
    }

    private void askAll(String owner, int from, int to, long confirmed) {
        IntStream.range(from, to).forEach(node -> ask(node, owner, confirmed));
    }

    private Duration ask(int node, String owner, long confirmed) {
        return limit.left(node, owner, confirmed);
    }

    private NoExecuteLimit<String, Integer> limit(Settings settings) {
        NoExecuteLimit<String, Integer> made = new NoExecuteLimit<>(settings, () -> now);
        made.whenCounted(owner -> counted.add(owner));
        made.whenLet(node -> let.add(node));
        return made;
    }
}
