package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.core.rules.device.DeviceTaints.Result.Known;
import io.nodeward.core.rules.device.DeviceTaints.Result.Unknown;
import io.nodeward.core.rules.device.DeviceTaints.Rule;
import io.nodeward.core.rules.device.Pools.Device;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeviceTaintsTest {
    private static final DeviceName GPU_0 = new DeviceName("gpu.example.com", "node-1", "gpu-0");
    private static final DeviceName GPU_1 = new DeviceName("gpu.example.com", "node-1", "gpu-1");
    private static final DeviceTaint OF_DRIVER = taint("drv");
    private static final DeviceTaint OF_RULE = taint("x");

    @Test
    void taints_of_rules_follow_those_of_slices() {
        assertThat(DeviceTaints.of(Map.of(GPU_1, device(OF_DRIVER), GPU_0, device()),
                List.of(rule(OF_RULE)), (rule, device) -> DeviceMatch.of(device.equals(GPU_1))))
                .isEqualTo(new Known(Map.of(GPU_0, List.of(), GPU_1, List.of(OF_DRIVER, OF_RULE))));
    }

    @Test
    void no_taint_replaces_another_one() {
        assertThat(DeviceTaints.of(Map.of(GPU_0, device(OF_RULE)),
                List.of(rule(OF_RULE), rule(OF_RULE)), (rule, device) -> DeviceMatch.YES))
                .isEqualTo(new Known(Map.of(GPU_0, List.of(OF_RULE, OF_RULE, OF_RULE))));
    }

    /** Of several, the first by name, in whatever order they come. */
    @Test
    void what_is_not_known_of_one_device_is_the_result() {
        Map<DeviceName, Device<String>> devices = new HashMap<>(Map.of(GPU_0, device(), GPU_1, device()));
        for (int i = 0; i < 50; i++) {
            devices.put(new DeviceName("gpu.example.com", "node-2", "gpu-" + i * 7919), device());
        }

        assertThat(DeviceTaints.of(devices, List.of(rule(OF_RULE)), (rule, device) -> device.equals(GPU_0)
                ? DeviceMatch.NO : new DeviceMatch.Unknown("no such key")))
                .isEqualTo(new Unknown(GPU_1, "no such key"));
    }

    private static Device<String> device(DeviceTaint... taints) {
        return new Device<>("any", "facts", List.of(taints));
    }

    private static Rule rule(DeviceTaint taint) {
        return new Rule(Optional.empty(), taint);
    }

    private static DeviceTaint taint(String key) {
        return new DeviceTaint(key, "", "NoExecute", Instant.EPOCH);
    }
}
