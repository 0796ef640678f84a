package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Accounts for every request of the controller by the audit log. Each look begins where the last one ended, so that a
 * request that comes late is found by the next.
 */
final class Witness {
    private final MachineSuite suite;
    private final Canary canary;
    private AuditLog.Mark seen;

    /** With a Machine and Node of its own in this Cluster, the canary. */
    Witness(MachineSuite suite, String cluster) {
        this.suite = suite;
        this.canary = MachineCanary.in(suite, cluster);
        suite.add(canary);
        this.seen = suite.mark();
    }

    /** Waits until the controller has nothing left to do; what it has done so far does not count. */
    void settle() {
        seen = suite.settled();
    }

    /** A new Machine of the canary's Cluster and its Node, and the one PATCH that brings the first to the second. */
    AuditRequest pair(MachineSpec machine) {
        return pair(NodeSpec.named(machine.name()).withProviderId(machine.providerId()).uninitialized(), machine);
    }

    /** Likewise with a Node that registers in its own way. */
    AuditRequest pair(NodeSpec node, MachineSpec machine) {
        nothing(() -> suite.fleet().node(node));
        return onePatch(machine.name(), () -> suite.fleet().machine(machine));
    }

    /** Does it and gives the PATCH it led to; there must be one, acknowledged, and no other request. */
    AuditRequest onePatch(String node, Runnable action) {
        return patches(List.of(node), action).get(node);
    }

    /** Does it and gives the PATCH of each of these Nodes; there must be one each, and no other request. */
    Map<String, AuditRequest> patches(Collection<String> nodes, Runnable action) {
        List<AuditRequest> requests = requests(nodes, action);
        assertThat(requests).allSatisfy(request -> {
            assertThat(request.is("patch", "nodes")).isTrue();
            assertThat(request.user()).isEqualTo(MachineSuite.WORKLOAD_USER);
            assertThat(request.code()).isEqualTo(200);
        });
        assertThat(requests).extracting(AuditRequest::name).containsExactlyInAnyOrderElementsOf(nodes);
        return requests.stream().collect(Collectors.toMap(AuditRequest::name, Function.identity()));
    }

    /** Does it and gives all requests until the controller is quiet, which must concern these Nodes among others. */
    List<AuditRequest> requests(Collection<String> nodes, Runnable action) {
        action.run();
        await("requests for " + nodes).atMost(MachineSuite.PATIENCE).pollInterval(Duration.ofMillis(50))
                .until(() -> requests().stream().map(AuditRequest::name).toList().containsAll(nodes));
        return look();
    }

    /** Does it; the controller must make no request because of it. What came late is found by the next look. */
    void nothing(Runnable action) {
        action.run();
        awaitSeen();
        assertThat(requests()).isEmpty();
    }

    /** Waits until the controller is quiet and gives what it requested since the last look. */
    List<AuditRequest> look() {
        AuditLog.Mark end = suite.settled();
        List<AuditRequest> requests = requests();
        seen = end;
        return requests;
    }

    private List<AuditRequest> requests() {
        return suite.requestsSince(seen);
    }

    /** Waits until the controller has seen all Machines and Nodes as they are. */
    void awaitSeen() {
        canary.awaitSeen();
    }
}
