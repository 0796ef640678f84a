package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.StatusDetails;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whom a group that respects budgets evicts. The group is g, and its Node n. */
class PodEvictionTest extends EvictionFixture {
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
}
