package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pools, Nodes and Machines come and go. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PoolChangesTest extends PoolFixture {
    private static final String A = "a=1:NoSchedule";

    @Test
    void a_node_that_leaves_a_second_pool_is_that_of_the_first_alone() throws Exception {
        pool("p", 1, A);
        pool("q", 0, "b=1:NoSchedule");
        list("q", "fake://p-0");
        start();
        awaitEvents("NodeClaimedTwice", 2);
        settle();
        assertThat(taintsOf("p-0")).isEmpty();

        list("q");
        awaitTaints("p-0", A);
    }

    @Test
    void a_node_is_that_of_the_first_pool_when_the_second_is_deleted() throws Exception {
        pool("p", 1, A);
        pool("q", 0, "b=1:NoSchedule");
        list("q", "fake://p-0");
        start();
        awaitEvents("NodeClaimedTwice", 2);

        management.delete("machinepools", "fleet", "q");
        awaitTaints("p-0", A);
    }

    @Test
    void nodes_with_one_provider_id_are_left_alone_until_one_is_gone() throws Exception {
        pool("p", 1, A);
        workload.create("nodes", json("{'metadata':{'name':'twin'},'spec':{'providerID':'fake://p-0'}}"));
        start();
        awaitEvents("ProviderIDNotUnique", 1);
        settle();
        assertThat(taintsOf("p-0")).isEmpty();
        assertThat(taintsOf("twin")).isEmpty();

        workload.delete("nodes", "", "twin");
        awaitTaints("p-0", A);
    }

    @Test
    void a_node_of_a_machine_comes_to_the_pool_when_the_machine_is_gone() throws Exception {
        pool("p", 2, A);
        management.create("machines", json("{'metadata':{'namespace':'fleet','name':'m'},"
                + "'spec':{'clusterName':'c','providerID':'fake://p-0'}}"));
        start();
        awaitTaints("p-1", A);
        settle();
        assertThat(taintsOf("p-0")).isEmpty();

        management.delete("machines", "fleet", "m");
        awaitTaints("p-0", A);
    }

    @Test
    void machines_of_a_pool_cost_its_nodes_nothing_but_the_first_and_the_last() throws Exception {
        pool("p", 3);
        startConverged();
        for (int i = 0; i < 5; i++) {
            machineOfPool("m-" + i, "p");
        }
        settle(); // Machines and pools come on two watches
        declare("p", A);
        settle();
        management.delete("machines", "fleet", "m-0");
        settle();
        assertThat(requests()).noneMatch(request -> request.method().equals("PATCH"));

        for (int i = 1; i < 5; i++) {
            management.delete("machines", "fleet", "m-" + i);
        }
        awaitTaints("p-2", A);
    }

    @Test
    void a_pool_that_came_to_make_machines_is_not_followed_again_when_its_last_machine_is_gone() throws Exception {
        management.create("somemachinepools", object("i", "'spec':{}"));
        pool("p", 1);
        management.mergePatch("machinepools", "fleet", "p", json("{'spec':{'template':{'spec':{'infrastructureRef':{"
                + "'apiGroup':'" + INFRASTRUCTURE + "','kind':'SomeMachinePool','name':'i'}}}}}"));
        startConverged();
        management.mergePatch("somemachinepools", "fleet", "i",
                json("{'status':{'infrastructureMachineKind':'SomeMachine'}}"));
        machineOfPool("m", "p");
        settle();
        management.delete("machines", "fleet", "m");
        settle();
        declare("p", A);
        settle();

        assertThat(requests()).noneMatch(request -> request.method().equals("PATCH"));
    }

    @Test
    void a_pool_that_grows_is_one_patch_for_each_new_node() throws Exception {
        pool("p", 10, A);
        startConverged();
        for (int i = 10; i < 15; i++) {
            node("p-" + i);
            list("p", ids(i + 1));
        }
        awaitTaints("p-14", A);
        settle();

        assertThat(requests()).extracting(Request::method).containsOnly("PATCH");
        assertThat(requests().stream().map(Request::path).collect(Collectors.groupingBy(p -> p, Collectors.counting())))
                .hasSize(5).allSatisfy((path, times) -> assertThat(times).isEqualTo(1));
    }

    @Test
    void nothing_is_written_while_paused_and_all_of_it_after() throws Exception {
        pool("p", 2);
        startConverged();
        management.mergePatch("machinepools", "fleet", "p",
                json("{'metadata':{'annotations':{'cluster.x-k8s.io/paused':''}}}"));
        declare("p", A);
        settle();
        assertThat(requests()).isEmpty();

        management.mergePatch("machinepools", "fleet", "p",
                json("{'metadata':{'annotations':{'cluster.x-k8s.io/paused':null}}}"));
        awaitTaints("p-0", A);
        awaitTaints("p-1", A);
    }

    @Test
    void a_deleted_pool_leaves_its_nodes_as_they_are() throws Exception {
        pool("p", 2, A);
        startConverged();
        management.delete("machinepools", "fleet", "p");
        settle();
        workload.mergePatch("nodes", "", "p-0", json("{'spec':{'taints':null}}"));
        settle();

        assertThat(taintsOf("p-0")).isEmpty();
        assertThat(taintsOf("p-1")).containsExactly(A);
        assertThat(requests()).noneMatch(request -> request.method().equals("PATCH"));
    }

    @Test
    void a_node_that_registers_again_gets_everything_anew() throws Exception {
        pool("p", 1, A, "b=2:NoExecute:OnInitialization");
        startConverged();
        workload.delete("nodes", "", "p-0");
        node("p-0", "node.cluster.x-k8s.io/uninitialized=:NoSchedule");

        awaitTaints("p-0", "node.cluster.x-k8s.io/uninitialized=:NoSchedule", A, "b=2:NoExecute");
    }

    private void awaitEvents(String reason, int count) {
        quiet.passUntil(() -> management.list("events").stream()
                .filter(event -> event.path("reason").asText().equals(reason)).count() == count);
    }

    private void machineOfPool(String name, String pool) {
        management.create("machines", json("{'metadata':{'namespace':'fleet','name':'" + name + "','ownerReferences':[{"
                + "'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'MachinePool','name':'" + pool
                + "','uid':'u','controller':true}]},"
                + "'spec':{'clusterName':'c','providerID':'fake://" + name + "'}}"));
    }

    @Test
    void in_an_old_version_a_taint_goes_when_discovery_has_said_twice_that_there_is_no_newer_one() throws Exception {
        serveOldVersionAlone();
        pool("p", 2, "a=1:NoSchedule");
        startConverged();
        declare("p");
        settle();
        assertThat(requests()).isEmpty();

        quiet.passUntil(() -> requests().size() == 2);
        awaitTaints("p-0");
        awaitTaints("p-1");
    }

    /** An older version, which may lack the field for taints. */
    private void serveOldVersionAlone() {
        management.fault(1_000_000, r -> r.path().equals("/apis/cluster.x-k8s.io"),
                new Fault.Answer(200, Map.of("Content-Type", "application/json"),
                        "{\"kind\":\"APIGroup\",\"versions\":[{\"version\":\"v1beta1\"}]}"));
        management.fault(1_000_000, r -> r.path().startsWith("/apis/cluster.x-k8s.io/v1beta2"),
                new Fault.Answer(404, Map.of("Content-Type", "text/plain"), "404 page not found\n"));
    }
}
