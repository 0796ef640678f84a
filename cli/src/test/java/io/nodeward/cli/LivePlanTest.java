package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of live clusters. */
class LivePlanTest extends LiveFixture {
    @Test
    void a_plan_is_the_same_as_from_files_and_writes_nothing() throws IOException {
        Path fleet = Files.writeString(folder.resolve("fleet.yaml"), Typed.fleet());
        String edit = Files.writeString(folder.resolve("edit.yaml"), """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineSet
                metadata: {name: prod-gpu-x}
                spec:
                  template:
                    spec: {taints: [{key: planned, effect: NoExecute, propagation: Always}]}
                """).toString();
        Result offline = Typed.run("", "plan", "-f", fleet.toString(), "--edit", edit, "-n", "fleet");
        management.server.clearRequests();
        workload.clearRequests();
        Result result = management.run("plan", "--edit", edit, "-n", "fleet");

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).contains("+  planned:NoExecute", "shop/web").isEqualTo(offline.out());
        assertThat(management.server.requests()).allMatch(request -> request.method().equals("GET"));
        assertThat(workload.requests()).isNotEmpty().allMatch(request -> request.method().equals("GET"));
    }

    /** @param allowed whether the user may patch; if not, managedFields tell the same */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_edit_that_is_applied_server_side_is_asked_of_the_server_which_stores_nothing(boolean allowed)
            throws IOException {
        if (!allowed) {
            management.server.fault(1, request -> request.method().equals("PATCH"),
                    Fault.status(403, "Forbidden",
                            "machinedeployments.cluster.x-k8s.io \"prod-gpu\" is forbidden: User \"u\" cannot patch"
                                    + " resource \"machinedeployments\" in API group \"cluster.x-k8s.io\""));
        }
        management.server.clearRequests();
        String edit = Files.writeString(folder.resolve("edit.yaml"), """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {namespace: fleet, name: prod-gpu}
                spec: {template: {spec: {taints: [{key: planned, effect: NoSchedule, propagation: Always}]}}}
                """).toString();
        Result result = management.run(
                "plan", "--edit", edit, "--server-side", "--field-manager", "flux", "--force-conflicts");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).contains("+  planned:NoSchedule");
        assertThat(result.err().contains("you may not patch it")).as(result.err()).isEqualTo(!allowed);
        assertThat(management.server.requests().stream().filter(request -> !request.method().equals("GET")))
                .singleElement().satisfies(request -> {
                    assertThat(request.method() + " " + request.path()).isEqualTo(
                            "PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machinedeployments/prod-gpu");
                    assertThat(request.query()).contains("dryRun=All", "fieldManager=flux", "fieldValidation=Strict",
                            "force=true");
                });
        assertThat(management.server.get("machinedeployments", "fleet", "prod-gpu").toString())
                .doesNotContain("planned");
    }

    @ParameterizedTest
    @ValueSource(strings = {"admission webhook \"policy.example.com\" denied the request: no",
            "machinedeployments.cluster.x-k8s.io \"prod-gpu\" is forbidden: ValidatingAdmissionPolicy 'p' with binding"
                    + " 'b' denied request: no"})
    void an_edit_that_admission_refuses_is_not_planned(String words) throws IOException {
        management.server.fault(1, request -> request.method().equals("PATCH"), Fault.status(403, "Forbidden", words));
        String edit = Files.writeString(folder.resolve("edit.yaml"), """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {namespace: fleet, name: prod-gpu}
                spec: {}
                """).toString();
        Result result = management.run("plan", "--edit", edit, "--server-side");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("MachineDeployment fleet/prod-gpu: Error from server (Forbidden): " + words);
    }

    @Test
    void a_plan_leaves_alone_what_is_paused_and_asks_for_no_bootstrap_files() throws IOException {
        String edit = Files.writeString(folder.resolve("edit.yaml"), """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {namespace: fleet, name: prod-gpu}
                spec: {template: {spec: {taints: [{key: planned, effect: NoExecute, propagation: Always}]}}}
                """).toString();
        assertThat(management.run("plan", "--edit", edit).out()).contains("+  planned:NoExecute");
        management.server.mergePatch("clusters", "fleet", "prod",
                (ObjectNode) Cluster.JSON.readTree("{\"spec\":{\"paused\":true}}"));
        management.server.clearRequests();
        Result result = management.run("plan", "--edit", edit);

        assertThat(result.out()).startsWith("0 of 4 Nodes change");
        assertThat(result.err()).contains("warning: Cluster fleet/prod is paused: its Nodes are not planned");
        assertThat(management.server.requests()).noneMatch(request -> request.path().contains("kubeadmconfigs"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"machines", "machinesets", "machinedeployments", "machinepools"})
    void a_plan_is_not_made_without_what_it_follows(String plural) {
        management.server.fault(1_000, request -> request.path().endsWith("/" + plural),
                Fault.status(403, "Forbidden", "not you"));
        Result result = management.run("plan", "--cluster", "fleet/prod");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).startsWith("Error from server (Forbidden): ");
    }

    @Test
    void a_plan_needs_nothing_of_what_is_above_a_machine_deployment() {
        for (String plural : List.of("clusterclasses", "kubeadmcontrolplanes", "kubeadmconfigs")) {
            management.server.fault(1_000, request -> request.path().contains("/" + plural),
                    Fault.status(403, "Forbidden", "not you"));
        }
        Result result = management.run("plan", "--cluster", "fleet/prod");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.err()).doesNotContain("not allowed");
    }

    @Test
    void what_an_edit_needs_above_a_machine_deployment_and_may_not_be_read_is_told() throws IOException {
        for (String plural : List.of("clusterclasses", "kubeadmcontrolplanes")) {
            management.server.fault(1_000, request -> request.path().contains("/" + plural),
                    Fault.status(403, "Forbidden", "not you"));
        }
        Path edit = Files.writeString(folder.resolve("edit.yaml"), """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {namespace: fleet, name: prod}
                spec: {topology: {workers: {machineDeployments: [{class: worker, name: gpu}]}}}
                """);
        Result topology = management.run("plan", "--edit", edit.toString());
        assertThat(topology.exit()).isEqualTo(1);
        assertThat(topology.err()).contains("Cluster fleet/prod: not allowed to get ClusterClass standard in"
                + " namespace fleet: what it declares is not known; without it this edit is not planned");

        Files.writeString(edit, """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {namespace: fleet, name: prod-cp-1}
                spec: {taints: [{key: planned, effect: NoSchedule, propagation: Always}]}
                """);
        Result machine = management.run("plan", "--edit", edit.toString());
        assertThat(machine.exit()).as(machine.err()).isZero();
        assertThat(machine.err()).containsOnlyOnce("warning: not allowed to get KubeadmControlPlane prod-cp in"
                + " namespace fleet: what it declares for its Machines is not known").doesNotContain("ClusterClass");
    }
}
