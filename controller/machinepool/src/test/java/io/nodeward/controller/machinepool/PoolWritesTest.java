package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reaches the Nodes of a pool, and how many requests it costs. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PoolWritesTest extends PoolFixture {
    private static final String UNINITIALIZED = "node.cluster.x-k8s.io/uninitialized=:NoSchedule";

    @Test
    void an_edit_of_the_pool_is_one_patch_for_each_node_and_nothing_else() throws Exception {
        pool("p", 20);
        pool("other", 2);
        startConverged();
        declare("p", "a=1:NoSchedule");
        for (int i = 0; i < 20; i++) {
            awaitTaints("p-" + i, "a=1:NoSchedule");
        }
        settle();

        assertThat(requests()).hasSize(20).allSatisfy(request -> {
            assertThat(request.method()).isEqualTo("PATCH");
            assertThat(request.path()).startsWith("/api/v1/nodes/p-");
            assertThat(request.query()).isEqualTo("fieldManager=nodeward-machinepool");
            assertThat(request.body()).contains("\"test\",\"path\":\"/spec/taints\"").doesNotContain("resourceVersion");
        });
        assertThat(management.requests()).isEmpty();
    }

    @Test
    void what_somebody_takes_off_a_node_comes_back_there_alone() throws Exception {
        pool("p", 3, "a=1:NoSchedule");
        startConverged();
        workload.mergePatch("nodes", "", "p-1", json("{'spec':{'taints':null}}"));

        awaitTaints("p-1", "a=1:NoSchedule");
        settle();
        assertThat(requests()).extracting(Request::path).containsExactly("/api/v1/nodes/p-1");
    }

    @Test
    void a_node_that_joins_gets_both_kinds_and_keeps_uninitialized() throws Exception {
        pool("p", 1, "a=1:NoSchedule", "b=2:NoExecute:OnInitialization");
        startConverged();
        node("p-1", "node.cluster.x-k8s.io/uninitialized=:NoSchedule");
        list("p", ids(2));

        awaitTaints("p-1", UNINITIALIZED, "a=1:NoSchedule", "b=2:NoExecute");
    }

    @Test
    void uninitialized_goes_too_if_so_chosen() throws Exception {
        config.initialize = true;
        node("p-1", "node.cluster.x-k8s.io/uninitialized=:NoSchedule");
        pool("p", 1, "a=1:NoSchedule");
        list("p", ids(2));
        start();

        awaitTaints("p-1", "a=1:NoSchedule");
    }

    @Test
    void a_node_that_is_refused_stops_no_other_and_is_named_in_one_event() throws Exception {
        pool("p", 5);
        startConverged();
        workload.fault(1_000, r -> r.method().equals("PATCH") && r.path().endsWith("/p-2"),
                Fault.status(422, "Invalid", "somebody's policy"));
        declare("p", "a=1:NoSchedule");

        for (int i : List.of(0, 1, 3, 4)) {
            awaitTaints("p-" + i, "a=1:NoSchedule");
        }
        quiet.passUntil(() -> !management.list("events").isEmpty());
        assertThat(management.list("events")).singleElement().satisfies(event -> {
            assertThat(event.path("reason").asText()).isEqualTo("NodeRejected");
            assertThat(event.path("message").asText()).contains("p-2", "somebody's policy");
            assertThat(event.at("/involvedObject/kind").asText()).isEqualTo("MachinePool");
        });
    }

    @Test
    void a_pool_with_machines_leaves_its_nodes_to_them() throws Exception {
        pool("p", 2);
        management.create("machines", json("{'metadata':{'namespace':'fleet','name':'m','ownerReferences':[{"
                + "'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'MachinePool','name':'p','uid':'u','controller':true}]},"
                + "'spec':{'clusterName':'c','providerID':'fake://p-0'}}"));
        start();
        declare("p", "a=1:NoSchedule");
        settle();
        assertThat(workload.requests()).isNotEmpty();
        assertThat(requests()).noneMatch(request -> request.method().equals("PATCH"));

        management.delete("machines", "fleet", "m");
        awaitTaints("p-1", "a=1:NoSchedule");
    }

    @Test
    void a_node_that_is_known_by_reference_alone_is_one_of_the_pool() throws Exception {
        workload.create("nodes", json("{'metadata':{'name':'n'},'spec':{}}"));
        pool("p", 0, "a=1:NoSchedule");
        String uid = workload.get("nodes", "", "n").orElseThrow().at("/metadata/uid").asText();
        management.mergePatch("machinepools", "fleet", "p",
                json("{'status':{'nodeRefs':[{'name':'n','uid':'" + uid + "'}]}}"));
        start();

        awaitTaints("n", "a=1:NoSchedule");
    }

    @Test
    void a_node_of_two_pools_is_not_changed() throws Exception {
        pool("p", 1, "a=1:NoSchedule");
        pool("q", 0, "b=1:NoSchedule");
        list("q", ids(1));
        start();

        quiet.passUntil(() -> management.list("events").stream()
                .filter(event -> event.path("reason").asText().equals("NodeClaimedTwice")).count() == 2);
        settle();
        assertThat(taintsOf("p-0")).isEmpty();
    }
}
