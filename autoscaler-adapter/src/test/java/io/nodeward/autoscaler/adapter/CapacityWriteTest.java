package io.nodeward.autoscaler.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.autoscaler.adapter.CapacityWrite.FieldConflict;
import io.nodeward.core.rules.capacity.CapacityPolicy;
import io.nodeward.core.runtime.cluster.PoolInfrastructure.Makes;
import io.nodeward.core.runtime.status.Blocked;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CapacityWriteTest {
    private static final String OURS = "nodeward-autoscaler";
    private static final String TAINTS = CapacityAnnotations.TAINTS;
    private static final String TRACKING = CapacityAnnotations.TAINTS_TRACKING;
    private static final String LABELS = CapacityAnnotations.LABELS;
    private static final String LABELS_TRACKING = CapacityAnnotations.LABELS_TRACKING;
    private static final MachineTaint A = new MachineTaint("a", "1", "NoSchedule", MachineTaint.ALWAYS);

    private final AdapterConfig config = new AdapterConfig();
    private final Map<String, Set<String>> appliers = new TreeMap<>();
    private final Map<String, String> annotations = new TreeMap<>(Map.of(
            "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size", "0",
            "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size", "3"));
    private Map<String, String> labels = Map.of();

    @Test
    void what_is_due_is_applied_together() {
        config.labels = true;
        labels = Map.of("node-role.kubernetes.io/w", "");
        CapacityWrite write = write(A);

        assertThat(removes(write)).isFalse();
        assertThat(write.applied()).isEqualTo(Map.of(
                TAINTS, "a=1:NoSchedule", TRACKING, "a=1:NoSchedule",
                LABELS, "node-role.kubernetes.io/w=", LABELS_TRACKING, "node-role.kubernetes.io/w="));
        assertThat(write.changes().keySet()).isEqualTo(write.applied().keySet());
    }

    @Test
    void what_is_as_it_should_be_is_no_write() {
        annotations.put(TAINTS, "a=1:NoSchedule");

        assertThat(write(A).changes()).isEmpty();
        assertThat(write(A).conflicts()).isEmpty();
    }

    @Test
    void what_this_controller_applied_before_is_applied_again_beside_what_is_new() {
        annotations.putAll(Map.of(TAINTS, "a=1:NoSchedule", TRACKING, "a=1:NoSchedule"));
        appliers.putAll(Map.of(TAINTS, Set.of(OURS), TRACKING, Set.of(OURS)));
        config.labels = true;
        labels = Map.of("node-role.kubernetes.io/w", "");

        assertThat(write(A).changes()).containsOnlyKeys(LABELS, LABELS_TRACKING);
        assertThat(write(A).applied()).containsOnlyKeys(TAINTS, TRACKING, LABELS, LABELS_TRACKING);
    }

    @Test
    void what_users_wrote_and_this_controller_never_applied_is_not_applied_by_it() {
        annotations.put(TAINTS, "a=1:NoSchedule");
        config.labels = true;
        labels = Map.of("node-role.kubernetes.io/w", "");

        assertThat(write(A).applied()).containsOnlyKeys(LABELS, LABELS_TRACKING);
    }

    @Test
    void what_goes_is_removed_whoever_manages_it() {
        annotations.putAll(Map.of(TAINTS, "a=1:NoSchedule", TRACKING, "a=1:NoSchedule"));
        CapacityWrite write = write();

        assertThat(removes(write)).isTrue();
        assertThat(write.changes()).isEqualTo(Map.of(TAINTS, Optional.empty(), TRACKING, Optional.empty()));
    }

    @Test
    void a_text_that_users_share_stays_when_ours_goes_from_it() {
        annotations.putAll(Map.of(TAINTS, "a=1:NoSchedule,u:NoExecute", TRACKING, "a=1:NoSchedule"));

        assertThat(write().changes())
                .isEqualTo(Map.of(TAINTS, Optional.of("u:NoExecute"), TRACKING, Optional.empty()));
    }

    @Test
    void what_another_applies_is_left_to_it_and_the_text_is_said() {
        annotations.put(TAINTS, "u:NoExecute");
        appliers.put(TAINTS, Set.of("capi-topology"));
        CapacityWrite write = write(A);

        assertThat(write.changes()).isEmpty();
        assertThat(write.conflicts()).containsExactly(new FieldConflict(new Blocked("CapacityAppliedByOther",
                "annotation " + TAINTS + " is applied by capi-topology and left to them; set it there to:"
                        + " a=1:NoSchedule,u:NoExecute"),
                ""));
    }

    @Test
    void of_two_annotations_that_another_applies_both_are_named() {
        config.labels = true;
        labels = Map.of("node-role.kubernetes.io/w", "");
        annotations.putAll(Map.of(TAINTS, "u:NoExecute", LABELS, "x=1"));
        appliers.putAll(Map.of(TAINTS, Set.of("flux"), LABELS, Set.of("flux")));

        assertThat(write(A).conflicts()).extracting(conflict -> conflict.blocked().reason())
                .containsExactly("CapacityAppliedByOther", "CapacityLabelsAppliedByOther");
        assertThat(write(A).conflicts().get(1).blocked().message()).endsWith("to: node-role.kubernetes.io/w=,x=1");
    }

    @Test
    void a_text_that_does_not_fit_is_said_whole_or_not_at_all() {
        annotations.put(TAINTS, "u:NoExecute");
        appliers.put(TAINTS, Set.of("flux"));
        MachineTaint[] many = IntStream.range(100, 130)
                .mapToObj(i -> new MachineTaint("example.com/" + "k".repeat(30) + i, "", "NoSchedule", "Always"))
                .toArray(MachineTaint[]::new);

        assertThat(write(many).conflicts()).singleElement().satisfies(conflict -> {
            assertThat(conflict.blocked().message()).contains(TAINTS, "flux", "log").doesNotContain("kkk");
            assertThat(conflict.longText()).startsWith("example.com/kkk").endsWith("129:NoSchedule,u:NoExecute");
        });
        annotations.put(TAINTS, "\u007f");
        assertThat(write(A).conflicts().get(0).longText()).isEqualTo("a=1:NoSchedule,\u007f");
    }

    @Test
    void of_what_another_applies_nothing_is_remembered_as_ours_when_there_is_no_group_any_more() {
        annotations.putAll(Map.of(TAINTS, "a=1:NoSchedule", TRACKING, "a=1:NoSchedule"));
        appliers.putAll(Map.of(TAINTS, Set.of("flux"), TRACKING, Set.of(OURS)));
        assertThat(write().changes()).as("declared no more: the text is still to be changed by the other").isEmpty();
        assertThat(write().conflicts()).hasSize(1);

        annotations.remove("cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size");
        assertThat(write().changes()).isEqualTo(Map.of(TRACKING, Optional.empty()));
    }

    @Test
    void nor_when_the_other_has_taken_it_away() {
        annotations.putAll(Map.of(TAINTS, "u:NoExecute", TRACKING, "a=1:NoSchedule"));
        appliers.putAll(Map.of(TAINTS, Set.of("flux"), TRACKING, Set.of(OURS)));

        assertThat(write().changes()).isEqualTo(Map.of(TRACKING, Optional.empty()));
        assertThat(write().conflicts()).isEmpty();
    }

    @Test
    void what_a_pool_advertised_goes_when_it_reaches_nodes_no_more() {
        annotations.putAll(Map.of(TAINTS, "a=1:NoSchedule,u:NoExecute", TRACKING, "a=1:NoSchedule"));

        assertThat(pool(false, false, Makes.NONE, A).changes())
                .isEqualTo(Map.of(TAINTS, Optional.of("u:NoExecute"), TRACKING, Optional.empty()));
    }

    @Test
    void what_another_applies_as_it_should_be_is_no_matter() {
        annotations.put(TAINTS, "a=1:NoSchedule");
        appliers.put(TAINTS, Set.of("capi-topology", OURS));

        assertThat(write(A).conflicts()).isEmpty();
        assertThat(write(A).changes()).isEmpty();
    }

    @Test
    void what_another_applies_does_not_hold_up_the_rest_nor_is_it_forgotten() {
        annotations.putAll(Map.of(TAINTS, "u:NoExecute", TRACKING, "a=1:NoSchedule"));
        appliers.putAll(Map.of(TAINTS, Set.of("capi-topology"), TRACKING, Set.of(OURS)));
        config.labels = true;
        labels = Map.of("node-role.kubernetes.io/w", "");
        CapacityWrite write = write(A);

        assertThat(write.changes()).containsOnlyKeys(LABELS, LABELS_TRACKING);
        assertThat(write.applied()).containsOnlyKeys(TRACKING, LABELS, LABELS_TRACKING);
        assertThat(write.conflicts()).hasSize(1);
    }

    @Test
    void what_is_no_node_group_keeps_nothing_of_ours() {
        annotations.putAll(Map.of(TAINTS, "a=1:NoSchedule", TRACKING, "a=1:NoSchedule"));
        annotations.remove("cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size");

        assertThat(write(A).changes()).containsOnlyKeys(TAINTS, TRACKING);
        assertThat(removes(write(A))).isTrue();
    }

    @Test
    void labels_of_pools_are_advertised_where_they_reach_nodes() {
        config.labels = true;
        labels = Map.of("node-role.kubernetes.io/w", "");

        assertThat(pool(true, false, Makes.NONE).changes()).isEmpty();
        assertThat(pool(false, true, Makes.NONE).changes()).containsOnlyKeys(LABELS, LABELS_TRACKING);
        assertThat(pool(false, false, Makes.MACHINES).changes()).containsOnlyKeys(LABELS, LABELS_TRACKING);
        assertThat(write().changes()).containsOnlyKeys(LABELS, LABELS_TRACKING);
    }

    @Test
    void taints_of_pools_are_advertised_where_they_reach_nodes() {
        assertThat(pool(false, false, Makes.NONE, A).changes()).isEmpty();
        assertThat(pool(false, false, Makes.MACHINES, A).changes()).isEmpty();
        assertThat(pool(true, false, Makes.NONE, A).changes()).containsOnlyKeys(TAINTS, TRACKING);

        config.withdraw = true;
        annotations.putAll(Map.of(TAINTS, "a=1:NoSchedule", TRACKING, "a=1:NoSchedule"));
        assertThat(removes(pool(false, false, Makes.UNKNOWN, A))).isTrue();
    }

    @Test
    void nothing_of_a_pool_changes_while_nobody_says_whether_it_makes_machines() {
        config.labels = true;
        annotations.putAll(Map.of(TAINTS, "b:NoSchedule", TRACKING, "b=:NoSchedule", LABELS, "x=1", LABELS_TRACKING,
                "x=1"));

        assertThat(pool(false, false, Makes.UNKNOWN, A).changes()).isEmpty();
        assertThat(pool(true, false, Makes.UNKNOWN, A).changes()).containsOnlyKeys(TAINTS, TRACKING);
        assertThat(pool(false, true, Makes.UNKNOWN, A).changes()).containsOnlyKeys(LABELS, LABELS_TRACKING);
    }

    private static boolean removes(CapacityWrite write) {
        return write.changes().containsValue(Optional.<String>empty());
    }

    private CapacityWrite write(MachineTaint... taints) {
        return write(NodeGroupKind.MACHINE_DEPLOYMENT, new PoolPropagation(false, false, pool -> Makes.NONE), taints);
    }

    private CapacityWrite pool(
            boolean poolTaints, boolean poolLabels, Makes makes, MachineTaint... taints) {
        return write(NodeGroupKind.MACHINE_POOL, new PoolPropagation(poolTaints, poolLabels, pool -> makes), taints);
    }

    private CapacityWrite write(NodeGroupKind kind, PoolPropagation pools, MachineTaint... taints) {
        Metadata metadata = new Metadata(
                new ObjectKey("fleet", "g"), "uid", "7", Map.of(), annotations, List.of(), false);
        NodeGroup group = new NodeGroup(metadata, "c", new Template(labels, Map.of(), List.of(taints)),
                new InfrastructureRef("", "", ""), appliers, List.of());
        NodeGroupPlan plan =
                new CapacityPlanner(CapacityPolicy.standard(), List.of(), pools, config).plan(kind, group);
        return CapacityWrite.of(group, plan, OURS);
    }
}
