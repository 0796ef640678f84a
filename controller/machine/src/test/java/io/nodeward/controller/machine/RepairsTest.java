package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is declared comes to be, whatever was done meanwhile and however often. */
class RepairsTest extends MachineFixture {
    @Test
    void what_somebody_takes_off_is_put_back_each_time() throws Exception {
        machineWithNode("m", "a=1:NoSchedule");
        startConverged();
        for (int time = 0; time < 3; time++) {
            workload.mergePatch("nodes", "", "m", json("{'spec':{'taints':null}}"));
            awaitTaints("m", "a=1:NoSchedule");
        }
        settle();
        assertThat(patches()).containsExactly(200, 200, 200);
    }

    @Test
    void what_is_declared_during_a_pause_is_carried_when_it_ends() throws Exception {
        machineWithNode("m");
        startConverged();
        pause(true);
        settle();
        declare("m", "a=1:NoSchedule");
        settle();
        assertThat(patches()).isEmpty();

        pause(false);
        awaitTaints("m", "a=1:NoSchedule");
    }

    private void pause(boolean paused) {
        management.mergePatch("clusters", NAMESPACE, "c", json("{'spec':{'paused':" + paused + "}}"));
    }
}
