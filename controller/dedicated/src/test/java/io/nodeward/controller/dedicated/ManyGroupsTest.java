package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.ClaimView;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.NodeSets;
import io.nodeward.core.rules.dedicated.ClusterView;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolution;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * 200 exclusive groups of 25 Nodes each, with 500 pods each, in 300 namespaces: a change costs those that it concerns, and
 * no others. The tests share this fleet: each changes groups of its own.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ManyGroupsTest {
    private static final int GROUPS = 200;
    private static final int NAMESPACES = 300;
    private static final int NODES = 25;
    private static final int PODS = 20;

    private final DedicatedFixture cluster = new DedicatedFixture(10);
    private final DedicatedWatches watches = new DedicatedWatches(cluster.scope);

    @BeforeAll
    void fleet() {
        for (int namespace = 0; namespace < NAMESPACES; namespace++) {
            cluster.namespace("ns" + namespace, Map.of("team", "t" + namespace));
        }
        Stream.of("elsewhere", "kube-system").forEach(namespace -> cluster.namespace(namespace, Map.of()));
        for (int group = 0; group < GROUPS; group++) {
            cluster.declare("g" + group, Map.of(
                    "nodes", Map.of("selector", Map.of("matchLabels", Map.of("pool", "p" + group))),
                    "who", Map.of("namespaceSelector", Map.of("matchLabels", Map.of("team", "t" + group))),
                    "taint", Map.of("key", "k" + group, "effects", List.of("NoSchedule", "NoExecute")),
                    "exclusive", true), "Enforce");
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
        cluster.resolution();
    }

    @AfterEach
    void removePodsThatAreOfNoGroup() {
        Stream.of("elsewhere", "kube-system").flatMap(
                namespace -> cluster.pods.find(DedicatedCaches.OF_NAMESPACE, namespace).stream())
                .forEach(cluster.pods::remove);
    }

    @Test
    void a_pod_costs_its_own_group() {
        assertThat(cluster.pods.size()).isEqualTo(100_000);
        Resolution before = cluster.resolution();
        CandidatePod pod = pod("ns7", "n7-3-5");
        cluster.pod("ns7", "n7-3-5", "");
        assertThat(watches.mapPod(pod, pod("ns7", "n7-3-5"))).containsExactly(ObjectKey.clusterScoped("g7"));
        assertThat(cluster.resolution()).as("nothing is decided anew").isSameAs(before);
        assertThat(looked("g7")).isEqualTo(NODES * PODS);
        assertThat(preview("g7").members().count()).isEqualTo(NODES * PODS);
        assertThat(preview("g7").evicted().count()).isEqualTo(NODES * PODS - 1);
    }

    @Test
    void a_pod_of_another_namespace_costs_the_group_on_whose_node_it_runs() {
        cluster.pod("elsewhere", "x", "n17-3");
        assertThat(watches.mapPod(null, pod("elsewhere", "x"))).containsExactly(ObjectKey.clusterScoped("g17"));
        assertThat(looked("g17")).isEqualTo(NODES * PODS + 1);
        assertThat(preview("g17").evicted().count()).isEqualTo(NODES * PODS + 1);
        assertThat(looked("g18")).isEqualTo(NODES * PODS);
    }

    @Test
    void a_namespace_costs_nobody_unless_its_labels_differ() {
        Resolution resolution = cluster.resolution();
        cluster.settle();
        cluster.namespace("ns250", Map.of("team", "t250"));
        assertThat(cluster.settle()).isEmpty();
        assertThat(cluster.resolution()).as("nothing is decided anew").isSameAs(resolution);
        cluster.namespace("ns250", Map.of("team", "t251"));
        assertThat(cluster.settle()).hasSize(GROUPS);
        assertThat(cluster.resolution()).isNotSameAs(resolution);
        LabeledNamespace added = cluster.namespace("added", Map.of());
        assertThat(cluster.settle()).hasSize(GROUPS);
        cluster.namespaces.remove(added);
        assertThat(cluster.settle()).hasSize(GROUPS);
    }

    @Test
    void a_node_that_gets_the_taints_of_its_group_makes_nothing_be_decided_anew() {
        Resolution before = cluster.resolution();
        cluster.reconcileNode("n27-3");
        assertThat(cluster.taints("n27-3")).containsExactly("k27=:NoSchedule");
        assertThat(cluster.resolution()).isSameAs(before);
        assertThat(preview("g27").wouldTaint().count()).isEqualTo(NODES);
        cluster.node("n27-3", Map.of("pool", "p28"));
        assertThat(cluster.resolution()).as("it has left for another group").isNotSameAs(before);
        assertThat(preview("g27").nodes().count()).isEqualTo(NODES - 1);
        assertThat(preview("g28").nodes().count()).isEqualTo(NODES + 1);
    }

    @Test
    void what_is_found_by_index_is_all_that_counts() {
        cluster.pod("elsewhere", "on-node", "n37-3");
        cluster.tolerating("elsewhere", "one", "k37", "");
        cluster.tolerating("elsewhere", "all", "", "");
        cluster.tolerating("kube-system", "all", "", "");
        Resolution resolution = cluster.resolution();
        assertThat(preview("g37").refused().names()).containsExactly("elsewhere/all", "elsewhere/one");
        assertThat(preview("g37"))
                .isEqualTo(Preview.of(resolution.find("g37").orElseThrow(), resolution.groups(),
                        all(members(labels -> labels)), false));
    }

    @Test
    void of_pods_that_tolerate_every_taint_so_many_are_looked_at() {
        for (int pod = 0; pod < 1_500; pod++) {
            cluster.tolerating("elsewhere", "p" + pod, "", "");
        }
        assertThat(looked("g47")).isEqualTo(NODES * PODS + 1_000);
        assertThat(preview("g47").refused().count()).isEqualTo(1_000);
        assertThat(preview("g47").refused().names()).isNotEmpty().allMatch(name -> name.startsWith("elsewhere/p"));
        removePodsThatAreOfNoGroup();
        assertThat(preview("g47").refused().count()).isZero();
    }

    @ParameterizedTest
    @EnumSource(EnforcementMode.class)
    void which_groups_share_members_costs_each_group_one_look_at_each_namespace(EnforcementMode mode) {
        AtomicInteger looks = new AtomicInteger();
        MemberFacts counted = members(labels -> new CountedLabels(labels, looks));
        List<DeclaredGroup> declared = cluster.groups.all().stream().map(DeclaredGroup::of)
                .map(each -> new DeclaredGroup(each.name(), each.desired().withEnforcement(mode),
                        each.applied().filter(spec -> mode == EnforcementMode.Enforce)))
                .toList();
        assertThat(Resolution.of(declared, all(counted), PodFeatures.NONE).byName().values()).hasSize(GROUPS)
                .allMatch(each -> each.conflicts().isEmpty());
        assertThat(looks).hasValue(GROUPS * cluster.namespaces.size());
    }

    /** The labels of a namespace; counts how often somebody looks. */
    private static final class CountedLabels extends AbstractMap<String, String> {
        private final Map<String, String> labels;
        private final AtomicInteger looks;

        CountedLabels(Map<String, String> labels, AtomicInteger looks) {
            this.labels = labels;
            this.looks = looks;
        }

        @Override
        public @Nullable String get(Object key) {
            looks.incrementAndGet();
            return labels.get(key);
        }

        @Override
        public Set<Entry<String, String>> entrySet() {
            return labels.entrySet();
        }
    }

    private MemberFacts members(UnaryOperator<Map<String, String>> labels) {
        return new MemberFacts(cluster.namespaces.all().stream().collect(
                Collectors.toMap(each -> each.key().name(), each -> labels.apply(each.metadata().labels()))),
                ClaimView.NONE, Set.of("kube-system"));
    }

    /** The cluster, with all pods for each group. */
    private ClusterView all(MemberFacts members) {
        NodeSets nodes = new NodeSets(cluster.nodes.all());
        return new ClusterView() {
            @Override
            public NodeSets nodes() {
                return nodes;
            }

            @Override
            public MemberFacts members() {
                return members;
            }

            @Override
            public Stream<DaemonTemplate> daemons() {
                return Stream.empty();
            }

            @Override
            public Optional<DaemonTemplate> daemon(ObjectKey key) {
                return Optional.empty();
            }

            @Override
            public Stream<CandidatePod> pods(Group group, Set<String> names) {
                return cluster.pods.all().stream();
            }
        };
    }

    private Preview preview(String group) {
        return cluster.preview(group);
    }

    /** At how many pods the preview of a group looks, and what is decided before it. */
    private int looked(String name) {
        cluster.lookedAtPods.clear();
        preview(name);
        return cluster.lookedAtPods.size();
    }

    private CandidatePod pod(String namespace, String name) {
        return cluster.pods.get(new ObjectKey(namespace, name)).orElseThrow();
    }
}
