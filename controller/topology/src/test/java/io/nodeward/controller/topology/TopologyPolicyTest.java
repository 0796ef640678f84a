package io.nodeward.controller.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.rules.topology.TopologyMode;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyPolicyTest {
    @Test
    void each_gate_and_mode_leaves_out_its_steps() {
        assertThat(propagatedTo(true, true, TopologyMode.FULL)).containsExactly(TopologyKind.CONTROL_PLANE,
                TopologyKind.MACHINE_DEPLOYMENT, TopologyKind.MACHINE_POOL, TopologyKind.MACHINE_SET,
                TopologyKind.MACHINE);
        assertThat(propagatedTo(true, true, TopologyMode.COMPLETE)).containsExactly(TopologyKind.CONTROL_PLANE,
                TopologyKind.MACHINE_DEPLOYMENT, TopologyKind.MACHINE_POOL, TopologyKind.MACHINE);
        assertThat(propagatedTo(true, false, TopologyMode.FULL)).containsExactly(TopologyKind.CONTROL_PLANE,
                TopologyKind.MACHINE_DEPLOYMENT, TopologyKind.MACHINE_SET, TopologyKind.MACHINE);
        assertThat(propagatedTo(true, false, TopologyMode.COMPLETE)).containsExactly(TopologyKind.CONTROL_PLANE,
                TopologyKind.MACHINE_DEPLOYMENT);
        assertThat(propagatedTo(false, true, TopologyMode.FULL)).containsExactly(TopologyKind.MACHINE);
        assertThat(propagatedTo(false, false, TopologyMode.FULL)).isEmpty();
    }

    @Test
    void what_declares_for_others_is_read_as_well() {
        TopologyPolicy pools = new TopologyPolicy(false, true, TopologyMode.FULL, NoExecuteLimit.Settings.NONE);
        assertThat(TopologyKind.values()).filteredOn(pools::reads)
                .containsExactly(TopologyKind.MACHINE_POOL, TopologyKind.MACHINE);
        TopologyPolicy topologies =
                new TopologyPolicy(true, false, TopologyMode.COMPLETE, NoExecuteLimit.Settings.NONE);
        assertThat(TopologyKind.values()).filteredOn(topologies::reads)
                .containsExactly(TopologyKind.CLUSTER, TopologyKind.CONTROL_PLANE, TopologyKind.MACHINE_DEPLOYMENT);
    }

    private static List<TopologyKind> propagatedTo(boolean topologies, boolean pools, TopologyMode mode) {
        TopologyPolicy policy = new TopologyPolicy(topologies, pools, mode, NoExecuteLimit.Settings.NONE);
        return Arrays.stream(TopologyKind.values()).filter(policy::propagatesTo).toList();
    }
}
