package io.nodeward.controller.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said where taints cannot be carried: once, on the object that declares them, and taken back when it is over. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TopologyTroublesTest extends TopologyFixture {
    private static final String A = "a=1:NoSchedule";

    @Test
    void where_another_carries_nothing_is_written_and_it_is_said() throws Exception {
        objects.clusterClass(A);
        objects.cluster();
        objects.workers("machinedeployments", "md");
        objects.apply("machinedeployments", "md", "capi-topology");
        start();
        passUntil(() -> condition("clusters", "c").isPresent());
        assertThat(condition("clusters", "c").orElseThrow().path("reason").asText()).isEqualTo("FieldConflict");
        passUntil(() -> events("FieldConflict").size() == 1);
        assertThat(events("FieldConflict").getFirst())
                .startsWith("Cluster: MachineDeployment md: capi-topology carries")
                .contains("--topology-mode=complete");
        assertThat(propagated()).isEmpty();

        stop();
        objects.apply("machinedeployments", "md", "capi-topology", A);
        startSettled();
        passUntil(() -> condition("clusters", "c").isEmpty());
        assertThat(events("FieldConflict")).hasSize(1);
    }

    @Test
    void what_was_said_is_taken_back_with_the_gates_off() throws Exception {
        saidOfClusterAndDeployment();
        topologies = false;
        pools = false;
        server.clearRequests();
        start();
        passUntil(() -> condition("clusters", "c").isEmpty()
                && condition("machinedeployments", "d").isEmpty());
        settle();
        assertThat(writes()).hasSize(2).allMatch(request -> request.path().endsWith("/status"));
    }

    @Test
    void what_was_said_of_deployments_is_taken_back_where_pools_alone_are_carried() throws Exception {
        saidOfClusterAndDeployment();
        topologies = false;
        start();
        passUntil(() -> condition("clusters", "c").isEmpty()
                && condition("machinedeployments", "d").isEmpty());
    }

    @Test
    void what_another_nodeward_said_stays() throws Exception {
        saidOfClusterAndDeployment();
        topologies = false;
        pools = false;
        watchFilter = "mine";
        startSettled();
        assertThat(condition("clusters", "c")).isPresent();
        assertThat(condition("machinedeployments", "d")).isPresent();
    }

    private void saidOfClusterAndDeployment() throws Exception {
        objects.clusterClass(A);
        objects.cluster();
        objects.workers("machinedeployments", "md");
        objects.apply("machinedeployments", "md", "capi-topology");
        objects.deployment("d", 1, 0);
        objects.apply("machinesets", "d-0", "capi-machinedeployment");
        objects.declare("machinedeployments", "d", A);
        start();
        passUntil(() -> condition("clusters", "c").isPresent()
                && condition("machinedeployments", "d").isPresent());
        stop();
    }

    @Test
    void what_lasts_no_longer_than_another_needs_to_carry_is_never_said() {
        objects.plainCluster();
        objects.deployment("d", 1, 0);
        objects.apply("machinesets", "d-0", "capi-machinedeployment");
        startSettled();
        objects.declare("machinedeployments", "d", A);
        settle();
        objects.apply("machinesets", "d-0", "capi-machinedeployment", A);
        settle();
        quiet.pass(BLOCKED_AFTER.plusSeconds(2));
        settle();
        assertThat(writes()).isEmpty();
        assertThat(server.list("events")).isEmpty();
    }

    @Test
    void many_refused_machines_are_one_event_and_one_condition() {
        objects.plainCluster();
        objects.deployment("d", 1, 6);
        startSettled();
        server.fault(1_000, r -> r.method().equals("PATCH") && r.path().contains("/machines/"),
                Fault.status(422, "Invalid", "somebody's policy"));
        objects.declare("machinedeployments", "d", A);
        passUntil(() -> condition("machinesets", "d-0").isPresent());
        passUntil(() -> events("TaintsRejected").size() == 1);
        assertThat(events("TaintsRejected").getFirst()).isEqualTo("MachineSet: Machine d-0-0, Machine d-0-1,"
                + " Machine d-0-2 and others: the write was refused: somebody's policy");
        assertThat(condition("machinedeployments", "d")).isEmpty();

        server.clearFaults();
        objects.declare("machinedeployments", "d");
        passUntil(() -> condition("machinesets", "d-0").isEmpty());
    }

    @Test
    void a_refused_write_is_tried_again_although_nothing_changes() {
        config.afterRefusal = new Backoff(Duration.ofMillis(100), Duration.ofMillis(500));
        objects.plainCluster();
        objects.deployment("d", 1, 0);
        startSettled();
        server.fault(1_000, r -> r.method().equals("PATCH") && r.path().endsWith("/machinesets/d-0"),
                Fault.status(422, "Invalid", "somebody's policy"));
        objects.declare("machinedeployments", "d", A);
        passUntil(() -> condition("machinedeployments", "d").isPresent());

        server.clearFaults();
        awaitTaints("machinesets", "d-0", A);
        passUntil(() -> condition("machinedeployments", "d").isEmpty());
    }

    @Test
    void what_somebody_else_declared_otherwise_stays_and_they_are_named() {
        objects.plainCluster();
        objects.deployment("d", 1, 0);
        objects.apply("machinesets", "d-0", "somebody", "a=2:NoSchedule");
        startSettled();
        objects.declare("machinedeployments", "d", A, "b=1:NoExecute");

        awaitTaints("machinesets", "d-0", "a=2:NoSchedule", "b=1:NoExecute");
        passUntil(() -> events("TaintContested").size() == 1);
        assertThat(events("TaintContested").getFirst()).startsWith("MachineDeployment: MachineSet d-0: ")
                .contains("somebody");
    }

    @Test
    void a_fight_is_held_back_and_said() {
        objects.plainCluster();
        objects.deployment("d", 1, 0);
        startSettled();
        server.listen(request -> {
            if (request.path().endsWith("/machinesets/d-0") && request.query().contains("nodeward")) {
                objects.declare("machinesets", "d-0");
            }
        });
        objects.declare("machinedeployments", "d", A);
        passUntil(() -> events("DriftRecurring").size() == 1);
        settle();
        assertThat(propagated()).hasSize(20);
    }

    @Test
    void a_provider_that_may_not_be_watched_is_said_until_it_may() {
        objects.definition(true);
        objects.clusterClass(A);
        objects.cluster();
        objects.controlPlane();
        server.fault(1_000, r -> r.path().endsWith("/kubeadmcontrolplanes"),
                Fault.status(403, "Forbidden", "no such right"));
        start();
        await().atMost(PATIENCE).until(() -> events("ControlPlaneForbidden").size() == 1);

        server.clearFaults();
        awaitTaints("kubeadmcontrolplanes", "cp", A);
        await().atMost(PATIENCE).until(() -> condition("clusters", "c").isEmpty());
    }

    @Test
    void a_missing_right_to_read_definitions_is_said_until_it_is_there() {
        objects.definition(true);
        objects.clusterClass(A);
        objects.cluster();
        objects.controlPlane();
        objects.workers("machinedeployments", "md");
        server.fault(1_000, r -> r.path().endsWith("/customresourcedefinitions"),
                Fault.status(403, "Forbidden", "no such right"));
        start();
        await().atMost(PATIENCE).until(() -> events("DefinitionsForbidden").size() == 1);
        assertThat(events("DefinitionsForbidden").getFirst()).startsWith("Cluster: KubeadmControlPlane cp: ");
        awaitTaints("machinedeployments", "md", A);

        server.clearFaults();
        awaitTaints("kubeadmcontrolplanes", "cp", A);
        await().atMost(PATIENCE).until(() -> condition("clusters", "c").isEmpty());
    }

    @Test
    void a_class_that_is_missing_is_said_of_its_own_workers_alone() {
        objects.cluster(A);
        objects.workers("machinedeployments", "mp"); // of the name of a group of MachinePools
        objects.workers("machinepools", "mp");
        server.create("clusterclasses",
                Objects.object("k", "'spec':{'workers':{'machineDeployments':[{'class':'w'}]}}"));
        start();
        passUntil(() -> events("ClassNotFound").size() == 1);
        assertThat(events("ClassNotFound").getFirst()).startsWith("Cluster: MachinePool mp: ")
                .endsWith("machinePools mp (class w)");
    }

    @Test
    void a_missing_class_and_a_class_of_workers_that_it_has_not_are_said() {
        objects.cluster(A);
        objects.workers("machinedeployments", "md");
        start();
        passUntil(() -> events("ClassNotFound").size() == 1);
        assertThat(events("ClassNotFound").getFirst()).contains("there is no ClusterClass fleet/k");
        assertThat(propagated()).isEmpty();

        server.create("clusterclasses", Objects.object("k", "'spec':{'workers':{}}"));
        passUntil(() -> events("ClassNotFound").size() == 2);
        assertThat(events("ClassNotFound")).anyMatch(message -> message.contains("machineDeployments md (class w)"));

        objects.editClass();
        awaitTaints("machinedeployments", "md", A);
        passUntil(() -> condition("clusters", "c").isEmpty());
    }

    @Test
    void complete_withholds_what_cluster_api_would_evict_a_fleet_with_until_the_number_is_confirmed() throws Exception {
        config.mode = TopologyConfig.Mode.complete;
        objects.clusterClass(A);
        objects.cluster("c=1:NoSchedule");
        objects.workers("machinedeployments", "md");
        objects.workers("machinepools", "mp");
        objects.machines("machinedeployments", "md", 11);
        objects.machines("machinepools", "mp", 11);
        startSettled();

        objects.editClass("b=1:NoSchedule", "a=1:NoExecute");
        passUntil(() -> condition("clusters", "c").isPresent());
        assertThat(objects.taintsOf("machinedeployments", "md")).containsExactly("b=1:NoSchedule");
        assertThat(objects.taintsOf("machinepools", "mp")).as("Nodeward itself carries these on")
                .containsExactly("b=1:NoSchedule", "a=1:NoExecute");
        assertThat(condition("clusters", "c").orElseThrow().path("reason").asText())
                .isEqualTo("NoExecuteNotConfirmed");
        passUntil(() -> events("NoExecuteNotConfirmed").size() == 1);
        assertThat(events("NoExecuteNotConfirmed").getFirst())
                .startsWith("Cluster: MachineDeployment md: 11 of 11 Nodes")
                .endsWith(
                        "set the annotation nodeward.io/confirmed-noexecute-nodes to 11 on the MachineDeployment itself");

        objects.confirm("machinedeployments", "md", 10);
        settle();
        assertThat(objects.taintsOf("machinedeployments", "md")).containsExactly("b=1:NoSchedule");
        objects.confirm("machinedeployments", "md", 11);
        awaitTaints("machinedeployments", "md", "b=1:NoSchedule", "a=1:NoExecute");
        passUntil(() -> condition("clusters", "c").isEmpty());
    }

    @Test
    void ten_nodes_need_no_confirmation_and_neither_does_what_nobody_else_carries() throws Exception {
        objects.clusterClass("a=1:NoExecute");
        objects.cluster("c=1:NoSchedule");
        objects.workers("machinedeployments", "md");
        objects.machines("machinedeployments", "md", 11);
        start();
        awaitTaints("machinedeployments", "md", "a=1:NoExecute", "c=1:NoSchedule");
        settle();
        stop();

        config.mode = TopologyConfig.Mode.complete;
        objects.editClass("b=1:NoExecute");
        objects.machines("machinedeployments", "md", 10);
        start();
        passUntil(() -> objects.taintsOf("machinedeployments", "md").contains("b=1:NoExecute"));
    }
}
