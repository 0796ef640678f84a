package io.nodeward.autoscaler.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.core.fakeapi.Fault;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What MachinePools advertise while no gate propagates their taints: it depends on whether they make Machines. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PoolsOfMachinesTest extends AdapterFixture {
    private static final String POOLS = "machinepools";
    private static final String LABEL = "node.cluster.x-k8s.io/zone";

    @BeforeEach
    void withoutGates() {
        poolTaints = false;
        config.labels = true;
    }

    @Test
    void what_its_machines_bring_to_nodes_is_advertised() {
        pool();
        machine("m");
        start();

        awaitText(POOLS, "p", "x:NoExecute");
        assertThat(annotation(POOLS, "p", CapacityAnnotations.LABELS)).isEqualTo(LABEL + "=z");
    }

    @Test
    void a_pool_at_zero_is_advertised_as_its_infrastructure_says_that_it_makes_machines() {
        pool();
        infrastructure("'infrastructureMachineKind':'SomeMachine'");
        start();

        awaitText(POOLS, "p", "x:NoExecute");
    }

    @Test
    void a_pool_that_makes_none_is_not_advertised_until_it_has_one() throws Exception {
        pool();
        infrastructure("'ready':true");
        start();
        await().until(() -> gauge("nodeward.autoscaler.redundant.groups") == 1);
        settle();
        assertThat(writes()).isEmpty();

        machine("m");
        awaitText(POOLS, "p", "x:NoExecute");
    }

    @Test
    void what_was_advertised_stays_when_the_last_machine_goes_and_nobody_says_what_comes() throws Exception {
        pool();
        machine("m");
        management.fault(1_000, r -> r.path().endsWith("/somepools/p"), Fault.status(403, "Forbidden", "no"));
        start();
        awaitText(POOLS, "p", "x:NoExecute");
        assertThat(gauge("nodeward.autoscaler.redundant.groups")).isZero();

        management.delete("machines", "fleet", "m");
        await().until(() -> management.requests().stream()
                .anyMatch(r -> r.path().endsWith("/somepools/p")));
        settle();
        assertThat(annotation(POOLS, "p", TAINTS)).isEqualTo("x:NoExecute");
        assertThat(annotation(POOLS, "p", CapacityAnnotations.LABELS)).isEqualTo(LABEL + "=z");
        assertThat(gauge("nodeward.autoscaler.redundant.groups")).isZero();
    }

    private void pool() {
        group(POOLS, "p", "a=1:NoSchedule");
        management.mergePatch(POOLS, "fleet", "p", json("{'spec':{'template':{'metadata':{'annotations':{"
                + "'taint.nodeward.io/x':'x:NoExecute'},'labels':{'" + LABEL + "':'z'}},'spec':{'infrastructureRef':{"
                + "'apiGroup':'infrastructure.cluster.x-k8s.io','kind':'SomePool','name':'p'}}}}}"));
    }

    private void infrastructure(String status) {
        management.create("somepools", json("{'metadata':{'namespace':'fleet','name':'p'},'spec':{},'status':{"
                + status + "}}"));
    }

    private void machine(String name) {
        management.create("machines", json("{'metadata':{'namespace':'fleet','name':'" + name + "','ownerReferences':[{"
                + "'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'MachinePool','name':'p','uid':'u','controller':true"
                + "}]},'spec':{'clusterName':'c'}}"));
    }
}
