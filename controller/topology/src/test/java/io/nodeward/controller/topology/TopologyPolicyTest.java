package io.nodeward.controller.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.rules.topology.TopologyMode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyPolicyTest {
    @Test
    void each_gate_and_mode_leaves_out_its_steps() {
        assertThat(propagatedTo(true, true, TopologyMode.FULL)).containsExactly(Level.CONTROL_PLANE,
                Level.MACHINE_DEPLOYMENT, Level.MACHINE_POOL, Level.MACHINE_SET, Level.MACHINE);
        assertThat(propagatedTo(true, true, TopologyMode.COMPLETE)).containsExactly(Level.CONTROL_PLANE,
                Level.MACHINE_DEPLOYMENT, Level.MACHINE_POOL, Level.MACHINE);
        assertThat(propagatedTo(true, false, TopologyMode.FULL)).containsExactly(Level.CONTROL_PLANE,
                Level.MACHINE_DEPLOYMENT, Level.MACHINE_SET, Level.MACHINE);
        assertThat(propagatedTo(true, false, TopologyMode.COMPLETE)).containsExactly(Level.CONTROL_PLANE,
                Level.MACHINE_DEPLOYMENT);
        assertThat(propagatedTo(false, true, TopologyMode.FULL)).containsExactly(Level.MACHINE);
        assertThat(propagatedTo(false, false, TopologyMode.FULL)).isEmpty();
    }

    @Test
    void what_declares_for_others_is_read_as_well() {
        TopologyPolicy pools = new TopologyPolicy(false, true, TopologyMode.FULL);
        assertThat(Level.values()).filteredOn(pools::reads).containsExactly(Level.MACHINE_POOL, Level.MACHINE);
        TopologyPolicy topologies = new TopologyPolicy(true, false, TopologyMode.COMPLETE);
        assertThat(Level.values()).filteredOn(topologies::reads)
                .containsExactly(Level.CLUSTER, Level.CONTROL_PLANE, Level.MACHINE_DEPLOYMENT);
    }

    private static List<Level> propagatedTo(boolean topologies, boolean pools, TopologyMode mode) {
        TopologyPolicy policy = new TopologyPolicy(topologies, pools, mode);
        return Arrays.stream(Level.values()).filter(policy::propagatesTo).toList();
    }
}
