package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.machine.MachineSuite;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A kubelet stores ResourceSlices of its own Node that have as many devices and attributes as API servers let them. The
 * controller is a process with the heap that it has by default.
 */
class OversizedSlicesTest {
    /** They took more than the default heap when all of it was kept. */
    private static final int SLICES = 450;
    private static final int DEVICES = 128;
    private static final int ATTRIBUTES = 32;
    private static final int LONGEST = 64;
    private static final String BROKEN = "[{'name':'gpu-0','attributes':{'state':{'string':'broken'}}}]";
    private static final String RULE = """
            {'deviceSelector':{'driver':'gpu.example.com','selectors':[{'cel':{'expression':
              'device.attributes[\\"gpu.example.com\\"].?state.orValue(\\"\\") == \\"broken\\"'}}]},
             'taint':{'key':'example.com/broken','effect':'NoSchedule'}}""";

    @Test
    @Tag("deep")
    void slices_of_one_node_keep_no_device_of_another_from_its_taint_and_take_none_off(@TempDir Path directory)
            throws Exception {
        try (DeviceSuite suite = DeviceSuite.withServerRules()) {
            suite.declare("broken", RULE);
            suite.slice("z-first", "first", 1, BROKEN);
            try (ControllerProcess running = suite.process(directory)) {
                awaitTainted(suite, "first");
                store(suite);
                suite.awaitCondition("broken", "DevicesUnknown", "True");
                assertThat(suite.condition("broken", "DevicesUnknown").path("reason").asText())
                        .isEqualTo("MemoryShort");
                suite.slice("z-second", "second", 1, BROKEN);
                awaitTainted(suite, "first", "second");
                assertThat(running.probe("/healthz")).isEqualTo(200);
            }
            try (ControllerProcess restarted = suite.process(directory)) {
                suite.slice("z-third", "third", 1, BROKEN);
                awaitTainted(suite, "first", "second", "third");
                assertThat(restarted.probe("/healthz")).isEqualTo(200);
            }
        }
    }

    /** Each device of these pools, and no other, has the taint. */
    private static void awaitTainted(DeviceSuite suite, String... pools) {
        await("taints of " + String.join(", ", pools)).atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(suite.serverRules("broken"))
                        .extracting(rule -> rule.at("/spec/deviceSelector/pool").asText())
                        .containsExactlyInAnyOrder(pools));
    }

    /** Some of them in the pools of others. */
    private static void store(DeviceSuite suite) {
        String[] pools = {"first", "second", "stolen"};
        try (AdminClient kubelet = suite.kubelet("stolen")) {
            IntStream.range(0, SLICES).parallel().forEach(i -> DeviceSuite.kubeletSlice(
                    kubelet, "stolen-" + i, "stolen", pools[i % pools.length], 99, devices(i)));
        }
    }

    private static String devices(int slice) {
        return IntStream.range(0, DEVICES).mapToObj(device -> IntStream.range(0, ATTRIBUTES)
                .mapToObj(attribute -> "'a%d':{'string':'%s'}".formatted(attribute,
                        (slice + "-" + device + "-" + attribute + "-" + "x".repeat(LONGEST)).substring(0, LONGEST)))
                .collect(Collectors.joining(",", "{'name':'d" + slice + "-" + device + "','attributes':{", "}}")))
                .collect(Collectors.joining(",", "[", "]"));
    }
}
