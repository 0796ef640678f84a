package io.nodeward.e2e.machine;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The seed's table of Machine taints beside those of the kubeadm bootstrap provider, on Nodes that registered with what
 * kubelet is told in each case: workers with {@code uninitialized}, control planes with kubeadm's default taint.
 */
class KubeadmTaintsTest extends InRunningController {
    private static final String DEFAULT = "node-role.kubernetes.io/control-plane:NoSchedule";
    private static final String BOTH_BY_KUBEADM = "example.com/both=kubeadm:NoSchedule";
    private static final String BOTH_BY_MACHINE = "example.com/both=machine:NoSchedule";
    private static final String KUBEADM = "example.com/kubeadm=k:NoSchedule";
    private static final String MACHINE = "example.com/machine=m:NoSchedule";

    private Map<String, AuditRequest> patches;

    KubeadmTaintsTest() {
        super("kubeadm");
    }

    /** Which of the two declare taints, on what Node, and what is on the Node in the end. */
    enum Row {
        WORKER_SET_SET(true, List.of(KUBEADM, BOTH_BY_KUBEADM), List.of(KUBEADM, BOTH_BY_MACHINE, MACHINE)),
        WORKER_SET_NOT_SET(true, List.of(), List.of(BOTH_BY_MACHINE, MACHINE)),
        WORKER_SET_EMPTY(true, List.of(), List.of(BOTH_BY_MACHINE, MACHINE)),
        WORKER_NOT_SET_SET(false, List.of(KUBEADM, BOTH_BY_KUBEADM), List.of(KUBEADM, BOTH_BY_KUBEADM)),
        WORKER_NOT_SET_NOT_SET(false, List.of(), List.of()),
        WORKER_NOT_SET_EMPTY(false, List.of(), List.of()),
        CONTROL_PLANE_SET_SET(true, List.of(KUBEADM, BOTH_BY_KUBEADM), List.of(KUBEADM, BOTH_BY_MACHINE, MACHINE)),
        CONTROL_PLANE_SET_NOT_SET(true, List.of(DEFAULT), List.of(DEFAULT, BOTH_BY_MACHINE, MACHINE)),
        CONTROL_PLANE_SET_EMPTY(true, List.of(), List.of(BOTH_BY_MACHINE, MACHINE)),
        CONTROL_PLANE_NOT_SET_SET(false, List.of(KUBEADM, BOTH_BY_KUBEADM), List.of(KUBEADM, BOTH_BY_KUBEADM)),
        CONTROL_PLANE_NOT_SET_NOT_SET(false, List.of(DEFAULT), List.of(DEFAULT)),
        CONTROL_PLANE_NOT_SET_EMPTY(false, List.of(), List.of());

        private final boolean declared;
        private final List<String> registered;
        private final List<String> expected;

        Row(boolean declared, List<String> registered, List<String> expected) {
            this.declared = declared;
            this.registered = registered;
            this.expected = expected;
        }

        String machine() {
            return "kubeadm-" + ordinal();
        }

        boolean isWorker() {
            return name().startsWith("WORKER");
        }

        NodeSpec node() {
            NodeSpec node = Taints.register(NodeSpec.named(machine()), registered.toArray(String[]::new));
            return isWorker() ? node.uninitialized() : node;
        }

        MachineSpec spec() {
            MachineSpec machine = declared
                    ? InRunningController.machine(machine(), BOTH_BY_MACHINE + ":Always", MACHINE + ":Always")
                    : InRunningController.machine(machine());
            return isWorker() ? machine : machine.withLabels(Map.of("cluster.x-k8s.io/control-plane", ""));
        }
    }

    @BeforeAll
    void register_all_nodes_and_then_their_machines() {
        Arrays.stream(Row.values()).forEach(row -> suite.fleet().node(row.node()));
        witness.settle();
        patches = witness.patches(
                Arrays.stream(Row.values()).map(Row::machine).toList(),
                () -> Arrays.stream(Row.values()).forEach(row -> suite.fleet().machine(row.spec())));
    }

    @ParameterizedTest
    @EnumSource
    void a_node_has_what_the_seeds_table_says_after_one_patch(Row row) {
        assertThat(Taints.on(suite.node(row.machine())))
                .containsExactlyElementsOf(row.expected)
                .doesNotContain(UNINITIALIZED);
        assertThat(Taints.tracking(suite.node(row.machine())))
                .isEqualTo(row.declared ? "example.com/both:NoSchedule,example.com/machine:NoSchedule" : "");
        boolean changesTaints = row.isWorker() || row.declared;
        assertThat(patches.get(row.machine()).written().path("spec").has("taints")).isEqualTo(changesTaints);
    }
}
