package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Node that one Machine names and another has the providerID of. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RivalsTest extends MachineFixture {
    @BeforeEach
    void oneNodeOfTwoMachines() {
        node("n", "fake://n");
        machine("by-id", "fake://n", "a=1:NoSchedule");
        machine("named", "", "b=1:NoSchedule");
        management.mergePatch("machines", NAMESPACE, "named", json("{'status':{'nodeRef':{'name':'n'}}}"));
        controller = new RunningController(management.kubeconfig(), quiet);
        settle();
    }

    @Test
    void it_is_that_of_the_machine_with_the_provider_id() {
        assertThat(taintsOf("n")).containsExactly("a=1:NoSchedule");
        assertThat(events("NodeClaimedTwice")).singleElement().satisfies(event -> {
            assertThat(event.at("/involvedObject/name").asText()).isEqualTo("named");
            assertThat(event.path("message").asText()).isEqualTo("Node n is also the Node of by-id; this Machine has no"
                    + " providerID and is not propagated");
        });
    }

    @Test
    void it_comes_to_the_machine_that_names_it_once_the_other_is_gone() {
        management.delete("machines", NAMESPACE, "by-id");
        settle();
        assertThat(taintsOf("n")).containsExactly("b=1:NoSchedule");
    }
}
