package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is wrong with one Machine or Node is said once, where its owner looks, and troubles no other. */
class BadMachineTest extends InRunningController {
    private static final String TAINT = "example.com/a:NoSchedule";

    BadMachineTest() {
        super("bad");
    }

    @Test
    void two_nodes_with_one_provider_id_are_left_alone_until_one_of_them_goes() {
        String id = Fleet.providerId("bad-twins");
        suite.fleet().node(NodeSpec.named("bad-twin-1").withProviderId(id));
        suite.fleet().node(NodeSpec.named("bad-twin-2").withProviderId(id));
        witness.settle();
        onlyEvents(() -> suite.fleet().machine(machine("bad-twins", TAINT + ":Always").withProviderId(id)));
        assertOneWarning("bad-twins", "ProviderIDNotUnique", "bad-twin-1", "bad-twin-2", id);

        witness.nothing(() -> patchNode("bad-twin-1", labels("example.com/any", "change")));
        witness.onePatch("bad-twin-2", () -> suite.admin().delete(Fleet.nodePath("bad-twin-1")));
        assertThat(Taints.on(suite.node("bad-twin-2"))).containsExactly(TAINT);
        assertOneWarning("bad-twins", "ProviderIDNotUnique", "bad-twin-1");
    }

    @Test
    void two_machines_with_one_provider_id_change_nothing_until_one_of_them_goes() {
        witness.pair(machine("bad-first", TAINT + ":Always"));
        onlyEvents(() -> suite.fleet().machine(machine("bad-second", "example.com/b:NoSchedule:Always")
                .withProviderId(Fleet.providerId("bad-first"))));
        onlyEvents(() -> patchMachine("bad-first", Taints.patch("example.com/c:NoSchedule:Always")));
        assertThat(Taints.on(suite.node("bad-first"))).containsExactly(TAINT);
        assertOneWarning("bad-first", "ProviderIDNotUnique", "bad-first", "bad-second");
        assertOneWarning("bad-second", "ProviderIDNotUnique", "bad-first", "bad-second");

        witness.onePatch("bad-first", () -> suite.admin().delete(suite.fleet().machinePath("bad-first")));
        assertThat(Taints.on(suite.node("bad-first"))).containsExactly("example.com/b:NoSchedule");
    }

    @Test
    void a_machine_whose_cluster_does_not_exist_is_reported_and_goes_on_when_it_comes() {
        suite.fleet().node(NodeSpec.named("bad-orphan").uninitialized());
        onlyEvents(() -> suite.fleet().machine(MachineSpec.named("bad-orphan", "coming").standingAlone()));
        assertOneWarning("bad-orphan", "ClusterNotFound", "bad/coming");
        suite.cluster("coming");
        await().atMost(MachineSuite.PATIENCE).until(() -> "".equals(Taints.tracking(suite.node("bad-orphan"))));
        witness.settle();

        onlyEvents(() -> suite.admin().delete("/apis/cluster.x-k8s.io/v1beta2/namespaces/bad/clusters/coming"));
        onlyEvents(() -> patchMachine("bad-orphan", Taints.patch(TAINT + ":Always")));
        assertThat(Taints.on(suite.node("bad-orphan"))).isEmpty();
    }

    @Test
    void reserved_keys_are_left_out_with_a_warning_and_the_rest_arrives() {
        List<AuditRequest> requests = pairWithFault(machine("bad-reserved",
                "node.cluster.x-k8s.io/uninitialized:NoSchedule:Always",
                "node.cluster.x-k8s.io/outdated-revision:PreferNoSchedule:OnInitialization",
                TAINT + ":Always"));
        assertThat(requests).filteredOn(r -> r.resource().equals("nodes")).hasSize(1);
        assertThat(Taints.on(suite.node("bad-reserved"))).containsExactly(TAINT);
        assertThat(Taints.tracking(suite.node("bad-reserved"))).isEqualTo(TAINT);
        assertOneWarning("bad-reserved", "ReservedTaint", "uninitialized", "outdated-revision");
        witness.nothing(() -> patchMachine("bad-reserved", annotations("example.com/any", "change")));
    }

    @Test
    void a_taint_no_node_accepts_is_left_out_with_a_warning_and_the_rest_arrives() {
        // Stored by Cluster API's CRD: a key of up to 317 characters. As the name of a key it is too long for a Node.
        String tooLong = "n".repeat(64);
        List<AuditRequest> requests =
                pairWithFault(machine("bad-key", tooLong + ":NoSchedule:Always", TAINT + ":Always"));
        assertThat(requests).filteredOn(r -> r.resource().equals("nodes")).singleElement()
                .satisfies(patch -> assertThat(patch.code()).isEqualTo(200));
        assertThat(Taints.on(suite.node("bad-key"))).containsExactly(TAINT);
        assertOneWarning("bad-key", "UnusableTaint", tooLong, "63 characters");
        witness.nothing(() -> patchMachine("bad-key", annotations("example.com/any", "change")));
        declare("bad-key", "example.com/b:NoSchedule:Always");
    }

    @Test
    void a_write_that_a_policy_refuses_is_reported_once_and_tried_again_only_after_a_change() {
        suite.fleet().node(NodeSpec.named("bad-refused").uninitialized());
        try (Policy policy = new Policy("bad-refused")) {
            List<AuditRequest> requests = witness.requests(List.of("bad-refused"),
                    () -> suite.fleet().machine(machine("bad-refused", TAINT + ":Always")));
            assertThat(requests).filteredOn(r -> r.resource().equals("nodes")).singleElement()
                    .satisfies(patch -> assertThat(patch.code()).isEqualTo(422));
            assertOneWarning("bad-refused", "NodeRejected", "bad-refused", "not on this Node");
            // Others are served, and nothing is tried again meanwhile.
            witness.pair(machine("bad-neighbour", TAINT + ":Always"));
            witness.nothing(() -> suite.fleet().removeNotReady("bad-neighbour"));

            AuditRequest again = witness
                    .requests(List.of("bad-refused"),
                            () -> patchMachine("bad-refused", Taints.patch("example.com/b:NoSchedule:Always")))
                    .getFirst();
            assertThat(again.code()).isEqualTo(422);
            assertOneWarning("bad-refused", "NodeRejected", "not on this Node");
        }
        declare("bad-refused", "example.com/c:NoSchedule:Always");
        assertThat(Taints.on(suite.node("bad-refused"))).containsExactly("example.com/c:NoSchedule");
    }

    @Test
    void labels_no_node_accepts_do_not_exist_as_machines_refuse_them_too() {
        AdminClient.Reply reply = suite.admin().send(
                "PATCH", suite.fleet().machinePath("bad-c-canary"), AdminClient.MERGE_PATCH,
                labels("node.cluster.x-k8s.io/x", "no label value"));
        assertThat(reply.code()).isEqualTo(422);
    }

    /** Writes Warning Events and nothing else. */
    private void onlyEvents(Runnable action) {
        action.run();
        witness.awaitSeen();
        assertThat(witness.look()).allSatisfy(request -> assertThat(request.is("create", "events")).isTrue());
    }

    /** A pair whose Machine is to be written for what is right in it. */
    private List<AuditRequest> pairWithFault(MachineSpec machine) {
        suite.fleet().node(NodeSpec.named(machine.name()).uninitialized());
        witness.settle();
        return witness.requests(List.of(machine.name()), () -> suite.fleet().machine(machine));
    }

    private void assertOneWarning(String machine, String reason, String... parts) {
        await().atMost(MachineSuite.PATIENCE).until(() -> !suite.warnings("Machine", machine).isEmpty());
        assertThat(suite.warnings("Machine", machine)).singleElement().satisfies(warning -> {
            assertThat(warning.getKey()).isEqualTo(reason);
            assertThat(warning.getValue()).contains(parts);
        });
    }

    /** A cluster-wide policy that refuses a taint of the controller on one Node, as admission plugins of users do. */
    private final class Policy implements AutoCloseable {
        private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";

        Policy(String node) {
            suite.controlPlane().kubectl().apply("""
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: ValidatingAdmissionPolicy
                    metadata: {name: bad-taint}
                    spec:
                      failurePolicy: Fail
                      matchConstraints:
                        resourceRules:
                        - {apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [nodes]}
                      validations:
                      - expression: >-
                          object.metadata.name != '%s' || !has(object.spec.taints)
                          || !object.spec.taints.exists(t, t.key.startsWith('example.com/'))
                        message: such a taint is not on this Node
                    ---
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: ValidatingAdmissionPolicyBinding
                    metadata: {name: bad-taint}
                    spec: {policyName: bad-taint, validationActions: [Deny]}
                    """.formatted(node));
            await("policy").atMost(MachineSuite.PATIENCE).until(() -> taint(node).code() == 422);
        }

        private AdminClient.Reply taint(String node) {
            return suite.admin().send("PATCH", Fleet.nodePath(node) + "?dryRun=All",
                    AdminClient.MERGE_PATCH, Taints.patch("example.com/tried:NoSchedule"));
        }

        @Override
        public void close() {
            suite.admin().delete(ADMISSION + "validatingadmissionpolicybindings/bad-taint");
            suite.admin().delete(ADMISSION + "validatingadmissionpolicies/bad-taint");
            await("end of the policy").atMost(MachineSuite.PATIENCE).until(() -> taint("bad-refused").isOk());
        }
    }
}
