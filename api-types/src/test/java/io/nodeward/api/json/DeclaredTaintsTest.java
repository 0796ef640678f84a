package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.ClusterTopology.Workers;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.TaintId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Places where taints are declared, who owns them, and how they are written there. */
class DeclaredTaintsTest {
    private static final MachineTaint A = new MachineTaint("a", "1", "NoSchedule", MachineTaint.ALWAYS);
    private static final MachineTaint B = new MachineTaint("b", "", "NoExecute", MachineTaint.ON_INITIALIZATION);
    private static final String TAINT_A = "{'key':'a','value':'1','effect':'NoSchedule','propagation':'Always'}";
    private static final String TAINT_B = "{'key':'b','effect':'NoExecute','propagation':'OnInitialization'}";
    private static final TaintId ID = new TaintId("a", "NoSchedule");

    @Test
    void a_machine_and_who_owns_its_taints_are_read() throws IOException {
        TaintHolder machine = read(Projection.taintHolder(TaintPlace.MACHINE),
                """
                        {'metadata':{'name':'m','namespace':'fleet','resourceVersion':'7','managedFields':[
                          {'manager':'one','operation':'Apply','apiVersion':'x/v1','fieldsType':'FieldsV1','fieldsV1':
                            {'f:spec':{'f:taints':{'k:{\\"effect\\":\\"NoSchedule\\",\\"key\\":\\"a\\"}':
                              {'.':{},'f:effect':{},'f:key':{},'f:propagation':{},'f:value':{}}}}}},
                          {'manager':'two','operation':'Update','fieldsV1':{'f:spec':{'f:clusterName':{},
                            'f:taints':{'.':{},'k:{\\"effect\\":\\"NoSchedule\\",\\"key\\":\\"a\\"}':{'f:value':{}}}}}}
                        ]},'spec':{'clusterName':'c','taints':[%s,%s]},'status':{'replicas':3,'conditions':[{'type':'Ready','status':'True'}],
                          'v1beta2':{'conditions':[{'type':'nodeward.io/X','status':'True','reason':'R'}]}}}"""
                        .formatted(TAINT_A, TAINT_B));

        assertThat(machine.metadata().key()).isEqualTo(new ObjectKey("fleet", "m"));
        assertThat(machine.cluster()).isEqualTo(new ObjectKey("fleet", "c"));
        assertThat(machine.conditions()).singleElement().matches(condition -> condition.reason().equals("R"));
        assertThat(machine.replicas()).isEqualTo(3);
        assertThat(machine.taints()).containsExactly(A, B);
        assertThat(machine.owners()).containsExactly(
                new TaintOwner("one", true, false,
                        Map.of(ID, Set.of(TaintOwner.ITEM, "effect", "key", "propagation", "value"))),
                new TaintOwner("two", false, true, Map.of(ID, Set.of("value"))));
        assertThat(machine.owners().getFirst().ownsItem(ID)).isTrue();
        assertThat(machine.owners().getLast().ownsItem(ID)).isFalse();
    }

    @Test
    void of_those_who_own_no_taints_only_appliers_of_the_object_itself_are_kept() throws IOException {
        TaintHolder machine = read(Projection.taintHolder(TaintPlace.MACHINE), """
                {'metadata':{'managedFields':[
                  {'manager':'applier','operation':'Apply','fieldsV1':{'f:spec':{'f:version':{}}}},
                  {'manager':'status','operation':'Apply','subresource':'status','fieldsV1':{'f:status':{}}},
                  {'manager':'writer','operation':'Update','fieldsV1':{'f:spec':{'f:version':{}}}},
                  {'manager':'empty','operation':'Update'}]}}""");

        assertThat(machine.taints()).isEmpty();
        assertThat(machine.owners()).containsExactly(new TaintOwner("applier", true, false, Map.of()));
    }

    @Test
    void a_list_that_is_no_map_is_owned_as_a_whole() throws IOException {
        TaintHolder machine = read(Projection.taintHolder(TaintPlace.MACHINE), """
                {'metadata':{'managedFields':[
                  {'manager':'one','operation':'Update','fieldsV1':{'f:spec':{'f:taints':{}}}}]}}""");

        assertThat(machine.owners()).containsExactly(new TaintOwner("one", false, true, Map.of()));
    }

    @Test
    void an_item_that_is_owned_alone_or_named_badly_does_no_harm() throws IOException {
        TaintHolder machine = read(Projection.taintHolder(TaintPlace.MACHINE), """
                {'metadata':{'managedFields':[{'manager':'one','operation':'Apply','fieldsV1':{'f:spec':{'f:taints':{
                  'k:{\\"effect\\":\\"NoSchedule\\",\\"key\\":\\"a\\"}':{},'k:{nonsense':{'.':{}},'v:1':{}}}}},
                  'nonsense',5],'finalizers':['x']},'spec':'nonsense'}""");

        assertThat(machine.owners()).singleElement().satisfies(owner -> {
            assertThat(owner.list()).isFalse();
            assertThat(owner.ownsItem(ID)).isTrue();
            assertThat(owner.items()).containsOnlyKeys(ID, new TaintId("", ""));
        });
    }

    @Test
    void templates_and_control_planes_have_them_in_their_own_places() throws IOException {
        String owned = "'metadata':{'managedFields':[{'manager':'one','operation':'Apply','fieldsV1':"
                + "{'f:spec':{'f:machineTemplate':{'f:taints':{'k:{\\\"effect\\\":\\\"NoSchedule\\\",\\\"key\\\":\\\"a\\\"}'"
                + ":{'.':{}}}}}}}]}";

        assertThat(read(Projection.taintHolder(TaintPlace.TEMPLATE),
                "{'spec':{'taints':[5],'template':{'taints':[5],'spec':{'taints':[%s]}}}}".formatted(TAINT_A)).taints())
                .containsExactly(A);
        TaintHolder controlPlane = read(
                Projection.taintHolder(TaintPlace.CONTROL_PLANE, TaintPlace.CONTROL_PLANE_V1BETA1),
                "{%s,'spec':{'machineTemplate':{'spec':{'taints':[%s]}}}}".formatted(owned, TAINT_B));
        assertThat(controlPlane.taints()).containsExactly(B);
        assertThat(controlPlane.owners()).singleElement().matches(owner -> owner.ownsItem(ID));
        assertThat(read(Projection.taintHolder(TaintPlace.CONTROL_PLANE_V1BETA1),
                "{'spec':{'machineTemplate':{'taints':[%s]}}}".formatted(TAINT_B)).taints()).containsExactly(B);
        assertThat(TaintPlace.CONTROL_PLANE).hasToString("spec.machineTemplate.spec.taints");
    }

    @Test
    void a_topology_is_read_in_both_versions() throws IOException {
        String rest = "'controlPlane':{'taints':[%s],'replicas':3},'workers':{".formatted(TAINT_A)
                + "'machineDeployments':[{'name':'md','class':'w','taints':[%s]},{'name':'bare','class':'w'}],"
                        .formatted(TAINT_B)
                + "'machinePools':[{'name':'mp','class':'p','taints':[%s]}]}".formatted(TAINT_A);
        String text = "{'metadata':{'name':'c','namespace':'fleet'},'spec':{'paused':true,'topology':{%s,%s}}}";

        ClusterTopology now = read(Projection.CLUSTER_TOPOLOGY, text.formatted(
                "'classRef':{'name':'k','namespace':'shared'}", rest));
        assertThat(now.controlPlane()).containsExactly(A);
        assertThat(now.machineDeployments()).containsExactly(
                new Workers("md", "w", List.of(B)), new Workers("bare", "w", List.of()));
        assertThat(now.machinePools()).containsExactly(new Workers("mp", "p", List.of(A)));
        assertThat(now.classNamespace() + "/" + now.className()).isEqualTo("shared/k");
        assertThat(read(Projection.CLUSTER_TOPOLOGY,
                text.formatted("'class':'k','classNamespace':'shared'", rest))).isEqualTo(now);
        assertThat(read(Projection.CLUSTER_TOPOLOGY, text.formatted("'class':'k'", rest)).classNamespace())
                .isEqualTo("fleet");
        assertThat(read(Projection.CLUSTER_TOPOLOGY, "{'spec':{}}").className()).isEmpty();

        String ref = "{'spec':{'controlPlaneRef':{'%s','kind':'KubeadmControlPlane','name':'cp'}}}";
        ControlPlaneRef expected = new ControlPlaneRef("g.io", "KubeadmControlPlane", "cp");
        assertThat(read(Projection.CLUSTER_TOPOLOGY, ref.formatted("apiGroup':'g.io")).controlPlaneRef())
                .isEqualTo(expected);
        assertThat(read(Projection.CLUSTER_TOPOLOGY, ref.formatted("apiVersion':'g.io/v1beta1")).controlPlaneRef())
                .isEqualTo(expected);
        assertThat(now.controlPlaneRef()).isEqualTo(ControlPlaneRef.NONE);
    }

    @Test
    void a_class_knows_its_workers_even_without_taints() throws IOException {
        ClusterClass read = read(Projection.CLUSTER_CLASS, """
                {'metadata':{'name':'k'},'spec':{'controlPlane':{'taints':[%s]},'workers':{
                  'machineDeployments':[{'class':'w','taints':[%s]},{'class':'bare'}],
                  'machinePools':[{'class':'p','taints':[%s]}]}}}""".formatted(TAINT_A, TAINT_B, TAINT_A));

        assertThat(read.controlPlane()).containsExactly(A);
        assertThat(read.machineDeployments()).containsOnly(Map.entry("w", List.of(B)), Map.entry("bare", List.of()));
        assertThat(read.machinePools()).containsOnly(Map.entry("p", List.of(A)));
    }

    @Test
    void numbers_of_a_manifest_that_should_be_texts_are_read_as_they_stand() throws IOException {
        assertThat(read(Projection.CLUSTER_TOPOLOGY, """
                {'spec':{'topology':{'classRef':{'name':2},'workers':{'machineDeployments':[{'name':1,'class':true,
                  'taints':[{'key':'k','value':1,'effect':'NoSchedule'}]}]}}}}""").machineDeployments())
                .containsExactly(new Workers("1", "true", List.of(new MachineTaint("k", "1", "NoSchedule", ""))));
        assertThat(read(Projection.CLUSTER_CLASS,
                "{'spec':{'workers':{'machinePools':[{'class':3}]}}}").machinePools()).containsOnlyKeys("3");
    }

    @Test
    void many_conditions_of_others_and_what_they_hold_do_no_harm() throws IOException {
        String message = "what another controller says of this Machine";
        String conditions = "'conditions':[5,{'type':'Ready','status':'True','message':'" + message
                + "','lastTransitionTime':'never','x':[" + "1,".repeat(100_001)
                + "1]},{'type':'nodeward.io/X','status':'True'}]";

        for (String status : List.of(conditions, "'v1beta2':{" + conditions + "}")) {
            String object = "{'status':{" + status + "}}";
            for (List<Condition> read : List.of(
                    read(Projection.taintHolder(TaintPlace.MACHINE), object).conditions(),
                    read(Projection.CLUSTER, object).conditions(), read(Projection.NODE_GROUP, object).conditions())) {
                assertThat(read).singleElement().matches(condition -> condition.type().equals("nodeward.io/X"));
            }
        }
        String equal = String.copyValueOf(message.toCharArray());
        assertThat(MetadataReader.POOL.intern(equal)).as("it is not kept").isSameAs(equal);
    }

    @Test
    void what_is_written_has_the_list_in_its_place_and_no_empty_one() {
        assertThat(text(Trees.written(TaintPlace.TEMPLATE.holding(List.of(A, B)))))
                .isEqualTo(
                        "{'spec':{'template':{'spec':{'taints':[" + sorted(TAINT_A) + "," + sorted(TAINT_B) + "]}}}}");
        assertThat(text(Trees.written(TaintPlace.MACHINE.holding(List.of())))).isEqualTo("{'spec':{'taints':null}}");
    }

    private static String sorted(String json) {
        return Trees.text(Trees.read(json.replace('\'', '"'))).replace('"', '\'');
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8).replace('"', '\'');
    }

    private static <T extends KubernetesObject> T read(Projection<T> projection, String json)
            throws IOException {
        return projection.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
