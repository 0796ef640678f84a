package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DedicatedWatchesTest {
    private static final ObjectKey A = ObjectKey.clusterScoped("a");
    private static final ObjectKey B = ObjectKey.clusterScoped("b");

    private final DedicatedFixture cluster = new DedicatedFixture(60);
    private final DedicatedWatches watches = new DedicatedWatches(cluster.scope);

    @BeforeEach
    void declare() {
        cluster.node("a1", Map.of("pool", "a"));
        cluster.node("b1", Map.of("pool", "b"));
        cluster.declare("a", pool("a", "banana"), "Enforce", "NoSchedule");
        cluster.declare("b", pool("b", "cherry"), "Audit", "NoSchedule");
    }

    @Test
    void a_node_that_comes_to_a_group_concerns_the_one_that_it_leaves_and_the_one_that_it_joins() {
        cluster.resolution();
        cluster.settle();
        cluster.node("a1", Map.of("pool", "b"));
        assertThat(cluster.settle()).containsExactlyInAnyOrder("a", "b");
        cluster.node("a1", Map.of("pool", "b", "other", "label"));
        assertThat(cluster.settle()).containsExactly("b");
        cluster.node("a2", Map.of("pool", "a"));
        assertThat(cluster.settle()).containsExactly("a");
        cluster.declare("rest", Map.of("shared", true), "Audit", "NoSchedule");
        assertThat(cluster.settle()).isEmpty();
        cluster.nodes.remove(cluster.node("a2"));
        assertThat(cluster.settle()).containsExactlyInAnyOrder("a", "rest");
    }

    @Test
    void a_pod_concerns_the_groups_of_its_node_and_those_whose_member_it_is() {
        cluster.pod("banana", "on-b", "b1");
        cluster.pod("other", "nowhere", "");
        assertThat(watches.mapPod(null, pod("banana", "on-b"))).containsExactlyInAnyOrder(A, B);
        assertThat(watches.mapPod(pod("other", "nowhere"), null)).isEmpty();
    }

    @Test
    void what_is_declared_concerns_nodes_only_when_it_is_in_force() {
        Set<ObjectKey> told = new TreeSet<>();
        cluster.scope.whenNodesDiffer(now -> told.addAll(watches.mapToNodes(now)));
        assertThat(nodes(told)).isEmpty();
        cluster.reconcileGroup("a");
        assertThat(nodes(told)).containsExactly("a1");
        cluster.reconcileGroup("a");
        assertThat(nodes(told)).isEmpty();
        cluster.delete("a");
        assertThat(nodes(told)).containsExactly("a1");
    }

    /** Its Nodes may be many. */
    @Test
    void a_group_that_only_warns_concerns_no_node() {
        Set<ObjectKey> told = new TreeSet<>();
        List<String> differing = new ArrayList<>();
        cluster.scope.whenNodesDiffer(now -> {
            told.addAll(watches.mapToNodes(now));
            now.forEach(group -> differing.add(group.name()));
        });
        nodes(told);
        cluster.node("c1", Map.of("pool", "c"));
        cluster.declare("warns", pool("c", "date"), "Warn", "NoSchedule");
        cluster.reconcileGroup("warns");
        assertThat(nodes(told)).isEmpty();
        assertThat(differing).contains("warns");
    }

    private List<String> nodes(Set<ObjectKey> told) {
        cluster.settle();
        List<String> names = told.stream().map(ObjectKey::name).toList();
        told.clear();
        return names;
    }

    @Test
    void what_a_group_declares_concerns_the_others_and_a_status_none() {
        CustomResource<DedicatedNodes> group = group("a");
        assertThat(watches.mapGroupToOthers(null, group)).containsExactly(B);
        assertThat(watches.mapGroupToOthers(group, group.withResourceVersion("99"))).isEmpty();
    }

    @Test
    void a_group_that_was_refused_is_decided_anew_when_the_one_that_it_contradicted_has_given_way() {
        cluster.pod("banana", "of-both", "");
        cluster.declare("b", exclusive("b"), "Enforce", "NoSchedule");
        cluster.reconcileGroup("b");
        cluster.declare("a", with("taint", Map.of("key", "example.com/a", "value", "x", "effects",
                List.of("NoSchedule")), exclusive("a")), "Enforce");
        assertThat(GroupReconcilerTest.blocked(cluster.reconcileGroup("a")))
                .hasValueSatisfying(by -> assertThat(by.reason()).isEqualTo("ExclusiveSets"));
        CustomResource<DedicatedNodes> before = group("b");
        cluster.declare("b", pool("b", "banana"), "Enforce", "NoSchedule");
        assertThat(watches.mapGroupToOthers(before, group("b"))).containsExactly(A);
        CustomResource<DedicatedNodes> declared = group("b");
        cluster.reconcileGroup("b");
        cluster.resolution(); // as a reconcile does that runs before the listener of the watch
        assertThat(watches.mapGroupToOthers(declared, group("b"))).as("its status has made room").containsExactly(A);
        assertThat(GroupReconcilerTest.blocked(cluster.reconcileGroup("a")))
                .hasValueSatisfying(by -> assertThat(by.reason()).isEqualTo("NodesPending"));
    }

    @Test
    void a_claim_concerns_groups_that_have_members_by_it_or_those_that_no_other_has() {
        cluster.resolution();
        cluster.claim("banana", "one", "gpu");
        assertThat(cluster.settle()).isEmpty();
        cluster.declare("gpu", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("deviceClasses", List.of("gpu"))), "Audit", "NoSchedule");
        cluster.declare("rest", Map.of("shared", true), "Audit", "NoSchedule");
        cluster.claim("banana", "two", "gpu");
        assertThat(cluster.settle()).containsExactlyInAnyOrder("gpu", "rest");
    }

    private static Map<String, Object> exclusive(String name) {
        return with("exclusive", true, pool(name, "banana"));
    }

    private static Map<String, Object> with(String field, Object value, Map<String, Object> spec) {
        Map<String, Object> more = new HashMap<>(spec);
        more.put(field, value);
        return more;
    }

    private CustomResource<DedicatedNodes> group(String name) {
        return cluster.groups.get(ObjectKey.clusterScoped(name)).orElseThrow();
    }

    private CandidatePod pod(String namespace, String name) {
        return cluster.pods.get(new ObjectKey(namespace, name)).orElseThrow();
    }

    private static Map<String, Object> pool(String name, String namespace) {
        return Map.of("nodes", Map.of("selector", Map.of("matchLabels", Map.of("pool", name))),
                "who", Map.of("namespaces", List.of(namespace)));
    }
}
