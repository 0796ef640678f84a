package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is said on a Machine whose Node is not as declared, and until when. */
class MachineConditionsTest extends InRunningController {
    /** Stored by Cluster API's CRD, which allows keys of 317 characters; too long for a Node as the name of a key. */
    private static final String UNUSABLE = "n".repeat(64) + ":NoSchedule";
    private Tenant tenant;

    MachineConditionsTest() {
        super("machines");
    }

    @BeforeAll
    void connect() {
        tenant = tenants.connected("c");
    }

    @Test
    void a_node_that_has_not_joined_is_said_until_it_joins() {
        AuditLog.Mark mark = suite.mark();
        suite.fleet().machine(tenant.machine(1, A + ":Always"));
        JsonNode foreign = conditions.foreign(machine(1), "example.com/Audited");
        JsonNode blocked = conditions.awaitBlocked(machine(1), "NodeNotJoined");
        assertThat(blocked.path("message").asText()).contains(Fleet.providerId(tenant.node(1)));
        assertThat(conditions.appliedBy("nodeward-machine", machine(1))).contains(Conditions.conditionAlone());
        suite.settled();
        assertThat(suite.warnings("Machine", tenant.node(1))).isEmpty();

        suite.fleet().node(NodeSpec.named(tenant.node(1)).uninitialized());
        awaitTaints(tenant.node(1), A);
        conditions.awaitNotBlocked(machine(1));
        assertThat(conditions.condition(machine(1), "example.com/Audited")).contains(foreign);
        assertThat(conditions.appliedBy("nodeward-machine", machine(1))).isEmpty();
        assertThat(conditions.writesSince(mark, machine(1))).hasSize(2).allMatch(r -> r.code() == 200);

        suite.admin().delete(Fleet.nodePath(tenant.node(1)));
        conditions.awaitBlocked(machine(1), "NodeNotJoined");
    }

    @Test
    void a_taint_no_node_accepts_is_said_until_it_is_mended() {
        suite.fleet().pair(tenant.machine(2, UNUSABLE + ":Always", A + ":Always"));
        JsonNode blocked = conditions.awaitBlocked(machine(2), "UnusableTaint");
        assertThat(blocked.path("message").asText()).contains("n".repeat(64), "63 characters");
        assertThat(Taints.on(suite.node(tenant.node(2)))).containsExactly(A);
        tenant.declare(2, B);
        awaitTaints(tenant.node(2), B);
        conditions.awaitNotBlocked(machine(2));
    }

    @Test
    void a_refused_write_is_said_until_one_is_accepted() {
        tenant.pair(3, A);
        awaitTaints(tenant.node(3), A);
        try (Policy policy = new Policy(tenant.node(3))) {
            tenant.declare(3, B);
            JsonNode blocked = conditions.awaitBlocked(machine(3), "NodeRejected");
            assertThat(blocked.path("message").asText()).contains(tenant.node(3), Policy.MESSAGE);
            assertThat(suite.warnings("Machine", tenant.node(3))).singleElement()
                    .satisfies(warning -> assertThat(warning.getKey()).isEqualTo("NodeRejected"));
            tenant.declare(3, A);
            conditions.awaitNotBlocked(machine(3));
            tenant.declare(3, B);
            conditions.awaitBlocked(machine(3), "NodeRejected");
            policy.close();
            tenant.declare(3, "example.com/c:NoSchedule");
            awaitTaints(tenant.node(3), "example.com/c:NoSchedule");
            conditions.awaitNotBlocked(machine(3));
        }
    }

    @Test
    void a_machine_that_is_being_deleted_or_paused_says_nothing() {
        suite.fleet().machine(tenant.machine(4, A + ":Always"));
        suite.fleet().pair(tenant.machine(5, UNUSABLE + ":Always"));
        suite.fleet().machine(tenant.machine(6, A + ":Always"));
        suite.fleet().machine(tenant.machine(7, A + ":Always"));
        suite.admin().mergePatch(machine(6), paused("\"\""));
        for (int deleted : new int[]{4, 5}) {
            suite.admin().mergePatch(machine(deleted), "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
            suite.admin().delete(machine(deleted));
        }
        conditions.awaitBlocked(machine(7), "NodeNotJoined"); // it came last
        AuditLog.Mark mark = suite.mark();
        suite.fleet().machine(tenant.machine(8, A + ":Always"));
        conditions.awaitBlocked(machine(8), "NodeNotJoined"); // and as much time again
        for (int silent : new int[]{4, 5, 6}) {
            assertThat(conditions.blocked(machine(silent))).as(machine(silent)).isEmpty();
            assertThat(conditions.writesSince(mark, machine(silent))).isEmpty();
        }
        suite.admin().mergePatch(machine(6), paused("null"));
        conditions.awaitBlocked(machine(6), "NodeNotJoined");
    }

    @Test
    void a_machine_that_is_deleted_takes_back_what_it_said_and_one_that_is_paused_keeps_it() {
        for (int i : new int[]{9, 10}) {
            suite.fleet().machine(tenant.machine(i, A + ":Always"));
            suite.admin().mergePatch(machine(i), "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
            conditions.awaitBlocked(machine(i), "NodeNotJoined");
        }
        suite.admin().mergePatch(machine(10), paused("\"\""));
        suite.admin().delete(machine(9));
        conditions.awaitNotBlocked(machine(9));
        suite.settled();
        assertThat(conditions.blocked(machine(10))).isPresent();
    }

    private String machine(int i) {
        return suite.fleet().machinePath(tenant.node(i));
    }

    private static String paused(String value) {
        return "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":" + value + "}}}";
    }

    /** Refuses taint b on one Node, as admission policies of users do. */
    private final class Policy implements AutoCloseable {
        private static final String MESSAGE = "b is not on this Node";
        private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";
        private final String name = suite.fleet().namespace() + "-taint";
        private final String node;

        Policy(String node) {
            this.node = node;
            suite.controlPlane().kubectl().apply("""
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: ValidatingAdmissionPolicy
                    metadata: {name: %s}
                    spec:
                      failurePolicy: Fail
                      matchConstraints:
                        resourceRules:
                        - {apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [nodes]}
                      validations:
                      - expression: >-
                          object.metadata.name != '%s' || !has(object.spec.taints)
                          || !object.spec.taints.exists(t, t.key == 'example.com/b')
                        message: %s
                    ---
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: ValidatingAdmissionPolicyBinding
                    metadata: {name: %s}
                    spec: {policyName: %s, validationActions: [Deny]}
                    """.formatted(name, node, MESSAGE, name, name));
            await("policy").atMost(MachineSuite.PATIENCE).until(() -> !allows());
        }

        private boolean allows() {
            return suite.admin().send("PATCH", Fleet.nodePath(node) + "?dryRun=All", AdminClient.MERGE_PATCH,
                    Taints.patch(B)).isOk();
        }

        @Override
        public void close() {
            suite.admin().delete(ADMISSION + "validatingadmissionpolicybindings/" + name);
            suite.admin().delete(ADMISSION + "validatingadmissionpolicies/" + name);
            await("end of the policy").atMost(MachineSuite.PATIENCE).until(this::allows);
        }
    }
}
