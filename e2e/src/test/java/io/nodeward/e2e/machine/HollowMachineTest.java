package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiRelease;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.HollowNode;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.LoggedProcess;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Machine whose Node a real kubelet registers {@code uninitialized}, and pods that wait for a scheduler meanwhile. */
@Tag("deep")
class HollowMachineTest {
    private static final String NAME = "hollow-machine";
    private static final String TAINT = "example.com/gpu=a100:NoSchedule";

    private static void pod(MachineSuite suite, String name, String tolerations) {
        suite.admin().create(suite.core() + "/pods", Json.parse("""
                {'metadata':{'name':'%s'},'spec':{'tolerations':%s,'automountServiceAccountToken':false,
                 'containers':[{'name':'c','image':'i'}]}}""".formatted(name, tolerations).replace('\'', '"')));
    }

    /** Returns whether the scheduler has found no Node for it, for a taint. */
    private static boolean unschedulable(MachineSuite suite, String pod) {
        return suite.admin().get(suite.core() + "/pods/" + pod).at("/status/conditions").valueStream()
                .anyMatch(condition -> condition.path("reason").asText().equals("Unschedulable")
                        && condition.path("message").asText().contains("untolerated taint"));
    }

    private static String phase(MachineSuite suite, String pod) {
        return suite.admin().get(suite.core() + "/pods/" + pod).at("/status/phase").asText();
    }

    @Test
    void no_pod_runs_before_the_taints_of_its_machine_are_there_and_then_who_tolerates_them() {
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard());
                MachineSuite suite = MachineSuite.on(controlPlane, ClusterApiRelease.LATEST, NAME);
                LoggedProcess scheduler = controlPlane.scheduler()) {
            suite.cluster("c");
            suite.admin().createIfAbsent(suite.core() + "/serviceaccounts",
                    Json.parse("{\"metadata\":{\"name\":\"default\"}}"));
            pod(suite, "stranger", "[]");
            pod(suite, "member", "[{'key':'example.com/gpu','operator':'Exists'}]");
            try (HollowNode kubelet = HollowNode.start(
                    controlPlane, NAME, "--register-with-taints=node.cluster.x-k8s.io/uninitialized=:NoSchedule")) {
                String providerId = suite.fleet().removeNotReady(NAME).at("/spec/providerID").asText();
                assertThat(Taints.on(suite.node(NAME))).containsExactly(Taints.UNINITIALIZED);
                suite.fleet().machine(Taints.declare(
                        MachineSpec.named(NAME, "c").withProviderId(providerId), TAINT + ":Always"));
                AuditLog.Mark mark = suite.mark();
                await("the scheduler's verdict").atMost(MachineSuite.PATIENCE)
                        .until(() -> unschedulable(suite, "member"));
                try (RunningNodeward nodeward = suite.start()) {
                    await(kubelet.log()).atMost(MachineSuite.PATIENCE)
                            .until(() -> phase(suite, "member").equals("Running"));
                    suite.awaitTaints(NAME, TAINT);
                    assertThat(unschedulable(suite, "stranger")).isTrue();
                    List<AuditRequest> writes = suite.settledSince(mark).stream()
                            .filter(request -> request.isWrite() && request.resource().equals("nodes")).toList();
                    assertThat(writes).as("uninitialized goes in the write that brings the taint").hasSize(1);
                    assertThat(nodeward.isReady()).isTrue();
                }
            }
        }
    }
}
