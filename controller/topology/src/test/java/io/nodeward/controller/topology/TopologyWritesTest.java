package io.nodeward.controller.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reaches objects between a Cluster and its Machines, and how many requests it costs. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TopologyWritesTest extends TopologyFixture {
    private static final String A = "a=1:NoSchedule";
    private static final String B = "b=1:NoExecute";
    private static final Predicate<Request> WATCHES = request -> request.query().contains("watch=true");

    @Test
    void cluster_and_class_reach_all_three_places_and_go_down_to_machines() throws Exception {
        everything();
        start();

        awaitTaints("kubeadmcontrolplanes", "cp", A, B);
        awaitTaints("machinedeployments", "md", A, B);
        awaitTaints("machinepools", "mp", A, B);
        awaitTaints("machines", "md-0-0", A, B);
        awaitTaints("machines", "mp-0", A, B);
        settle();
        assertThat(propagated()).containsExactlyInAnyOrder("kubeadmcontrolplanes/cp", "machinedeployments/md",
                "machinepools/mp", "machinesets/md-0", "machines/md-0-0", "machines/mp-0");
        assertThat(writes()).filteredOn(request -> request.path().contains("/machinepools/mp"))
                .allMatch(request -> request.query().equals("fieldManager=nodeward-topology"))
                .allMatch(request -> request.body().contains("\"resourceVersion\":\""));
        assertThat(writes()).filteredOn(request -> request.path().endsWith("/machines/mp-0"))
                .allMatch(request -> request.query().equals("fieldManager=nodeward-machinepool"));

        stop();
        startSettled();
        assertThat(writes()).as("after a restart").isEmpty();
    }

    private void everything() {
        objects.definition(true);
        objects.clusterClass(A);
        objects.cluster(B);
        objects.controlPlane();
        objects.workers("machinedeployments", "md");
        objects.workers("machinepools", "mp");
        objects.owned("machinesets", "md-0", "md", "machinedeployments");
        objects.owned("machines", "md-0-0", "md-0", "machinesets");
        objects.owned("machines", "mp-0", "mp", "machinepools");
    }

    @Test
    void what_leaves_the_last_list_leaves_no_field() {
        everything();
        startSettled();
        objects.editCluster();
        objects.editClass();

        awaitTaints("machines", "md-0-0");
        awaitTaints("machines", "mp-0");
        awaitTaints("kubeadmcontrolplanes", "cp");
        assertThat(server.get("machines", "fleet", "mp-0").orElseThrow().path("spec").has("taints")).isFalse();
        assertThat(server.get("machinepools", "fleet", "mp").orElseThrow().at("/spec/template/spec").has("taints"))
                .isFalse();
    }

    @Test
    void an_edit_of_a_machine_deployment_is_one_patch_for_each_set_and_machine() {
        objects.plainCluster();
        objects.deployment("d", 3, 5);
        objects.deployment("other", 1, 2);
        startSettled();
        objects.declare("machinedeployments", "d", A);

        IntStream.range(0, 15).forEach(i -> awaitTaints("machines", "d-" + i / 5 + "-" + i % 5, A));
        settle();
        assertThat(propagated()).hasSize(18).doesNotHaveDuplicates().noneMatch(path -> path.contains("other"));
        assertThat(writes()).allSatisfy(request -> assertThat(request.body()).contains("\"resourceVersion\":\""));
        assertThat(server.requests()).as("nothing is read").allMatch(r -> r.method().equals("PATCH"));
        assertThat(registry.get("nodeward.declared.taints.writes").tag("result", "written").counter().count())
                .isEqualTo(18);
    }

    @Test
    void entries_of_others_survive_and_what_is_taken_away_comes_back() {
        objects.plainCluster();
        objects.deployment("d", 1, 1);
        objects.declare("machinedeployments", "d", A);
        startSettled();
        objects.apply("machinesets", "d-0", "somebody", B);
        awaitTaints("machines", "d-0-0", A, B);

        objects.declare("machinesets", "d-0", B);
        awaitTaints("machinesets", "d-0", B, A);
        objects.declare("machinedeployments", "d");
        awaitTaints("machinesets", "d-0", B);
        awaitTaints("machines", "d-0-0", B);
    }

    @Test
    void what_a_machine_was_made_with_follows_an_edit_and_a_removal() {
        objects.plainCluster();
        objects.deployment("d", 1, 0);
        objects.declare("machinedeployments", "d", A);
        start();
        awaitTaints("machinesets", "d-0", A);
        objects.owned("machines", "d-0-0", "d-0", "machinesets", A);
        await().atMost(PATIENCE).until(() -> propagated().contains("machines/d-0-0"));
        settle();

        objects.declare("machinedeployments", "d", "a=2:NoSchedule");
        awaitTaints("machines", "d-0-0", "a=2:NoSchedule");
        objects.declare("machinedeployments", "d");
        awaitTaints("machines", "d-0-0");
        assertThat(server.get("machines", "fleet", "d-0-0").orElseThrow().path("spec").has("taints")).isFalse();
    }

    @Test
    void a_conflict_is_planned_again_from_the_newer_object() {
        objects.plainCluster();
        objects.deployment("d", 1, 0);
        startSettled();
        // Somebody writes at every watch event's heels: the controller plans from what is outdated by then.
        server.fault(r -> r.method().equals("PATCH") && r.path().endsWith("/d-0") && r.query().contains("nodeward"),
                Fault.status(409, "Conflict", "the object has been modified"));
        AtomicBoolean first = new AtomicBoolean(true);
        server.listen(request -> {
            if (request.query().contains("nodeward") && first.getAndSet(false)) {
                objects.apply("machinesets", "d-0", "somebody", B);
            }
        });
        objects.declare("machinedeployments", "d", A);

        awaitTaints("machinesets", "d-0", B, A);
        settle();
        assertThat(propagated()).containsExactly("machinesets/d-0", "machinesets/d-0");
    }

    @Test
    void complete_adds_what_was_dropped_and_leaves_the_rest_to_others() {
        config.mode = TopologyConfig.Mode.complete;
        everything();
        objects.apply("machinedeployments", "md", "capi-topology", B);
        objects.apply("machinesets", "md-0", "capi-machinedeployment");
        startSettled();

        assertThat(objects.taintsOf("machinedeployments", "md")).containsExactly(B, A);
        assertThat(objects.taintsOf("machinepools", "mp")).containsExactly(A);
        assertThat(objects.taintsOf("machinesets", "md-0")).isEmpty();
        objects.apply("machinedeployments", "md", "capi-topology", "c=1:NoExecute");
        awaitTaints("machinedeployments", "md", A, "c=1:NoExecute");
    }

    @Test
    void complete_lets_go_of_what_is_still_declared_only_once_another_has_put_it_there() {
        config.mode = TopologyConfig.Mode.complete;
        everything();
        objects.apply("machinedeployments", "md", "capi-topology", B);
        startSettled();
        assertThat(objects.taintsOf("machinedeployments", "md")).containsExactly(B, A);
        objects.editCluster();
        settle();
        assertThat(propagated()).as("the other has not come yet").isEmpty();

        objects.apply("machinedeployments", "md", "capi-topology", A);
        await().atMost(PATIENCE).until(() -> propagated().contains("machinedeployments/md"));
        settle();
        assertThat(propagated()).containsExactly("machinedeployments/md");
        assertThat(objects.taintsOf("machinedeployments", "md")).containsExactly(A);
        assertThat(objects.taintsOf("machinepools", "mp")).containsExactly(A);
        objects.editClass();
        awaitTaints("machinepools", "mp");
        awaitTaints("kubeadmcontrolplanes", "cp");
    }

    @Test
    void complete_shares_what_another_is_about_to_drop_as_soon_as_the_cluster_has_a_list() {
        config.mode = TopologyConfig.Mode.complete;
        objects.clusterClass(A);
        objects.cluster();
        objects.workers("machinedeployments", "md");
        objects.apply("machinedeployments", "md", "capi-topology", A);
        startSettled();
        assertThat(propagated()).isEmpty();

        objects.editCluster(B);
        await().atMost(PATIENCE).until(() -> propagated().contains("machinedeployments/md"));
        objects.apply("machinedeployments", "md", "capi-topology", B);
        assertThat(objects.taintsOf("machinedeployments", "md")).containsExactlyInAnyOrder(A, B);
        settle();
        assertThat(propagated()).containsExactly("machinedeployments/md");
    }

    @Test
    void pools_alone_leave_topologies_and_deployments_as_they_are() {
        topologies = false;
        everything();
        objects.declare("machinepools", "mp", B);
        objects.declare("machinedeployments", "md", B);
        start();

        awaitTaints("machines", "mp-0", B);
        settle();
        assertThat(propagated()).containsExactly("machines/mp-0");
        assertThat(server.requests()).filteredOn(WATCHES).extracting(Request::path)
                .noneMatch(path -> path.endsWith("/machinesets") || path.endsWith("/clusterclasses")
                        || path.endsWith("/customresourcedefinitions"));
    }

    @Test
    void without_the_gate_of_pools_none_is_written_to_and_nothing_of_theirs_goes_down() {
        pools = false;
        everything();
        objects.owned("machines", "mp-1", "mp", "machinepools");
        objects.declare("machinepools", "mp", B);
        start();

        awaitTaints("machines", "md-0-0", A, B);
        awaitTaints("kubeadmcontrolplanes", "cp", A, B);
        settle();
        assertThat(propagated()).noneMatch(path -> path.contains("mp"));
        assertThat(server.requests()).filteredOn(WATCHES).extracting(Request::path)
                .noneMatch(path -> path.endsWith("/machinepools"));
    }

    @Test
    void nothing_is_written_to_what_is_paused() {
        objects.plainCluster();
        objects.deployment("d", 1, 1);
        server.mergePatch("machinesets", "fleet", "d-0",
                json("{'metadata':{'annotations':{'cluster.x-k8s.io/paused':''}}}"));
        startSettled();
        objects.declare("machinedeployments", "d", A);
        objects.declare("machinesets", "d-0", B);
        settle();
        assertThat(propagated()).isEmpty();

        server.mergePatch("machinesets", "fleet", "d-0", json("{'metadata':{'annotations':null}}"));
        awaitTaints("machinesets", "d-0", B, A);
        awaitTaints("machines", "d-0-0", B, A);
        server.mergePatch("clusters", "fleet", "c", json("{'spec':{'paused':true}}"));
        settle();
        objects.declare("machinedeployments", "d");
        settle();
        assertThat(objects.taintsOf("machinesets", "d-0")).containsExactly(B, A);
        server.mergePatch("clusters", "fleet", "c", json("{'spec':{'paused':false}}"));
        awaitTaints("machines", "d-0-0", B);
    }

    @Test
    void the_annotation_of_a_cluster_pauses_what_it_declares_and_lets_the_steps_of_cluster_api_go_on() {
        everything();
        server.mergePatch("clusters", "fleet", "c",
                json("{'metadata':{'annotations':{'cluster.x-k8s.io/paused':''}}}"));
        objects.declare("machinepools", "mp", A);
        startSettled();
        objects.declare("machinedeployments", "md", B);

        settle();
        assertThat(propagated()).containsExactlyInAnyOrder("machinesets/md-0", "machines/md-0-0");
        server.mergePatch("clusters", "fleet", "c", json("{'metadata':{'annotations':null}}"));
        settle();
        assertThat(objects.taintsOf("machinedeployments", "md")).containsExactlyInAnyOrder(A, B);
        assertThat(objects.taintsOf("machines", "mp-0")).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void what_another_object_of_the_same_name_had_made_is_not_touched() {
        objects.plainCluster();
        objects.deployment("d", 1, 0);
        startSettled();
        server.delete("machinedeployments", "fleet", "d");
        server.create("machinedeployments",
                Objects.object("d", "'spec':{'clusterName':'c','template':{'spec':{'clusterName':'c'}}}"));
        objects.owned("machinesets", "its-own", "d", "machinedeployments");
        objects.declare("machinedeployments", "d", A);

        awaitTaints("machinesets", "its-own", A);
        server.mergePatch("machinesets", "fleet", "d-0", json("{'metadata':{'labels':{'looked':'at'}}}"));
        settle();
        assertThat(propagated()).containsExactly("machinesets/its-own");
    }

    @Test
    void a_dry_run_writes_nothing() {
        dryRun = true;
        everything();
        startSettled();
        assertThat(writes()).isEmpty();
        assertThat(registry.get("nodeward.declared.taints.writes").tag("result", "dry_run").counter().count())
                .isPositive();
    }

    @Test
    void a_class_counts_whether_or_not_it_bears_the_watch_filter() {
        watchFilter = "mine";
        everything();
        for (String path : List.of("clusters c", "machinedeployments md")) {
            server.mergePatch(path.split(" ")[0], "fleet", path.split(" ")[1],
                    json("{'metadata':{'labels':{'cluster.x-k8s.io/watch-filter':'mine'}}}"));
        }
        start();
        awaitTaints("machinedeployments", "md", A, B);
        settle();
        assertThat(objects.taintsOf("machinepools", "mp")).isEmpty();
    }

    @Test
    void a_kind_of_control_planes_is_watched_only_while_a_cluster_names_it() {
        everything();
        start();
        awaitTaints("kubeadmcontrolplanes", "cp", A, B);
        server.delete("clusters", "fleet", "c");
        settle();

        server.clearRequests();
        server.dropWatches();
        await().atMost(PATIENCE).until(() -> watched("clusters") && watched("customresourcedefinitions"));
        settle();
        assertThat(watched("kubeadmcontrolplanes")).isFalse();

        objects.cluster("c=1:NoExecute");
        awaitTaints("kubeadmcontrolplanes", "cp", A, "c=1:NoExecute");
        assertThat(watched("kubeadmcontrolplanes")).isTrue();
    }

    private boolean watched(String resource) {
        return server.requests().stream().filter(WATCHES).anyMatch(r -> r.path().endsWith("/" + resource));
    }

    @Test
    void a_provider_gets_them_once_its_definition_has_the_field() {
        objects.definition(false);
        objects.clusterClass(A);
        objects.cluster();
        objects.controlPlane();
        start();
        await().atMost(PATIENCE).until(() -> events("ControlPlaneWithoutTaints").size() == 1);
        assertThat(events("ControlPlaneWithoutTaints").getFirst())
                .startsWith("Cluster: KubeadmControlPlane cp: ").contains("contract");
        assertThat(propagated()).isEmpty();

        objects.upgradeDefinition();
        awaitTaints("kubeadmcontrolplanes", "cp", A);
        await().atMost(PATIENCE).until(() -> condition("clusters", "c").isEmpty());
    }

    @Test
    void in_an_old_version_a_taint_goes_when_discovery_has_said_twice_that_there_is_no_newer_one() throws Exception {
        serveOldVersionAlone();
        everything();
        startSettled();
        objects.editClass("c=1:NoSchedule");
        awaitTaints("machinedeployments", "md", "c=1:NoSchedule", B, A);
        awaitTaints("machinepools", "mp", "c=1:NoSchedule", B, A);
        settle();
        assertThat(objects.taintsOf("machines", "mp-0")).contains(A);
        assertThat(objects.taintsOf("kubeadmcontrolplanes", "cp")).contains(A);

        passUntil(() -> !objects.taintsOf("machines", "md-0-0").contains(A));
        for (String machines : List.of("md-0-0", "mp-0")) {
            passUntil(() -> !objects.taintsOf("machines", machines).contains(A));
            assertThat(objects.taintsOf("machines", machines)).containsExactlyInAnyOrder("c=1:NoSchedule", B);
        }
    }

    /** An older version, which may lack the field for taints. */
    private void serveOldVersionAlone() {
        server.fault(1_000_000, r -> r.path().equals("/apis/cluster.x-k8s.io"),
                new Fault.Answer(200, Map.of("Content-Type", "application/json"),
                        "{\"kind\":\"APIGroup\",\"versions\":[{\"version\":\"v1beta1\"}]}"));
        server.fault(1_000_000, r -> r.path().startsWith("/apis/cluster.x-k8s.io/v1beta2"),
                new Fault.Answer(404, Map.of("Content-Type", "text/plain"), "404 page not found\n"));
    }
}
