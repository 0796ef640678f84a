package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pods explain says that a device's taints evict. */
class DeviceEvictionsTest {
    private static final String GPU = "n1/gpu-0";

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "uid: uid-train-1}\\n  spec: {nodeName: n1}\\n  status: {phase: Running} | Running",
            "uid: uid-train-1}\\n  spec: {nodeName: n1}                              | Running",
            "uid: uid-train-1}\\n  spec: {}                                          | Pending",
            "uid: uid-train-1}\\n  spec: {nodeName: n1}\\n  status: {phase: Failed}  | Ended",
            "uid: uid-train-1, deletionTimestamp: '2026-03-05T00:00:00Z'}\\n  spec: {nodeName: n1} | Deleting",
            "uid: other}\\n  spec: {nodeName: n1}\\n  status: {phase: Running}       | Replaced",
            "uid: uid-train-1, x: y, name: train-2}\\n  spec: {nodeName: n1}         | Gone",
    })
    void a_pod_counts_while_there_is_something_to_evict(String pod, String state) throws IOException {
        String was = "uid: uid-train-1}\n  spec: {nodeName: n1}\n  status: {phase: Running}\n";
        String devices = Typed.devices();
        assertThat(devices).contains(was);
        String written = pod.replace("\\n", "\n").strip() + "\n";
        String changed = written.contains("train-2")
                ? devices.replace("name: train-1, " + was, "name: train-2, uid: uid-train-1}\n  spec: {}\n")
                : devices.replace(was, written);
        JsonNode use = ExplainDeviceTest.json(changed, GPU).at("/pods/1");
        assertThat(use.path("pod").asText()).isEqualTo("shop/train-1");
        assertThat(use.path("state").asText()).isEqualTo(state);
        assertThat(use.path("evictions")).hasSize(state.equals("Running") ? 3 : 0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
            "example.com/upgrade   | {operator: Exists}                                           | -",
            "example.com/upgrade   | {key: example.com/upgrade, value: soon}                      | -",
            "example.com/upgrade   | {key: example.com/upgrade, value: late}                      | 0",
            "example.com/upgrade   | {key: example.com/upgrade, operator: Exists, effect: NoExecute} | -",
            "example.com/upgrade   | {key: example.com/upgrade, operator: Exists, effect: None}   | 0",
            "example.com/upgrade   | {operator: Exists, tolerationSeconds: 60}                    | 60",
            "example.com/upgrade   | {operator: Exists, tolerationSeconds: -1}                    | 0",
            "example.com/upgrade   | {operator: Exists, tolerationSeconds: 60}, {operator: Exists} | -",
            "example.com/upgrade   | {operator: Exists, tolerationSeconds: 60}, {operator: Exists, tolerationSeconds: 5} | 5",
            "gpu.example.com/unhealthy | {operator: Exists}                                       | 0",
            "gpu.example.com/unhealthy | {operator: Exists, effect: NoExecute}                    | -",
            "gpu.example.com/unhealthy | {operator: Exists, effect: NoExecute, tolerationSeconds: 60} | 60",
            "gpu.example.com/unhealthy | {operator: Exists}, {operator: Exists, effect: NoExecute, tolerationSeconds: 7} | 7",
    })
    void a_pod_is_evicted_when_its_claim_does_not_tolerate_the_taint_any_more(
            String key, String tolerations, Long seconds) throws IOException {
        JsonNode fate = fate(withTolerations("tolerations: [" + tolerations + "]"), key);
        assertThat(fate.path("evicted").asBoolean()).isEqualTo(seconds != null);
        assertThat(fate.has("afterSeconds")).isEqualTo(seconds != null);
        assertThat(fate.path("afterSeconds").asLong()).isEqualTo(seconds == null ? 0 : seconds);
    }

    private static String withTolerations(String field) throws IOException {
        String devices = Typed.devices();
        int from = devices.indexOf("          tolerations:");
        return devices.substring(0, from) + "          " + field + "\n" + devices.substring(devices.indexOf(
                "    reservedFor:"));
    }

    private static JsonNode fate(String devices, String key) throws IOException {
        for (JsonNode fate : ExplainDeviceTest.json(devices, GPU).at("/pods/1/evictions")) {
            if (fate.path("taint").asText().startsWith(key)) {
                return fate;
            }
        }
        throw new IllegalStateException("no eviction by " + key);
    }

    @Test
    void a_device_that_a_claim_has_twice_is_tolerated_as_often() throws IOException {
        String twice = withTolerations("tolerations: [{operator: Exists}]\n"
                + "        - {driver: gpu.example.com, pool: n1, device: gpu-0, request: b, tolerations:"
                + " [{operator: Exists, tolerationSeconds: 9}]}\n"
                + "        - {driver: gpu.example.com, pool: n1, device: gpu-1, request: c}");
        assertThat(fate(twice, "example.com/upgrade").path("afterSeconds").asLong()).isEqualTo(9);
    }

    @Test
    void the_toleration_is_named_that_decides() throws IOException {
        JsonNode ours = fate(withTolerations("tolerations: [{operator: Exists, tolerationSeconds: 60},"
                + " {key: example.com/upgrade, value: soon, effect: NoExecute}]"), "example.com/upgrade");
        assertThat(ours.path("toleratedBy").asText()).isEqualTo("example.com/upgrade=soon:NoExecute");
        JsonNode drivers = fate(withTolerations("tolerations: [{operator: Exists}]"), "gpu.example.com/unhealthy");
        assertThat(drivers.path("ignored").asText()).isEqualTo("any key:any effect");
        assertThat(drivers.has("toleratedBy")).isFalse();
    }

    @Test
    void a_taint_of_kubernetes_evicts_with_no_execute_alone_and_one_of_nodeward_is_asked_whatever_its_effect()
            throws IOException {
        String devices = Typed.devices().replace("value: ecc, effect: NoExecute", "value: ecc, effect: NoSchedule");
        assertThat(ExplainDeviceTest.json(devices, GPU).at("/pods/1/evictions").findValuesAsText("from"))
                .containsExactly("DeviceTaintRule h100", "DeviceTaintRule old-driver");
    }

    @Test
    void without_any_pod_in_the_files_nobody_takes_those_of_claims_for_gone() throws IOException {
        String devices = Typed.devices();
        Result result = ExplainDeviceTest
                .explainIn(devices.substring(0, devices.indexOf("- apiVersion: v1\n  kind: Pod")), GPU);
        assertThat(result.err()).isEqualTo(
                "warning: there is no Pod at all: whether those run that use the device is not known\n");
        assertThat(result.out()).contains("shop/train-0", "after 300s").doesNotContain("is gone");
    }
}
