package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupReconcilerTest {
    private static final Map<String, Object> POOL = Map.of(
            "nodes", Map.of("selector", Map.of("matchLabels", Map.of("pool", "a"))),
            "who", Map.of("namespaces", List.of("banana")));

    private final DedicatedFixture cluster = new DedicatedFixture(60);

    @BeforeEach
    void nodes() {
        cluster.node("a1", Map.of("pool", "a"));
        cluster.node("a2", Map.of("pool", "a"));
        cluster.node("b", Map.of("pool", "b"));
        cluster.pod("banana", "member", "a1");
        cluster.pod("cherry", "stranger", "a2");
    }

    @Test
    void audit_counts_and_establishes_nothing() {
        cluster.declare("g", POOL, "Audit", "NoSchedule");
        StatusDetails shown = shown(cluster.reconcileGroup("g"));
        assertThat(shown.fields().get("nodes").integer()).hasValue(2);
        assertThat(shown.fields().get("taintedNodes").integer()).hasValue(0);
        assertThat(shown.fields().get("preview").at("cutOff").at("count").integer()).hasValue(2);
        assertThat(shown.fields()).doesNotContainKey("applied");
        assertThat(shown.conditions().get("Conflict").status()).isEqualTo(Condition.FALSE);
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
        assertThat(cluster.reconcileNode("a1").change().isEmpty()).isTrue();
    }

    @Test
    void a_group_is_recorded_as_established_before_any_node_changes_and_is_ready_when_all_have() {
        cluster.declare("g", POOL, "Enforce", "NoSchedule");
        assertThat(cluster.reconcileNode("a1").change().isEmpty()).as("nothing is established yet").isTrue();
        Decision first = cluster.reconcileGroup("g");
        assertThat(blocked(first)).hasValueSatisfying(by -> assertThat(by.reason()).isEqualTo("NodesPending"));
        assertThat(shown(first).fields().get("applied").at("taint").at("value").string()).isEqualTo("g");
        cluster.reconcileNode("a1");
        cluster.reconcileNode("a2");
        assertThat(cluster.taints("a1")).containsExactly("dedicated=g:NoSchedule");
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
        assertThat(cluster.reconcileNode("a1").change().isEmpty()).isTrue();
    }

    @Test
    void what_is_established_stays_when_an_edit_contradicts_another_group() {
        establishTwoGroups();
        cluster.declare("h", POOL, "Enforce", "NoSchedule");
        Decision refused = cluster.reconcileGroup("h");
        assertThat(blocked(refused)).hasValueSatisfying(by -> assertThat(by.reason()).isEqualTo("TaintValue"));
        assertThat(shown(refused).fields().get("applied").at("nodes").at("names").elements()).hasSize(1);
        assertThat(shown(refused).conditions().get("Conflict").status()).isEqualTo(Condition.TRUE);
        cluster.reconcileNode("a1");
        cluster.reconcileNode("b");
        assertThat(cluster.taints("a1")).containsExactly("dedicated=g:NoSchedule");
        assertThat(cluster.taints("b")).containsExactly("dedicated=h:NoSchedule");
    }

    /** One of the Nodes a1 and a2, and one of b. */
    private void establishTwoGroups() {
        cluster.declare("g", POOL, "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.declare("h", Map.of("nodes", Map.of("names", List.of("b")), "who", POOL.get("who")), "Enforce",
                "NoSchedule");
        cluster.reconcileGroup("h");
    }

    @Test
    void what_keeps_a_node_from_its_taint_is_told_by_its_group_alone() {
        establishTwoGroups();
        ObjectKey node = ObjectKey.clusterScoped("a1");
        cluster.exchange.nodes().report(node, cluster.reconcileNode("b").owner(),
                new Outcome.NotWritten(new Blocked("NodeRejected", "no"), true));
        assertThat(blocked(cluster.reconcileGroup("g"))).contains(new Blocked("NodeRejected", "no"));
        assertThat(cluster.reconcileGroup("h")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_group_whose_nodes_all_have_the_taint_is_not_ready_while_one_has_a_label_of_somebody_else() {
        cluster.node("a1", Map.of("pool", "a", "node-restriction.kubernetes.io/dedicated", "theirs"));
        cluster.declare("g", POOL, "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("a1");
        cluster.reconcileNode("a2");
        Decision decision = cluster.reconcileGroup("g");
        assertThat(shown(decision).fields().get("taintedNodes").integer()).hasValue(2);
        assertThat(blocked(decision)).contains(new Blocked("TaintConflict", "Node a1: it has the label"
                + " node-restriction.kubernetes.io/dedicated=theirs, which something else manages"));
    }

    @Test
    void of_two_groups_of_a_node_only_the_one_that_lacks_its_taint_says_so_and_names_the_node() {
        cluster.nodes.put(new Node(cluster.node("a1").metadata().withResourceVersion("1000"), "",
                List.of(Taint.of("dedicated", "theirs", "NoSchedule"))));
        cluster.declare("g", POOL, "Enforce", "NoSchedule");
        Map<String, Object> other = new HashMap<>(POOL);
        other.put("taint", Map.of("key", "example.com/other", "value", "x", "effects", List.of("NoSchedule")));
        cluster.declare("h", other, "Enforce");
        List.of("g", "h").forEach(cluster::reconcileGroup);
        List.of("a1", "a2").forEach(cluster::reconcileNode);
        assertThat(blocked(cluster.reconcileGroup("g"))).contains(new Blocked("TaintConflict",
                "Node a1: it has the taint dedicated=theirs:NoSchedule, which something else manages"));
        assertThat(cluster.reconcileGroup("h")).isInstanceOf(Decision.InEffect.class);
        cluster.nodes.put(new Node(cluster.node("a1").metadata().withResourceVersion("2000"), "", List.of()));
        cluster.reconcileNode("a1");
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_status_never_says_a_newer_spec_than_the_one_that_it_counts() {
        cluster.declare("g", POOL, "Audit", "NoSchedule");
        cluster.reconcileGroup("g");
        List<Decision> meanwhile = new ArrayList<>();
        cluster.meanwhile = () -> meanwhile.add(cluster.ofGroups.reconcile(ObjectKey.clusterScoped("g")));
        cluster.declare("g", POOL, "Enforce", "NoSchedule");
        assertThat(meanwhile).isNotEmpty().hasOnlyElementsOfType(Decision.Waiting.class);
    }

    @Test
    void all_that_makes_a_selector_untrusted_is_one_condition() {
        cluster.declare("g", Map.of("who", POOL.get("who"), "nodes", Map.of(
                "selector", Map.of("matchLabels", Map.of("pool", "a")), "owner", Map.of("name", "md"))), "Audit",
                "NoSchedule");
        assertThat(shown(cluster.reconcileGroup("g")).conditions().get("SelectorNotTrusted").why().message())
                .contains("pool", "spec.nodes.owner");
    }

    @Test
    void a_group_that_is_ready_names_the_fields_that_nothing_acts_on_yet() {
        Map<String, Object> exclusive = new HashMap<>(POOL);
        exclusive.put("exclusive", true);
        cluster.declare("g", exclusive, "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        List.of("a1", "a2").forEach(cluster::reconcileNode);
        Decision ready = cluster.reconcileGroup("g");
        assertThat(ready).isInstanceOf(Decision.InEffect.class);
        assertThat(shown(ready).conditions().get("FieldsNotInEffect")).isEqualTo(new StatusDetails.Text(
                Condition.TRUE, new Blocked("Declared", "spec.exclusive: no pod is refused or moved")));
        cluster.declare("g", POOL, "Enforce", "NoSchedule");
        assertThat(shown(cluster.reconcileGroup("g")).conditions()).doesNotContainKey("FieldsNotInEffect");
        assertThat(GroupStatus.PARTS.conditions()).contains("FieldsNotInEffect");
    }

    @Test
    void an_edit_that_takes_all_nodes_away_leaves_them_their_taint_and_says_so_until_they_are_gone() {
        cluster.declare("g", POOL, "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.declare("g", Map.of("nodes", Map.of("names", List.of("a1-typo")), "who", POOL.get("who")), "Enforce",
                "NoSchedule");
        Decision refused = cluster.reconcileGroup("g");
        assertThat(blocked(refused)).hasValueSatisfying(by -> assertThat(by.reason()).isEqualTo("LosesAllNodes"));
        assertThat(shown(refused).conditions().get("Conflict").why().message()).contains("a1, a2");
        List.of("a1", "a2").forEach(cluster::reconcileNode);
        assertThat(cluster.taints("a1")).containsExactly("dedicated=g:NoSchedule");
        List.of("a1", "a2").forEach(node -> cluster.nodes.remove(cluster.node(node)));
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void the_gauges_of_a_group_end_with_it() {
        cluster.declare("g", POOL, "Audit", "NoSchedule");
        cluster.reconcileGroup("g");
        assertThat(cluster.registry.get("nodeward.dedicated.nodes").tags("group", "g", "state", "selected").gauge()
                .value()).isEqualTo(2);
        cluster.groups.remove(cluster.groups.get(ObjectKey.clusterScoped("g")).orElseThrow());
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.Gone.class);
        assertThat(cluster.registry.find("nodeward.dedicated.nodes").gauges()).isEmpty();
    }

    @Test
    void a_group_does_not_become_ready_before_an_api_server_reaches_the_webhook_and_audit_does_not_need_it() {
        DedicatedFixture probed = new DedicatedFixture(60, new PodFeatures(true, false));
        probed.node("a1", Map.of("pool", "a"));
        for (String enforcement : List.of("Warn", "Enforce")) {
            probed.declare("g", POOL, enforcement, "NoSchedule");
            Decision decision = probed.reconcileGroup("g");
            assertThat(blocked(decision)).as(enforcement)
                    .hasValueSatisfying(by -> assertThat(by.reason()).isEqualTo("AdmissionNotReached"));
            assertThat(((Decision.Blocked) decision).event()).as("nothing has failed yet").isFalse();
        }
        assertThat(probed.reconcileNode("a1").change().isEmpty()).as("the taint does not wait").isFalse();
        probed.declare("g", POOL, "Audit", "NoSchedule");
        assertThat(probed.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_group_that_is_ready_stays_so_until_failures_last_and_then_has_an_event() {
        DedicatedFixture probed = new DedicatedFixture(60, new PodFeatures(true, false));
        probed.declare("g", POOL, "Enforce", "NoSchedule");
        probed.unproved = Optional.empty();
        assertThat(probed.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
        probed.unproved = Optional.of(new AdmissionProbe.Unproved("nobody was asked", false));
        CustomResource<DedicatedNodes> group = probed.groups.all().iterator().next();
        probed.groups.put(new CustomResource<>(group.metadata().withResourceVersion("1000"), group.generation(),
                group.spec(), List.of(new Condition("Ready", Condition.TRUE, "InEffect", "", Instant.EPOCH, 1))));
        assertThat(probed.reconcileGroup("g")).as("after a restart").isInstanceOf(Decision.InEffect.class);
        probed.unproved = Optional.of(new AdmissionProbe.Unproved("no endpoints", true));
        Decision decision = probed.reconcileGroup("g");
        assertThat(blocked(decision)).hasValueSatisfying(by -> {
            assertThat(by.reason()).isEqualTo("AdmissionNotReached");
            assertThat(by.message()).contains("no endpoints");
        });
        assertThat(((Decision.Blocked) decision).event()).isTrue();
        assertThat(new DedicatedWatches(probed.scope).mapProbe()).containsExactly(ObjectKey.clusterScoped("g"));
    }

    static StatusDetails shown(Decision decision) {
        return switch (decision) {
            case Decision.Blocked blocked -> blocked.owner().details().orElseThrow();
            case Decision.InEffect inEffect -> inEffect.owner().details().orElseThrow();
            default -> throw new AssertionError(decision);
        };
    }

    static Optional<Blocked> blocked(Decision decision) {
        return decision instanceof Decision.Blocked blocked ? Optional.of(blocked.by()) : Optional.empty();
    }
}
