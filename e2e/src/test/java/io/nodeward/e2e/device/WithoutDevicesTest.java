package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.machine.RunningNodeward;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a server that does not serve resource.k8s.io/v1, as those before 1.34. */
@Tag("deep")
class WithoutDevicesTest {
    @Test
    void a_rule_says_that_the_server_has_no_devices_and_counts_none() {
        try (DeviceSuite suite = new DeviceSuite("--runtime-config=resource.k8s.io/v1=false")) {
            suite.declare("all", "{'deviceSelector':{},'taint':{'key':'example.com/broken','effect':'None'}}");
            try (RunningNodeward nodeward = suite.run("--blocked-after=1s")) {
                suite.awaitCondition("all", "Ready", "Unknown");
                assertThat(suite.condition("all", "Ready").path("message").asText())
                        .startsWith("waiting for all deviceclasses, resourceslices, resourceclaims of the cluster.");
                assertThat(suite.status("all").has("devices")).isFalse();
                assertThat(nodeward.isReady()).as("other controllers run").isTrue();
            }
        }
    }
}
