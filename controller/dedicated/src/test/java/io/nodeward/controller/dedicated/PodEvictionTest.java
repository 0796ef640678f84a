package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectChange.Preconditions;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.ObjectStatus;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom a group that respects budgets evicts, when, and how. The group is g, and its Node n. */
class PodEvictionTest {
    private static final ObjectKey GROUP = ObjectKey.clusterScoped("g");

    private final DedicatedFixture cluster = new DedicatedFixture(6, new PodFeatures(false, false, true));
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private int version = 1000;
    private final ApiServer server = new ApiServer(new Accepting());
    private final ControllerContext context = new ControllerContext((change, manager, again) -> write(change),
            new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
            new EventRecorder(server, time, timers, true, cluster.registry), time, timers, cluster.registry, "",
            false);
    private final ObjectStatus<ObjectKey> status =
            context.readyStatus(DedicatedNodes.DEFINITION, DedicatedModule.NAME, GroupStatus.PARTS);
    private final SteppedLoop loop = new SteppedLoop((ReconcileLoop<?>) new PodEvictionModule(new DedicatedConfig())
            .eviction(cluster.scope, cluster.evictions, context));
    /** Whether each request that was sent asks budgets. */
    private final List<Boolean> asksBudgets = new ArrayList<>();
    private final List<String> gone = new ArrayList<>();
    private Optional<Instant> shown = Optional.empty();
    private int disruptionsAllowed = Integer.MAX_VALUE;
    /** Whether the next pod goes without an answer. */
    private boolean losesReply;
    private boolean refusesStatus;
    private Optional<ApiFailure> refusal = Optional.empty();

    @AfterEach
    void stop() {
        context.events().close();
        timers.close();
    }

    private Applied write(ObjectChange change) {
        CandidatePod pod = cluster.pods.get(change.key()).orElseThrow();
        assertThat(change.preconditions()).isEqualTo(new Preconditions(pod.metadata().uid(), ""));
        boolean asks = ((Verb.Delete) change.verb()).asksBudgets();
        asksBudgets.add(asks);
        refusal.ifPresent(failure -> {
            throw failure;
        });
        if (asks && disruptionsAllowed-- <= 0) {
            return new Applied.Unavailable("The disruption budget b needs 9 healthy pods and has 9 currently");
        }
        gone.add(pod.key().name());
        cluster.pods.remove(pod);
        if (losesReply) {
            losesReply = false;
            return new Applied.Unanswered(
                    ApiFailure.unreachable("POST " + pod.key(), "reset", new IOException("reset")));
        }
        return new Applied.Written();
    }

    private void pods(int count) {
        cluster.node("n", Map.of("pool", "g"));
        for (int i = 0; i < count; i++) {
            cluster.pod("cherry", "p" + i, "n");
        }
    }

    /** Declares what is in force already, and decides on it. */
    private void declare(int confirmed, Map<String, Object> more) {
        Map<String, Object> whole = new HashMap<>(DedicatedFixture.with(DedicatedFixture.pool("g"), confirmed));
        whole.put("taint", Map.of("key", "dedicated", "value", "g", "effects", List.of("NoSchedule", "NoExecute")));
        whole.put("enforcement", "Enforce");
        whole.putAll(more);
        DedicatedNodesSpec spec = DedicatedNodesSpec.of(Tree.of(whole));
        put(new DedicatedNodes(spec, Optional.of(spec)), ++version);
        cluster.ofGroups.reconcile(GROUP);
        cluster.reconcileNode("n");
    }

    private void put(DedicatedNodes spec, int generation) {
        cluster.groups.put(new CustomResource<>(new Metadata(GROUP, "uid-g", Integer.toString(++version), Map.of(),
                Map.of(), List.of(), false), generation, spec,
                shown.stream().map(since -> new Condition(
                        "EvictionInProgress", Condition.TRUE, "PodsPendingEviction", "", since, generation)).toList()));
    }

    /** The watch brings the status, and the group is decided on again. */
    private StatusDetails show() {
        shown = shown.or(() -> Optional.of(time.instant()));
        CustomResource<DedicatedNodes> group = cluster.groups.get(GROUP).orElseThrow();
        put(group.spec(), (int) group.generation());
        return GroupReconcilerTest.shown(cluster.ofGroups.reconcile(GROUP));
    }

    private void pass(Duration length) {
        for (Duration left = length; left.isPositive(); left = left.minusMillis(50)) {
            cluster.pass(Duration.ofMillis(50));
            time.pass(Duration.ofMillis(50));
            drain();
        }
    }

    private void drain() {
        while (loop.runOnce()) {
            Thread.onSpinWait();
        }
    }

    private StatusDetails.Text progress() {
        return GroupReconcilerTest.shown(cluster.ofGroups.reconcile(GROUP)).conditions().get("EvictionInProgress");
    }

    @Test
    void the_status_says_it_first_then_the_server_is_asked_about_each_pod_and_the_node_gets_no_execute_at_last() {
        pods(3);
        declare(3, Map.of("eviction", "Respect"));
        assertThat(progress().status()).isEqualTo(Condition.TRUE);
        assertThat(progress().why().message()).isEqualTo("3 pods to be evicted");
        pass(Duration.ofSeconds(2));
        assertThat(asksBudgets).isEmpty();
        assertThat(cluster.taints("n")).containsExactly("dedicated=g:NoSchedule");
        show();
        pass(Duration.ofSeconds(1));
        assertThat(gone).containsExactlyInAnyOrder("p0", "p1", "p2");
        assertThat(asksBudgets).hasSize(3).containsOnly(true);
        assertThat(progress().status()).isEqualTo(Condition.FALSE);
        assertThat(progress().why().message())
                .isEqualTo("no pod is left that has to be evicted; 3 pods evicted since the controller started");
        assertThat(cluster.registry.get("nodeward.dedicated.evictions").counter().count()).isEqualTo(3);
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).contains("dedicated=g:NoExecute");
    }

    @Test
    void nobody_goes_before_so_many_are_confirmed() {
        pods(2);
        declare(1, Map.of("eviction", "Respect"));
        StatusDetails.Text confirmed = show().conditions().get("NoExecuteConfirmed");
        assertThat(confirmed.why().message())
                .isEqualTo("2 pods would be evicted; to confirm, set spec.confirmedPods to 2");
        assertThat(GroupReconcilerTest.blocked(cluster.ofGroups.reconcile(GROUP)).map(Blocked::reason))
                .contains("NoExecuteNotConfirmed");
        pass(Duration.ofSeconds(2));
        assertThat(asksBudgets).isEmpty();
        assertThat(progress().why().reason()).isEqualTo("NotConfirmed");
        declare(2, Map.of("eviction", "Respect"));
        assertThat(show().conditions().get("NoExecuteConfirmed").status()).isEqualTo(Condition.TRUE);
        pass(Duration.ofSeconds(1));
        assertThat(gone).hasSize(2);
    }

    @Test
    void nobody_goes_any_more_when_so_many_come_that_they_are_not_confirmed() {
        int asked = askedInVain();
        cluster.pod("cherry", "third", "n");
        assertThat(progress().why().reason()).isEqualTo("NotConfirmed");
        pass(Duration.ofMinutes(1));
        assertThat(asksBudgets).hasSize(asked);
    }

    @Test
    void pods_that_were_counted_go_on_while_another_count_is_awaited() {
        askedInVain();
        cluster.whileLooking = key -> {
            if (key.name().equals("n")) {
                throw new IllegalStateException("planted");
            }
        };
        cluster.node("n", Map.of("pool", "g", "other", "label"));
        cluster.pod("cherry", "late", "n");
        assertThat(cluster.ofGroups.reconcile(GROUP)).isInstanceOf(Decision.Waiting.class);
        disruptionsAllowed = 3;
        pass(Duration.ofSeconds(8));
        assertThat(gone).containsExactlyInAnyOrder("p0", "p1");
    }

    @Test
    void a_status_write_that_fails_stops_nobody() {
        pods(0);
        put("p", "uid-p", List.of(Map.of("key", "dedicated", "operator", "Exists", "tolerationSeconds", 30)));
        declare(1, Map.of("eviction", "Respect"));
        show();
        refusesStatus = true;
        Decision.Blocked decision = (Decision.Blocked) cluster.ofGroups.reconcile(GROUP);
        status.report(GROUP, decision.owner(), new Outcome.InEffect(List.of(), Optional.empty()));
        progress();
        pass(Duration.ofSeconds(31));
        assertThat(gone).containsExactly("p");
    }

    @Test
    void a_pod_of_which_not_all_is_known_is_counted_and_stays() {
        pods(1);
        CandidatePod before = cluster.pods.all().iterator().next();
        cluster.pods.put(before.reduced().withResourceVersion(Integer.toString(++version)));
        declare(0, Map.of("eviction", "Respect"));
        assertThat(progress().why().reason()).isEqualTo("NotConfirmed");
        declare(1, Map.of("eviction", "Respect", "deadlineSeconds", 1));
        show();
        pass(Duration.ofMinutes(1));
        assertThat(asksBudgets).isEmpty();
        assertThat(progress().why().message()).startsWith("0 pods to be evicted; not all is known of 1 pod");
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).containsExactly("dedicated=g:NoSchedule");
    }

    @Test
    void a_pod_of_which_not_all_is_known_any_more_is_looked_at_before_the_request_and_stays() {
        int asked = askedInVain();
        cluster.pods.all().forEach(pod -> cluster.pods.put(
                pod.reduced().withResourceVersion(Integer.toString(++version))));
        pass(Duration.ofMinutes(1));
        assertThat(asksBudgets).hasSize(asked);
    }

    @Test
    void nobody_goes_from_a_node_that_would_not_get_the_taint() {
        int asked = askedInVain();
        Node node = cluster.node("n");
        cluster.nodes.put(new Node(cluster.relabelled(node, Map.of()).metadata(), "", List.of(
                Taint.of("dedicated", "others", "NoExecute"))));
        pass(Duration.ofMinutes(1));
        assertThat(asksBudgets).hasSize(asked);
    }

    @Test
    void pods_of_daemonsets_end_with_the_taint_when_the_others_are_gone_and_the_node_has_its_turn() {
        pods(1);
        cluster.node("m", Map.of("pool", "g"));
        List.of("n", "m").forEach(node -> cluster.podOfDaemon("cherry", "logs", node, "other", "taint"));
        declare(2, Map.of("eviction", "Respect"));
        cluster.reconcileNode("m");
        assertThat(progress().why().reason()).as("they are to be confirmed").isEqualTo("NotConfirmed");
        assertThat(cluster.taints("m")).containsExactly("dedicated=g:NoSchedule");
        declare(3, Map.of("eviction", "Respect"));
        assertThat(cluster.taints("n")).as("beside the other pod").containsExactly("dedicated=g:NoSchedule");
        show();
        pass(Duration.ofSeconds(30));
        assertThat(gone).containsExactly("p0");
        assertThat(progress().why().reason()).isEqualTo("Completed");
        List.of("n", "m").forEach(cluster::reconcileNode);
        assertThat(cluster.taints("n")).contains("dedicated=g:NoExecute");
        assertThat(cluster.taints("m")).as("before its turn").containsExactly("dedicated=g:NoSchedule");
        cluster.pass(Duration.ofSeconds(11));
        cluster.reconcileNode("m");
        assertThat(cluster.taints("m")).contains("dedicated=g:NoExecute");
        pass(Duration.ofSeconds(30));
        assertThat(gone).containsExactly("p0");
    }

    private void assertBudgetsHoldUp(Duration length) {
        int before = asksBudgets.size();
        pass(length);
        assertThat(gone).isEmpty();
        assertThat(asksBudgets.size()).isGreaterThan(before);
        assertThat(asksBudgets).containsOnly(true);
    }

    @Test
    void the_deadline_begins_when_budgets_first_hold_up_this_very_pod_in_this_process_for_this_spec() {
        shown = Optional.of(time.instant().minus(Duration.ofDays(1)));
        pods(1);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect", "deadlineSeconds", 60));
        show();
        assertBudgetsHoldUp(Duration.ofSeconds(59));
        declare(2, Map.of("eviction", "Respect", "deadlineSeconds", 30));
        show();
        assertBudgetsHoldUp(Duration.ofSeconds(29));
        cluster.evictions.restart();
        assertBudgetsHoldUp(Duration.ofSeconds(29));
        pass(Duration.ofSeconds(32));
        assertThat(gone).containsExactly("p0");
        cluster.pod("cherry", "late", "n");
        progress();
        pass(Duration.ofSeconds(29));
        assertThat(gone).containsExactly("p0");
        pass(Duration.ofSeconds(3));
        assertThat(gone).containsExactly("p0", "late");
    }

    @Test
    void a_pod_that_comes_later_and_tolerates_the_taint_for_a_while_stays_so_long() {
        pods(1);
        declare(2, Map.of("eviction", "Respect"));
        disruptionsAllowed = 0;
        show();
        pass(Duration.ofMinutes(5));
        disruptionsAllowed = 9;
        put("late", "uid-late", List.of(Map.of("key", "dedicated", "operator", "Exists", "tolerationSeconds", 30)));
        progress();
        pass(Duration.ofSeconds(29));
        assertThat(gone).doesNotContain("late");
        pass(Duration.ofSeconds(2));
        assertThat(gone).contains("late");
    }

    private void put(String name, String uid, List<Map<String, Object>> tolerations) {
        cluster.pods.put(CandidatePod.of(new Metadata(new ObjectKey("cherry", name), uid, Integer.toString(++version),
                Map.of(), Map.of(), List.of(), false),
                Tree.of(Map.of("nodeName", "n", "tolerations", tolerations)), Tree.of(Map.of("phase", "Running"))));
    }

    @Test
    void another_pod_of_the_name_of_one_that_was_counted_stays() {
        int asked = askedInVain();
        cluster.pods.all().forEach(cluster.pods::remove);
        put("p0", "uid-other", List.of());
        pass(Duration.ofMinutes(1));
        assertThat(asksBudgets).hasSize(asked);
        progress();
        pass(Duration.ofSeconds(1));
        assertThat(gone).containsExactly("p0");
    }

    @Test
    void a_pod_that_tolerates_the_taint_for_a_while_goes_after_it() {
        pods(0);
        put("p", "uid-p", List.of(Map.of("key", "dedicated", "operator", "Exists", "tolerationSeconds", 30)));
        declare(1, Map.of("eviction", "Respect"));
        pass(Duration.ofSeconds(20));
        show();
        pass(Duration.ofSeconds(29));
        assertThat(asksBudgets).isEmpty();
        pass(Duration.ofSeconds(2));
        assertThat(gone).containsExactly("p");
    }

    @Test
    void a_pod_that_the_server_refuses_to_evict_is_tried_again_and_the_status_says_why() {
        pods(1);
        refusal = Optional.of(ApiFailure.of(new Status(403, "Forbidden", "no right", 0), "POST p0", Optional.empty()));
        declare(1, Map.of("eviction", "Respect"));
        show();
        pass(Duration.ofSeconds(1));
        assertThat(asksBudgets).hasSize(1);
        assertThat(progress().why().message()).contains("the server does not let 1 go", "no right");
        refusal = Optional.empty();
        pass(Duration.ofMinutes(1));
        assertThat(gone).containsExactly("p0");
    }

    @Test
    void pods_go_at_the_pace_of_all_together_and_none_at_once_after_a_start() {
        pods(30);
        declare(30, Map.of("eviction", "Respect"));
        show();
        drain();
        assertThat(gone).hasSizeLessThanOrEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(gone).hasSizeBetween(18, 22);
        cluster.evictions.restart();
        drain();
        assertThat(gone).hasSizeLessThanOrEqualTo(23);
        pass(Duration.ofSeconds(2));
        assertThat(gone).hasSize(30);
    }

    @Test
    void a_pod_that_a_budget_holds_up_gives_its_token_to_the_next_and_is_tried_again() {
        pods(1);
        disruptionsAllowed = 0;
        declare(3, Map.of("eviction", "Respect"));
        show();
        while (asksBudgets.isEmpty()) {
            pass(Duration.ofMillis(50));
        }
        disruptionsAllowed = 1;
        cluster.pod("cherry", "p1", "n");
        cluster.pod("cherry", "p2", "n");
        progress();
        drain();
        assertThat(gone).as("at once").hasSize(1);
        pass(Duration.ofSeconds(1));
        assertThat(gone).hasSize(1);
        assertThat(asksBudgets).hasSize(3);
        assertThat(progress().why().message()).contains("2 pods to be evicted; 1 pod evicted since the controller"
                + " started; PodDisruptionBudgets hold up 2, which is tried again; of Pod cherry/p");
        disruptionsAllowed = 2;
        pass(Duration.ofSeconds(8));
        assertThat(gone).hasSize(3);
    }

    @Test
    void from_the_deadline_on_pods_are_deleted() {
        pods(2);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect", "deadlineSeconds", 60));
        pass(Duration.ofMinutes(2));
        show();
        pass(Duration.ofSeconds(59));
        assertThat(gone).isEmpty();
        assertThat(asksBudgets).isNotEmpty().containsOnly(true);
        pass(Duration.ofSeconds(2));
        assertThat(gone).hasSize(2);
        assertThat(asksBudgets.subList(asksBudgets.size() - 2, asksBudgets.size())).containsOnly(false);
    }

    /** Begins a pause of all writes. Returns what ends it. */
    private Runnable pause() {
        List<Runnable> held = new ArrayList<>();
        refusal = Optional.of(ApiFailure.paused("POST p0", "writes are paused", held::add));
        return () -> {
            refusal = Optional.empty();
            held.forEach(Runnable::run);
        };
    }

    private List<Boolean> asksBudgetsAfterAPause() {
        Runnable end = pause();
        pass(Duration.ofMinutes(10));
        asksBudgets.clear();
        end.run();
        pass(Duration.ofSeconds(1));
        return asksBudgets;
    }

    @Test
    void after_a_pause_in_which_the_deadline_passed_budgets_are_asked_once_more() {
        pods(1);
        disruptionsAllowed = 0;
        declare(1, Map.of("eviction", "Respect", "deadlineSeconds", 300));
        show();
        pass(Duration.ofSeconds(1));
        disruptionsAllowed = 1;
        assertThat(asksBudgetsAfterAPause()).containsExactly(true);
        assertThat(gone).containsExactly("p0");
    }

    @Test
    void pods_that_are_held_up_again_after_a_pause_in_which_the_deadline_passed_are_deleted_at_once() {
        pods(2);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect", "deadlineSeconds", 300));
        show();
        pass(Duration.ofSeconds(1));
        assertThat(asksBudgetsAfterAPause()).containsExactlyInAnyOrder(true, true, false, false);
        assertThat(gone).containsExactlyInAnyOrder("p0", "p1");
    }

    @Test
    void a_pod_that_comes_later_goes_when_it_has_been_counted_and_one_that_tolerates_the_taint_stays() {
        pods(1);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect"));
        show();
        cluster.pod("cherry", "late", "n");
        pass(Duration.ofSeconds(1));
        assertThat(asksBudgets).as("of the one that was counted").hasSize(1);
        disruptionsAllowed = 2;
        progress();
        pass(Duration.ofSeconds(1));
        assertThat(gone).containsExactly("late");
        cluster.tolerating("cherry", "p0", "", "", "n");
        pass(Duration.ofMinutes(1));
        assertThat(gone).containsExactly("late");
    }

    @Test
    void an_edit_stops_it_at_once() {
        pods(2);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect"));
        show();
        pass(Duration.ofSeconds(1));
        int asked = asksBudgets.size();
        disruptionsAllowed = 2;
        DedicatedNodesSpec other = cluster.groups.get(GROUP).orElseThrow().spec().spec();
        put(new DedicatedNodes(DedicatedNodesSpec.of(Tree.of(Map.of())), Optional.of(other)), ++version);
        pass(Duration.ofMinutes(1));
        assertThat(asksBudgets).hasSize(asked);
    }

    private int askedInVain() {
        pods(2);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect"));
        show();
        pass(Duration.ofSeconds(1));
        assertThat(asksBudgets).hasSize(2);
        disruptionsAllowed = 2;
        return asksBudgets.size();
    }

    @Test
    void a_group_that_is_deleted_evicts_nobody_any_more() {
        int asked = askedInVain();
        cluster.delete("g");
        pass(Duration.ofMinutes(1));
        assertThat(asksBudgets).hasSize(asked);
    }

    @Test
    void a_group_that_deletes_again_leaves_the_rest_to_its_taint() {
        int asked = askedInVain();
        declare(2, Map.of());
        pass(Duration.ofMinutes(1));
        assertThat(asksBudgets).hasSize(asked);
        assertThat(cluster.taints("n")).contains("dedicated=g:NoExecute");
    }

    @Test
    void another_group_that_deletes_brings_the_same_taint_and_then_budgets_are_asked_no_more() {
        int asked = askedInVain();
        Map<String, Object> other = new HashMap<>(DedicatedFixture.with(DedicatedFixture.pool("g"), 2));
        other.put("taint", Map.of("key", "dedicated", "value", "g", "effects", List.of("NoSchedule", "NoExecute")));
        cluster.declare("h", other, "Enforce");
        cluster.reconcileGroup("h");
        cluster.reconcileGroup("h");
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).contains("dedicated=g:NoExecute");
        pass(Duration.ofMinutes(1));
        assertThat(asksBudgets).hasSize(asked);
    }

    @Test
    void a_pod_whose_reply_is_lost_is_counted_once() {
        pods(3);
        losesReply = true;
        declare(3, Map.of("eviction", "Respect"));
        show();
        pass(Duration.ofSeconds(30));
        assertThat(gone).hasSize(3);
        assertThat(asksBudgets).hasSize(3);
        assertThat(cluster.registry.get("nodeward.dedicated.evictions").counter().count()).isEqualTo(3);
    }

    /** A server that takes all Events and each status. */
    private final class Accepting implements Transport {
        @Override
        public Response exchange(Request call) {
            if (refusesStatus && call.path().contains("/status?")) {
                return new Response(409, Optional.empty(), new ByteArrayInputStream(
                        "{\"kind\":\"Status\",\"reason\":\"Conflict\",\"code\":409}".getBytes()));
            }
            return new Response(200, Optional.empty(), new ByteArrayInputStream(
                    "{\"metadata\":{\"name\":\"g\",\"resourceVersion\":\"%d\"}}".formatted(++version).getBytes()));
        }

        @Override
        public void close() {}
    }
}
