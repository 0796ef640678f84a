package io.nodeward.e2e.clusters;

import io.nodeward.core.testkit.Relay;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A Cluster of somebody else.
 *
 * @param direct reaches the API server past the relay
 * @param made its canary, once there is one
 */
record Tenant(
        MachineSuite suite, String name, Kubeconfig direct, Relay relay, AtomicReference<MachineCanary> made) {
    /** Of its Cluster. */
    String path() {
        return suite.clusterApi() + "/clusters/" + name;
    }

    /** What its Secret says. */
    Kubeconfig kubeconfig() {
        return direct.through(relay);
    }

    /** The relay to the server, whoever asks. */
    Kubeconfig as(Kubeconfig user) {
        return user.through(relay);
    }

    /** Of the controller there, as the audit log names it. */
    String user() {
        return "system:serviceaccount:" + suite.fleet().namespace() + ":" + name;
    }

    /** Name of its Machine and Node number {@code i}. */
    String node(int i) {
        return suite.fleet().namespace() + "-" + name + "-" + i;
    }

    MachineSpec machine(int i, String... taints) {
        return Taints.declare(MachineSpec.named(node(i), name), taints);
    }

    /** A Machine and its Node, with a taint that is to be on it for ever. */
    void pair(int i, String taint) {
        suite.fleet().pair(machine(i, taint + ":Always"));
    }

    /** Changes what Machine number {@code i} declares to this taint. */
    void declare(int i, String taint) {
        suite.admin().mergePatch(suite.fleet().machinePath(node(i)), Taints.patch(taint + ":Always"));
    }

    /** What the controller asked there so far, its probes left out. */
    List<AuditRequest> requestsSince(AuditLog.Mark mark) {
        return suite.controlPlane().audit().since(mark).filter(r -> isController(r, user())).toList();
    }

    /** Likewise, when it has nothing left to do; it must be able to reach the cluster. */
    List<AuditRequest> settledSince(AuditLog.Mark mark) {
        return settledSince(mark, user());
    }

    /** Likewise, of the controller as somebody else. */
    List<AuditRequest> settledSince(AuditLog.Mark mark, String user) {
        // The second time is for what the controller did because of what it saw the first time.
        canary().awaitSeen();
        canary().awaitSeen();
        suite.settled();
        return suite.controlPlane().audit().since(mark).filter(r -> isController(r, user)).toList();
    }

    private MachineCanary canary() {
        return made.updateAndGet(canary -> canary == null ? MachineCanary.in(suite, name) : canary);
    }

    private boolean isController(AuditRequest request, String user) {
        return !isAnswer(request) && request.user().equals(user) && !request.resource().isEmpty()
                && request.userAgent().startsWith("nodeward/");
    }

    private boolean isAnswer(AuditRequest request) {
        return made.get() != null && made.get().isAnswer(request);
    }

    /** The controller's reads of its kubeconfig. */
    List<AuditRequest> kubeconfigReadsSince(AuditLog.Mark mark) {
        return suite.requestsSince(mark).stream()
                .filter(r -> r.is("get", "secrets") && r.name().equals(name + "-kubeconfig")
                        && r.namespace().equals(suite.fleet().namespace()))
                .toList();
    }
}
