package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who pauses a Cluster works on it: pools of it, which say nothing of that themselves, leave its Nodes alone. */
class PausedClusterTest extends PoolFixture {
    private static final String A = "a=1:NoSchedule";

    @Test
    void nothing_is_written_while_the_cluster_is_paused_and_all_of_it_after() throws Exception {
        pool("p", 2);
        startConverged();
        pause(true);
        settle();
        declare("p", A);
        settle();
        assertThat(requests()).isEmpty();

        pause(false);
        awaitTaints("p-0", A);
        awaitTaints("p-1", A);
    }

    private void pause(boolean paused) {
        management.mergePatch("clusters", "fleet", "c", json("{'spec':{'paused':" + paused + "}}"));
    }
}
