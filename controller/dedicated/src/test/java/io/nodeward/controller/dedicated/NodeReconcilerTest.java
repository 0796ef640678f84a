package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.status.Blocked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class NodeReconcilerTest {
    private final DedicatedFixture cluster = new DedicatedFixture(6);

    @Test
    void a_node_of_a_group_that_is_gone_is_rid_of_all_of_it_in_one_change() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.declare("g", DedicatedFixture.pool("g"), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("n");
        assertThat(cluster.node("n").metadata().labels()).containsEntry("node-restriction.kubernetes.io/dedicated",
                "g");
        assertThat(cluster.registry.get("nodeward.dedicated.managed.nodes").gauge().value()).isOne();
        cluster.groups.remove(cluster.groups.get(ObjectKey.clusterScoped("g")).orElseThrow());
        assertThat(cluster.reconcileNode("n").change().isEmpty()).isFalse();
        assertThat(cluster.taints("n")).isEmpty();
        assertThat(cluster.node("n").metadata().labels()).containsOnlyKeys("pool");
        assertThat(cluster.node("n").metadata().annotations()).isEmpty();
        assertThat(cluster.reconcileNode("n").change().isEmpty()).isTrue();
        assertThat(cluster.registry.get("nodeward.dedicated.managed.nodes").gauge().value()).isZero();
    }

    @Test
    void a_node_whose_annotations_prove_nothing_any_more_counts_as_managed_while_it_has_something() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.declare("g", DedicatedFixture.pool("g"), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("n");
        Node node = cluster.node("n");
        cluster.nodes.put(new Node(new Metadata(node.key(), node.metadata().uid(), "1000", node.metadata().labels(),
                Map.of(DedicatedAnnotations.LABELS, "x"), List.of(), false), "", node.taints()));
        cluster.groups.remove(cluster.groups.get(ObjectKey.clusterScoped("g")).orElseThrow());
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(Outcomes.class);
        Level before = logger.getLevel();
        log.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
        try {
            cluster.reconcileNode("n");
            assertThat(cluster.node("n").metadata().annotations()).isEmpty();
            assertThat(cluster.taints("n")).containsExactly("dedicated=g:NoSchedule");
            assertThat(cluster.registry.get("nodeward.dedicated.managed.nodes").gauge().value()).isOne();
            assertThat(cluster.reconcileNode("n").change().isEmpty()).isTrue();
        } finally {
            logger.detachAppender(log);
            logger.setLevel(before);
        }
        assertThat(log.list).as("once, however often it is looked at").singleElement()
                .satisfies(event -> assertThat(event.getLevel()).isEqualTo(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage, InstanceOfAssertFactories.STRING)
                .contains("Node n", "dedicated=g:NoSchedule", DedicatedAnnotations.DIGEST);
    }

    @Test
    void nothing_evicts_before_so_many_evictions_are_confirmed_as_there_would_be() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.pod("cherry", "one", "n");
        cluster.pod("cherry", "two", "n");
        cluster.confirm("g", 1);
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).containsExactly("dedicated=g:NoSchedule");
        cluster.confirm("g", 2);
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).containsExactlyInAnyOrder("dedicated=g:NoSchedule", "dedicated=g:NoExecute");
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
        // One more pod is bound past the scheduler: what is there stays.
        cluster.pod("cherry", "three", "n");
        cluster.reconcileGroup("g");
        assertThat(cluster.reconcileNode("n").change().isEmpty()).isTrue();
    }

    @Test
    void a_node_of_a_group_that_respects_budgets_gets_no_execute_when_nobody_is_left_whom_it_would_evict() {
        cluster.nodeWithPod("full");
        cluster.node("empty", Map.of("pool", "g"));
        Map<String, Object> spec = new HashMap<>(DedicatedFixture.pool("g"));
        spec.put("eviction", "Respect");
        cluster.declare("g", spec, "Enforce", "NoSchedule", "NoExecute");
        cluster.reconcileGroup("g");
        List.of("full", "empty").forEach(cluster::reconcileNode);
        assertThat(cluster.taints("empty")).contains("dedicated=g:NoExecute");
        cluster.pass(Duration.ofHours(1));
        assertThat(cluster.reconcileNode("full").recheck()).as("it waits for no turn").isEmpty();
        assertThat(cluster.taints("full")).containsExactly("dedicated=g:NoSchedule");
        Decision waiting = cluster.reconcileGroup("g");
        assertThat(GroupReconcilerTest.blocked(waiting)).contains(new Blocked("NodesPending", "not all Nodes have the"
                + " taint yet; spec.eviction is Respect, so Nodes get NoExecute when the pods are gone that it would evict"));
        assertThat(((Decision.Blocked) waiting).event()).isFalse();
        assertThat(GroupReconcilerTest.shown(waiting).conditions()).as("the gate is off")
                .containsKey("FieldsNotInEffect")
                .doesNotContainKey("EvictionInProgress")
                .as("no confirmation, which an edit to Delete would use").doesNotContainKey("NoExecuteConfirmed");
        cluster.pods.remove(cluster.pods.get(new ObjectKey("cherry", "of-full")).orElseThrow());
        cluster.reconcileNode("full");
        assertThat(cluster.taints("full")).contains("dedicated=g:NoExecute");
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_node_that_has_no_execute_keeps_it_when_its_group_begins_to_respect_budgets() {
        cluster.nodeWithPod("n");
        cluster.confirm("g", 1);
        cluster.reconcileNode("n");
        Map<String, Object> spec = new HashMap<>(DedicatedFixture.with(DedicatedFixture.pool("g"), 1));
        spec.put("eviction", "Respect");
        cluster.declare("g", spec, "Enforce", "NoSchedule", "NoExecute");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).contains("dedicated=g:NoExecute");
    }

    @Test
    void a_group_that_evicts_nobody_asks_for_no_confirmation() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.declare("g", DedicatedFixture.pool("g"), "Enforce", "NoSchedule", "NoExecute");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).contains("dedicated=g:NoExecute");
        Decision ready = cluster.reconcileGroup("g");
        assertThat(ready).isInstanceOf(Decision.InEffect.class);
        assertThat(GroupReconcilerTest.shown(ready).conditions().get("NoExecuteConfirmed").status())
                .isEqualTo(Condition.TRUE);
    }

    @Test
    void a_confirmation_that_is_taken_back_afterwards_is_not_missed_by_nodes_on_which_nobody_is_evicted() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.pod("cherry", "one", "n");
        cluster.confirm("g", 1);
        cluster.reconcileNode("n");
        cluster.declare("g", DedicatedFixture.pool("g"), "Enforce", "NoSchedule", "NoExecute");
        cluster.reconcileGroup("g");
        for (String late : List.of("late-1", "late-2")) {
            cluster.node(late, Map.of("pool", "g"));
            cluster.pass(Duration.ofSeconds(10));
            cluster.reconcileNode(late);
            assertThat(cluster.taints(late)).contains("dedicated=g:NoExecute");
        }
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
        assertThat(cluster.taints("n")).contains("dedicated=g:NoExecute");
        cluster.node("full", Map.of("pool", "g"));
        cluster.pod("cherry", "two", "full");
        cluster.pass(Duration.ofSeconds(10));
        cluster.reconcileNode("full");
        assertThat(cluster.taints("full")).containsExactly("dedicated=g:NoSchedule");
    }

    @Test
    void a_member_without_the_toleration_is_evicted_as_well_and_so_counted() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.pod("banana", "member", "n");
        cluster.confirm("g", 0);
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).containsExactly("dedicated=g:NoSchedule");
        cluster.confirm("g", 1);
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).contains("dedicated=g:NoExecute");
    }

    @Test
    void a_node_that_joins_a_confirmed_group_with_more_pods_than_confirmed_evicts_none() {
        letNodeJoinWithPod();
        assertThat(cluster.taints("late")).containsExactly("dedicated=g:NoSchedule");
        cluster.confirm("g", 1);
        cluster.pass(Duration.ofSeconds(10));
        cluster.reconcileNode("late");
        assertThat(cluster.taints("late")).contains("dedicated=g:NoExecute");
    }

    @Test
    void a_node_that_was_let_wait_hears_of_it_when_its_group_never_counted_too_many() {
        letNodeJoinWithPod();
        List<String> told = new ArrayList<>();
        cluster.exchange.confirmed().whenMarked(group -> told.add(group.name()));
        cluster.pods.remove(cluster.pods.get(new ObjectKey("cherry", "one")).orElseThrow());
        cluster.reconcileGroup("g");
        assertThat(told).containsExactly("g");
    }

    @Test
    void an_edit_of_what_was_confirmed_is_not_confirmed_before_it_is_counted() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.node("m", Map.of("pool", "g"));
        cluster.pod("cherry", "one", "n");
        cluster.declare("g", DedicatedFixture.with(DedicatedFixture.pool("g"), 0), "Enforce", "NoSchedule",
                "NoExecute");
        cluster.reconcileGroup("g");
        Map<String, Object> empty = Map.of("who", Map.of("namespaces", List.of("banana")),
                "nodes", Map.of("names", List.of("m")));
        cluster.declare("g", DedicatedFixture.with(empty, 0), "Enforce", "NoSchedule", "NoExecute");
        cluster.ofGroups.reconcile(ObjectKey.clusterScoped("g")); // counted, and its status is not written yet
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).containsExactly("dedicated=g:NoSchedule");
    }

    @Test
    void what_is_in_force_is_not_confirmed_by_an_edit_that_is_not() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.node("m", Map.of("pool", "h"));
        cluster.pod("cherry", "one", "n");
        cluster.declare("h", DedicatedFixture.pool("h"), "Enforce", "NoSchedule");
        cluster.reconcileGroup("h");
        cluster.confirm("g", 0);
        cluster.declare("g", DedicatedFixture.with(DedicatedFixture.pool("h"), 0), "Enforce", "NoSchedule",
                "NoExecute");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).containsExactly("dedicated=g:NoSchedule");
    }

    @Test
    void five_thousand_nodes_and_two_hundred_groups_are_one_change_of_each_node() {
        for (int node = 0; node < 5_000; node++) {
            cluster.node("n" + node, Map.of("pool", "g" + node % 200));
        }
        for (int group = 0; group < 200; group++) {
            cluster.declare("g" + group, DedicatedFixture.pool("g" + group), "Enforce", "NoSchedule");
        }
        for (int group = 0; group < 200; group++) {
            cluster.reconcileGroup("g" + group);
        }
        assertThat(changed()).isEqualTo(5_000);
        assertThat(changed()).isZero();
        assertThat(cluster.taints("n1234")).containsExactly("dedicated=g34:NoSchedule");
    }

    @Test
    void a_node_whose_last_pod_that_would_be_evicted_goes_is_looked_at_again() {
        DedicatedWatches watches = new DedicatedWatches(cluster.scope);
        List.of("n1", "n2").forEach(cluster::nodeWithPod);
        cluster.confirm("g", 0);
        cluster.reconcileNode("n1");
        CandidatePod pod = cluster.pods.get(new ObjectKey("cherry", "of-n1")).orElseThrow();
        assertThat(watches.mapPodToNode(null, pod)).isEmpty();
        assertThat(watches.mapPodToNode(pod, pod)).isEmpty();
        cluster.pods.remove(pod);
        assertThat(watches.mapPodToNode(pod, null)).containsExactly(ObjectKey.clusterScoped("n1"));
        cluster.reconcileNode("n1");
        assertThat(cluster.taints("n1")).contains("dedicated=g:NoExecute");
        assertThat(watches.mapPodToNode(pod, null)).as("it has all").isEmpty();
    }

    @Test
    void a_pod_of_a_daemonset_is_evicted_by_its_template_whatever_it_tolerates_itself() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.daemon("logging", "logs", Map.of());
        cluster.podOfDaemon("logging", "logs", "n", "dedicated", "g");
        List<ObjectKey> again = new ArrayList<>();
        DedicatedWatches watches = new DedicatedWatches(cluster.scope);
        cluster.daemons.subscribe((before, after) -> again.addAll(watches.mapDaemonToNodes(before, after)));
        cluster.confirm("g", 0);
        assertThat(cluster.reconcileGroup("g")).isInstanceOfSatisfying(Decision.Blocked.class,
                blocked -> assertThat(blocked.by().reason()).isEqualTo("NoExecuteNotConfirmed"));
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).containsExactly("dedicated=g:NoSchedule");
        cluster.daemon("logging", "logs",
                Map.of("tolerations", List.of(Map.of("key", "dedicated", "value", "g"))));
        assertThat(again).extracting(ObjectKey::name).containsExactly("n");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).contains("dedicated=g:NoExecute");
    }

    /** To a group that may evict nobody, which has not counted it yet. */
    private void letNodeJoinWithPod() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.confirm("g", 0);
        cluster.reconcileNode("n");
        cluster.node("late", Map.of("pool", "g"));
        cluster.pod("cherry", "one", "late");
        cluster.pass(Duration.ofSeconds(10));
        cluster.reconcileNode("late");
    }

    private long changed() {
        return cluster.allNodes().stream().filter(name -> !cluster.reconcileNode(name).change().isEmpty()).count();
    }
}
