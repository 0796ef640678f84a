package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MachinePoolProjectionTest {
    private static final Condition BLOCKED = new Condition("nodeward.io/Blocked", "True", "NodeRejected", "m",
            Instant.parse("2026-11-21T10:00:00Z"));
    private static final String OWN = "{'type':'nodeward.io/Blocked','status':'True','reason':'NodeRejected',"
            + "'message':'m','lastTransitionTime':'2026-11-21T10:00:00Z'}";
    private static final String OTHER = "{'type':'Available','status':'False','reason':'X','message':'m'}";

    @Test
    void a_pool_of_v1beta2_is_read() throws IOException {
        MachinePool pool =
                read("""
                        {'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'MachinePool',
                         'metadata':{'name':'mp','namespace':'fleet','resourceVersion':'7','labels':{'own':'1'}},
                         'spec':{'clusterName':'prod','replicas':2,'providerIDList':['aws:///a','aws:///b'],
                          'template':{'metadata':{'labels':{'pool':'batch'},'annotations':{'taint.nodeward.io/a':'a:NoSchedule'}},
                           'spec':{'clusterName':'prod','bootstrap':{'dataSecretName':'s'},
                            'infrastructureRef':{'apiGroup':'infrastructure.cluster.x-k8s.io','kind':'DockerMachinePool','name':'i'},
                            'taints':[{'key':'k','value':'v','effect':'NoExecute','propagation':'Always'}]}}},
                         'status':{'nodeRefs':[{'apiVersion':'v1','kind':'Node','name':'n1','uid':'u1'},{'name':'n2'}],
                          'conditions':[%s,%s]}}"""
                        .formatted(OTHER, OWN));

        assertThat(pool.cluster()).isEqualTo(new ObjectKey("fleet", "prod"));
        assertThat(pool.metadata().labels()).containsOnly(Map.entry("own", "1"));
        assertThat(pool.template()).isEqualTo(new Template(Map.of("pool", "batch"),
                Map.of("taint.nodeward.io/a", "a:NoSchedule"),
                List.of(new MachineTaint("k", "v", "NoExecute", MachineTaint.ALWAYS))));
        assertThat(pool.infrastructure())
                .isEqualTo(new InfrastructureRef("infrastructure.cluster.x-k8s.io", "DockerMachinePool", "i"));
        assertThat(pool.providerIds()).containsExactly("aws:///a", "aws:///b");
        assertThat(pool.nodes()).containsExactly(new NodeRef("n1", "u1"), new NodeRef("n2", ""));
        assertThat(pool.conditions()).containsExactly(BLOCKED);
    }

    @Test
    void v1beta1_names_the_version_of_the_infrastructure_and_has_our_conditions_elsewhere() throws IOException {
        MachinePool pool = read("""
                {'metadata':{'name':'mp','namespace':'fleet'},
                 'spec':{'clusterName':'prod','template':{'spec':{'infrastructureRef':{
                  'apiVersion':'infrastructure.cluster.x-k8s.io/v1beta1','kind':'DockerMachinePool','name':'i'}}}},
                 'status':{'conditions':[%s],'v1beta2':{'conditions':[%s]}}}""".formatted(OTHER, OWN));

        assertThat(pool.infrastructure())
                .isEqualTo(new InfrastructureRef("infrastructure.cluster.x-k8s.io", "DockerMachinePool", "i"));
        assertThat(pool.conditions()).containsExactly(BLOCKED);
    }

    @Test
    void parts_of_another_shape_are_as_good_as_absent() throws IOException {
        MachinePool pool =
                read("""
                        {'metadata':{'name':'mp'},'spec':{'providerIDList':'none','template':{'metadata':[],'spec':{'taints':{}}}},
                         'status':{'nodeRefs':{'name':'n1'}}}""");

        assertThat(pool.providerIds()).isEmpty();
        assertThat(pool.nodes()).isEmpty();
        assertThat(pool.template()).isEqualTo(new Template(Map.of(), Map.of(), List.of()));
        assertThat(pool.infrastructure()).isEqualTo(new InfrastructureRef("", "", ""));
    }

    @Test
    void its_nodes_and_what_is_said_of_it_are_no_part_of_what_it_demands() throws IOException {
        String pool = "{'metadata':{'name':'mp','resourceVersion':'%s'},'spec':{'providerIDList':['%s'],"
                + "'template':{'spec':{'taints':%s}}},'status':{'replicas':1,'nodeRefs':[{'name':'%s'}],'conditions':[%s]}}";
        String taints = "[{'key':'a','effect':'NoSchedule','propagation':'Always'}]";
        MachinePool one = read(pool.formatted("1", "a", taints, "n", ""));

        assertThat(one.demand()).isEqualTo(read(pool.formatted("2", "b", taints, "m", OWN)).demand());
        assertThat(one.demand()).isNotEqualTo(read(pool.formatted("1", "a", "[]", "n", "")).demand());
    }

    @Test
    void one_with_more_machines_than_are_kept_is_read_all_the_same() throws IOException {
        MachinePool pool = read("{'metadata':{'name':'mp'},'spec':{'providerIDList':[" + "'a',".repeat(100_001)
                + "'b'],'clusterName':'prod'},'status':{'nodeRefs':[" + "{},".repeat(100_001) + "{}]}}");

        assertThat(pool.providerIds()).hasSize(100_001).doesNotContain("b");
        assertThat(pool.nodes()).hasSize(100_001);
        assertThat(pool.truncatedFields()).containsExactly("spec.providerIDList", "status.nodeRefs");
        assertThat(pool.minus(pool).truncatedFields()).isEmpty();
        assertThat(read("{'spec':{'providerIDList':[" + "'a',".repeat(99_999) + "'a']},'status':{'nodeRefs':["
                + "{},".repeat(99_999) + "{}]}}").truncatedFields()).isEmpty();
        assertThat(pool.clusterName()).isEqualTo("prod");
        assertThat(
                read("{'spec':{'template':{'spec':{'taints':[" + "{},".repeat(100_001) + "{}]}}}}").truncatedFields())
                .containsExactly("spec.template.spec.taints");
    }

    private static MachinePool read(String json) throws IOException {
        return Projection.MACHINE_POOL.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
