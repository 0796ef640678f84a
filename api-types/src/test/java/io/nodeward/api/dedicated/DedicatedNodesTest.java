package io.nodeward.api.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.Selector.Expression;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.EvictionMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DedicatedNodesTest {
    static final String WHOLE = """
            {'nodes':{'selector':{'matchLabels':{'pool':'a'},
                'matchExpressions':[{'key':'zone','operator':'In','values':['x','']},
                    {'key':'old','operator':'DoesNotExist'}]},
              'names':['foo','bar'],
              'owner':{'clusterNamespace':'fleet','clusterName':'c','kind':'MachineSet','name':'ms','machine':'m'}},
             'taint':{'key':'dedicated','value':'banana','effects':['NoSchedule','NoScheduleNoAdmitNoExecute']},
             'who':{'namespaces':['banana'],'namespaceSelector':{'matchLabels':{'team':'b'}},
              'serviceAccounts':[{'namespace':'n','name':'build'}],
              'podSelector':{'matchExpressions':[{'key':'app','operator':'Exists'}]},
              'resources':['example.com/gpu'],'deviceClasses':['gpu']},
             'exclusive':true,'shared':true,'enforcement':'Enforce','confirmedPods':7,
             'eviction':'Respect','deadlineSeconds':60}""";
    private static final DedicatedNodesSpec READ = new DedicatedNodesSpec(
            new SelectedNodes(
                    Optional.of(new Selector(Map.of("pool", "a"), List.of(
                            new Expression("zone", "In", List.of("x", "")),
                            new Expression("old", "DoesNotExist", List.of())))),
                    List.of("foo", "bar"),
                    Optional.of(new ClusterApiOwner("fleet", "c", "MachineSet", "ms", "m"))),
            new DedicatedTaint("dedicated", "banana",
                    List.of(DedicatedEffect.NoSchedule, DedicatedEffect.NoScheduleNoAdmitNoExecute), List.of()),
            new Who(List.of("banana"), Optional.of(new Selector(Map.of("team", "b"), List.of())),
                    List.of(new ObjectKey("n", "build")),
                    Optional.of(new Selector(Map.of(), List.of(new Expression("app", "Exists", List.of())))),
                    List.of("example.com/gpu"), List.of("gpu")),
            true, true, EnforcementMode.Enforce, OptionalLong.of(7),
            new EvictionMode(EvictionMode.RESPECT, OptionalLong.of(60)));

    @Test
    void a_spec_is_read_whole_and_written_as_it_was_read() throws IOException {
        Tree tree = tree(WHOLE);
        assertThat(DedicatedNodesSpec.of(tree)).isEqualTo(READ);
        assertThat(Trees.text(READ.tree())).isEqualTo(Trees.text(tree));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{}",
            "{'nodes':'x','taint':[],'who':{'namespaces':{},'serviceAccounts':'x'},'exclusive':'true','shared':1,"
                    + "'enforcement':'enforce','confirmedPods':'7','eviction':7,'deadlineSeconds':'7'}",
            "{'nodes':{'selector':{},'owner':{}},'who':{'namespaceSelector':{'matchLabels':{}},'podSelector':{}},"
                    + "'taint':{'effects':[7,{}]}}"
    })
    void what_is_missing_or_of_another_type_changes_nothing(String spec) throws IOException {
        DedicatedNodesSpec read = DedicatedNodesSpec.of(tree(spec));
        assertThat(read).isEqualTo(new DedicatedNodesSpec(SelectedNodes.NONE,
                new DedicatedTaint("", "", List.of(), List.of()), Who.NONE, false, false, EnforcementMode.Audit,
                OptionalLong.empty(), EvictionMode.DEFAULT));
        assertThat(Trees.text(read.tree())).isEqualTo(
                "{\"enforcement\":\"Audit\",\"exclusive\":false,\"shared\":false}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Audit", "Warn", "Enforce"})
    void each_mode_is_read(String mode) throws IOException {
        DedicatedNodesSpec read = DedicatedNodesSpec.of(tree("{'enforcement':'" + mode + "'}"));
        assertThat(read.enforcement().name()).isEqualTo(mode);
        assertThat(read.withEnforcement(EnforcementMode.Warn).enforcement()).isEqualTo(EnforcementMode.Warn);
    }

    @Test
    void how_pods_are_evicted_may_differ_where_the_same_is_declared() throws IOException {
        DedicatedNodesSpec deleting = DedicatedNodesSpec.of(
                tree(WHOLE.replace("Respect','deadlineSeconds':60", "Delete'").replace(":7,", ":8,")));
        assertThat(deleting.eviction()).isEqualTo(EvictionMode.DEFAULT);
        assertThat(READ.declaresAs(deleting)).isTrue();
        assertThat(READ.declaresAs(READ.withEnforcement(EnforcementMode.Warn))).isFalse();
        assertThat(READ.withEnforcement(EnforcementMode.Warn).eviction().respectsBudgets()).isTrue();
    }

    @Test
    void an_effect_of_a_newer_version_is_kept_as_it_is_stored() throws IOException {
        String stored = "{'taint':{'key':'k','effects':['NoExecute','NoRun','NoWalk']}}";
        DedicatedTaint taint = DedicatedNodesSpec.of(tree(stored)).taint();
        assertThat(taint.effects()).containsExactly(DedicatedEffect.NoExecute);
        assertThat(taint.unknownEffects()).containsExactly("NoRun", "NoWalk");
        assertThat(taint.effectsOnNode()).containsExactly("NoExecute");
        assertThat(Trees.text(taint.tree())).isEqualTo(Trees.text(tree(stored).at("taint")));
    }

    @Test
    void the_effects_that_nodes_accept_are_each_there_once() {
        assertThat(READ.taint().effectsOnNode()).containsExactly("NoExecute", "NoSchedule");
        assertThat(DedicatedEffect.NoScheduleNoAdmit.onNode()).containsExactly("NoSchedule");
        assertThat(DedicatedEffect.NoExecute.onNode()).containsExactly("NoExecute");
        assertThat(DedicatedEffect.PreferNoSchedule.onNode()).containsExactly("PreferNoSchedule");
    }

    @Test
    void an_owner_is_the_annotations_that_cluster_api_writes() {
        assertThat(READ.nodes().owner().orElseThrow().annotations()).containsOnly(
                Map.entry("cluster.x-k8s.io/cluster-namespace", "fleet"),
                Map.entry("cluster.x-k8s.io/cluster-name", "c"),
                Map.entry("cluster.x-k8s.io/owner-kind", "MachineSet"),
                Map.entry("cluster.x-k8s.io/owner-name", "ms"),
                Map.entry("cluster.x-k8s.io/machine", "m"));
        assertThat(new ClusterApiOwner("", "c", "", "", "").annotations())
                .containsOnly(Map.entry("cluster.x-k8s.io/cluster-name", "c"));
    }

    @Test
    void what_was_applied_is_read_from_the_status() throws IOException {
        CustomResource<DedicatedNodes> object = read("{'metadata':{'name':'banana'},'spec':{'exclusive':true},"
                + "'status':{'nodes':3,'applied':" + WHOLE + "}}");
        assertThat(object.key()).isEqualTo(ObjectKey.clusterScoped("banana"));
        assertThat(object.spec().spec().exclusive()).isTrue();
        assertThat(object.spec().applied()).contains(READ);
        assertThat(read("{'metadata':{'name':'banana'},'spec':{}}").spec().applied()).isEmpty();
        assertThat(read("{'metadata':{'name':'b'},'status':{'applied':'x'}}").spec().applied()).isEmpty();
    }

    private static CustomResource<DedicatedNodes> read(String json) throws IOException {
        return DedicatedNodes.PROJECTION.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static Tree tree(String json) throws IOException {
        return Trees.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
