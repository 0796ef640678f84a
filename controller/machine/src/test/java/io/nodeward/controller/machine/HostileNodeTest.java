package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A kubelet may write what it likes into the annotations of its own Node. */
class HostileNodeTest extends MachineFixture {
    private static final String TRACKING = "cluster.x-k8s.io/taints-from-machine";
    private static final int LONGEST_MESSAGE = 1024;

    @Test
    void nodes_with_200_kb_of_unusable_entries_are_repaired_and_hold_up_no_other() throws Exception {
        List<String> hostile = List.of("hostile-1", "hostile-2");
        hostile.forEach(name -> machineWithNode(name, "a=1:NoSchedule"));
        machineWithNode("other");
        startConverged();

        hostile.forEach(this::fillTracking);
        declare("other", "a=1:NoSchedule");

        awaitTaints("other", "a=1:NoSchedule");
        await().untilAsserted(
                () -> assertThat(hostile).allSatisfy(name -> assertThat(tracked(name)).isEqualTo("a:NoSchedule")));
        await().until(() -> events("MalformedTracking").size() == hostile.size());
        assertThat(events("MalformedTracking")).allSatisfy(
                event -> assertThat(event.path("message").asText())
                        .hasSizeLessThanOrEqualTo(LONGEST_MESSAGE).contains("99997 more entries"));
    }

    private void fillTracking(String node) {
        workload.mergePatch("nodes", "", node, json("{'metadata':{'annotations':{'" + TRACKING + "':'"
                + "x,".repeat(100_000) + "'}}}"));
    }
}
