package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.NodeSets;
import io.nodeward.core.rules.dedicated.ClusterView;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolution;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** 200 groups of 25 Nodes each, with 500 pods each: a change costs those that it concerns, and no others. */
class ManyGroupsTest {
    private static final int GROUPS = 200;
    private static final int NODES = 25;
    private static final int PODS = 20;

    private final DedicatedFixture cluster = new DedicatedFixture(10);
    private final DedicatedWatches watches = new DedicatedWatches(cluster.scope);

    {
        for (int group = 0; group < GROUPS; group++) {
            cluster.declare("g" + group, Map.of(
                    "nodes", Map.of("selector", Map.of("matchLabels", Map.of("pool", "p" + group))),
                    "who", Map.of("namespaces", List.of("ns" + group))), "Enforce", "NoSchedule", "NoExecute");
            for (int node = 0; node < NODES; node++) {
                String name = "n" + group + "-" + node;
                cluster.node(name, Map.of("pool", "p" + group));
                for (int pod = 0; pod < PODS; pod++) {
                    cluster.pod("ns" + group, name + "-" + pod, name);
                }
            }
        }
        for (int group = 0; group < GROUPS; group++) {
            cluster.reconcileGroup("g" + group);
        }
        cluster.scope.resolution();
    }

    @Test
    void a_pod_costs_its_own_group() {
        assertThat(cluster.pods.size()).isEqualTo(100_000);
        Resolution before = cluster.scope.resolution();
        CandidatePod pod = pod("ns7", "n7-3-5");
        cluster.pod("ns7", "n7-3-5", "");
        assertThat(watches.mapPod(pod, pod("ns7", "n7-3-5"))).containsExactly(ObjectKey.clusterScoped("g7"));
        assertThat(cluster.scope.resolution()).as("nothing is decided anew").isSameAs(before);
        assertThat(looked("g7")).isEqualTo(NODES * PODS);
        assertThat(preview("g7").members().count()).isEqualTo(NODES * PODS);
        assertThat(preview("g7").evicted().count()).isEqualTo(NODES * PODS - 1);
    }

    @Test
    void a_pod_of_another_namespace_costs_the_group_on_whose_node_it_runs() {
        cluster.pod("elsewhere", "x", "n7-3");
        assertThat(watches.mapPod(null, pod("elsewhere", "x"))).containsExactly(ObjectKey.clusterScoped("g7"));
        assertThat(looked("g7")).isEqualTo(NODES * PODS + 1);
        assertThat(preview("g7").evicted().count()).isEqualTo(NODES * PODS + 1);
        assertThat(looked("g8")).isEqualTo(NODES * PODS);
    }

    @Test
    void a_node_that_gets_the_taints_of_its_group_makes_nothing_be_decided_anew() {
        Resolution before = cluster.scope.resolution();
        cluster.reconcileNode("n7-3");
        assertThat(cluster.taints("n7-3")).containsExactly("dedicated=g7:NoSchedule");
        assertThat(cluster.scope.resolution()).isSameAs(before);
        assertThat(preview("g7").wouldTaint().count()).isEqualTo(NODES);
        cluster.node("n7-3", Map.of("pool", "p8"));
        assertThat(cluster.scope.resolution()).as("it has left for another group").isNotSameAs(before);
        assertThat(preview("g7").nodes().count()).isEqualTo(NODES - 1);
        assertThat(preview("g8").nodes().count()).isEqualTo(NODES + 1);
    }

    @Test
    void what_is_found_by_index_is_all_that_counts() {
        cluster.pod("elsewhere", "on-node", "n7-3");
        cluster.tolerating("elsewhere", "one", "dedicated", "g7");
        cluster.tolerating("elsewhere", "all", "", "");
        cluster.tolerating("kube-system", "all", "", "");
        ClusterView all = new ClusterView() {
            @Override
            public NodeSets nodes() {
                return new NodeSets(cluster.nodes.all());
            }

            @Override
            public MemberFacts members() {
                return cluster.scope.members();
            }

            @Override
            public Stream<CandidatePod> pods(Group group, Set<String> names) {
                return cluster.pods.all().stream();
            }
        };
        Resolution resolution = cluster.scope.resolution();
        assertThat(preview("g7").refused().names()).containsExactly("elsewhere/all", "elsewhere/one");
        assertThat(preview("g7"))
                .isEqualTo(Preview.of(resolution.find("g7").orElseThrow(), resolution.groups(), all, false));
    }

    private Preview preview(String group) {
        return cluster.scope.preview(cluster.scope.resolution().find(group).orElseThrow());
    }

    /** At how many pods the preview of a group looks. */
    private long looked(String name) {
        CachedCluster view = new CachedCluster(cluster.pods, Set.of("kube-system"), cluster.scope::members);
        Group group = cluster.scope.declared().stream().filter(each -> each.name().equals(name)).findFirst()
                .orElseThrow();
        Set<String> nodes =
                Set.copyOf(cluster.allNodes().stream().filter(node -> node.startsWith("n" + name.substring(1) + "-"))
                        .toList());
        return view.pods(group, nodes).count();
    }

    private CandidatePod pod(String namespace, String name) {
        return cluster.pods.get(new ObjectKey(namespace, name)).orElseThrow();
    }
}
