package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.selector;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.Cases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NodeSetsTest {
    private static final Group POOL_A = group("a").labelled(selector("pool", "a")).ready();
    private static final Group POOL_B = group("b").labelled(selector("pool", "b")).ready();
    private static final Group NAMED = group("named").names("n1", "n5").ready();
    private static final Group SHARED = shared("shared").ready();
    private static final Groups ALL = new Groups(List.of(POOL_A, POOL_B, NAMED, SHARED));

    @Test
    void changes_one_by_one_lead_to_what_is_found_at_once() {
        for (int i = 0; i < Cases.COUNT / 20; i++) {
            Random random = new Random(i);
            NodeSets kept = new NodeSets();
            Map<String, Node> there = new HashMap<>();
            for (int step = 0; step < 30; step++) {
                Node node = random(random);
                String name = node.key().name();
                Map<String, Set<String>> before = found(kept);
                if (random.nextInt(4) == 0) {
                    there.remove(name);
                    kept.remove(name);
                } else {
                    Node known = there.put(name, node);
                    boolean hasRole = known == null || Groups.isControlPlane(known) != Groups.isControlPlane(node);
                    boolean differs = kept.put(node);
                    assertThat(differs).as("seed %s, step %s", i, step)
                            .isEqualTo(hasRole || !found(kept).equals(before));
                }
                assertThat(found(kept)).as("seed %s, step %s", i, step).isEqualTo(found(new NodeSets(there.values())));
            }
        }
    }

    @Test
    void own_taints_labels_and_annotations_change_nothing_and_what_cluster_api_declares_does() {
        NodeSets nodes = new NodeSets(List.of(node("n1")));
        nodes.selectedBy(NAMED);
        Taint own = Taint.of("dedicated", "x", "NoSchedule");
        Node ours = node("n1", Map.of("node-restriction.kubernetes.io/dedicated", "x"), Map.of("a", "b"), own);
        assertThat(nodes.put(ours)).isFalse();
        assertThat(nodes.put(node("n1", ours.metadata().labels(),
                Map.of(ClusterApi.TAINTS_FROM_MACHINE, "dedicated:NoSchedule"), own))).isTrue();
    }

    @Test
    void what_is_not_declared_any_more_is_forgotten() {
        NodeSets nodes = new NodeSets(List.of(node("n1")));
        nodes.selectedBy(POOL_A);
        Node joins = node("n1", Map.of("pool", "a"), Map.of());
        nodes.retain(Set.of(POOL_B.spec().nodes()));
        assertThat(nodes.put(joins)).as("nobody declares pool a").isFalse();
        assertThat(nodes.nameSet(nodes.selectedBy(POOL_A))).containsExactly("n1");
    }

    private static Map<String, Set<String>> found(NodeSets nodes) {
        return ALL.all().stream().collect(Collectors.toMap(Group::name, group -> nodes.nameSet(nodes.of(group, ALL))));
    }

    private static Node random(Random random) {
        Map<String, String> labels = new HashMap<>();
        if (random.nextBoolean()) {
            labels.put("pool", random.nextBoolean() ? "a" : "b");
        }
        if (random.nextInt(5) == 0) {
            labels.put("node-role.kubernetes.io/control-plane", "");
        }
        return node("n" + random.nextInt(7), labels, Map.of());
    }
}
