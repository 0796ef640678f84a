package io.nodeward.controller.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.topology.Troubles.Trouble;
import io.nodeward.core.runtime.status.Blocked;
import org.junit.jupiter.api.Test;

class TroublesTest {
    private static final Declarer CLUSTER = new Declarer(Level.CLUSTER, new ObjectKey("fleet", "c"));

    private final Troubles troubles = new Troubles();

    private void deployment(String name, String reason) {
        troubles.put(Task.carry(Level.MACHINE_DEPLOYMENT, new ObjectKey("fleet", name)),
                new Trouble(CLUSTER, "MachineDeployment " + name, new Blocked(reason, "because of " + name)));
    }

    @Test
    void each_reason_names_whom_it_concerns_and_the_first_that_there_are_others() {
        deployment("a", "TaintsRejected");
        assertThat(troubles.worst(CLUSTER))
                .contains(new Blocked("TaintsRejected", "MachineDeployment a: because of a"));

        deployment("b", "OtherCarrier");
        assertThat(troubles.worst(CLUSTER))
                .contains(new Blocked("OtherCarrier", "MachineDeployment b and others: because of b"));
        assertThat(troubles.messages(CLUSTER))
                .containsEntry("OtherCarrier", "MachineDeployment b: because of b")
                .containsEntry("TaintsRejected", "MachineDeployment a: because of a").hasSize(2);
    }

    @Test
    void three_are_named() {
        for (String name : new String[]{"a", "b", "c"}) {
            deployment(name, "TaintsRejected");
        }
        String three = "MachineDeployment a, MachineDeployment b, MachineDeployment c";
        assertThat(troubles.worst(CLUSTER)).contains(new Blocked("TaintsRejected", three + ": because of a"));
        deployment("d", "TaintsRejected");
        assertThat(troubles.worst(CLUSTER))
                .contains(new Blocked("TaintsRejected", three + " and others: because of a"));
    }

    @Test
    void when_all_is_over_there_is_nothing_to_say() {
        deployment("a", "TaintsRejected");
        assertThat(troubles.remove(Task.carry(Level.MACHINE_DEPLOYMENT, new ObjectKey("fleet", "a"))))
                .containsExactly(CLUSTER);
        assertThat(troubles.worst(CLUSTER)).isEmpty();
        assertThat(troubles.messages(CLUSTER)).isEmpty();
    }
}
