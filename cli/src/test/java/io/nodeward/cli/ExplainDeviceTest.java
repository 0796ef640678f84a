package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** explain of devices. */
class ExplainDeviceTest {
    private static final String GPU = "n1/gpu-0";

    private static Result explain(String... more) throws IOException {
        return explainIn(Typed.devices(), more);
    }

    static Result explainIn(String devices, String... more) {
        List<String> arguments = new ArrayList<>(List.of("explain", "device", "-f", "-"));
        arguments.addAll(List.of(more));
        return Typed.run(devices, arguments.toArray(String[]::new));
    }

    static JsonNode json(String devices, String device) throws IOException {
        Result result = explainIn(devices, device, "-o", "json");
        assertThat(result.exit()).as(result.err()).isZero();
        return Cluster.JSON.readTree(result.out());
    }

    @Test
    void a_device_is_explained() throws IOException {
        Result result = explain(GPU);

        assertThat(result.err()).isEmpty();
        assertThat(result.exit()).isZero();
        assertThat(result.out()).isEqualTo("""
                Device gpu.example.com/n1/gpu-0, on Node n1

                gpu.example.com/unhealthy=ecc:NoExecute
                  from    driver, in ResourceSlice n1-gpu
                  since   2026-03-01T10:00:00Z
                  effect  Kubernetes evicts pods whose claims do not tolerate it, all at once;
                          Nodeward evicts nobody for it

                example.com/recall:None
                  from    DeviceTaintRule h100: DeviceClass h100, whose selectors hold
                  since   not set
                  effect  none: it shows what NoExecute would do

                example.com/upgrade=soon:None
                  from    DeviceTaintRule old-driver: driver gpu.example.com;
                          device.attributes["gpu.example.com"].driverVersion.
                          isLessThan(semver("560.0.0"))
                  since   2026-03-03T10:00:00Z
                  effect  none: it shows what NoExecute would do

                Rules that do not select it, or have no answer:
                RULE                                         BECAUSE
                DeviceTaintRule nothing                      it has no deviceSelector
                DeviceTaintRule ports                        it is for driver net.example.com
                DeviceTaintRule.resource.k8s.io maintenance  it is for pool n2

                Claim shop/train-gpu has it, for these pods:
                POD           CLAIM      TAINT                 EVICTED     TOLERATED
                shop/train-0  train-gpu                        never       it has ended
                shop/train-1  train-gpu  gpu.example.com/      at once     no: Kubernetes
                                         unhealthy=ecc:                    ignores gpu.example.
                                         NoExecute                         com/unhealthy:any
                                                                           effect when it evicts
                shop/train-1  train-gpu  example.com/recall:   never       for ever:
                                         None                              example.com/recall:
                                                                           any effect
                shop/train-1  train-gpu  example.com/upgrade=  after 300s  for 300s:
                                         soon:None                         example.com/upgrade:
                                                                           any effect
                Counted from when the taint was added. A taint of a rule of Nodeward counts as
                if its effect were NoExecute.
                """);
    }

    @Test
    void why_a_rule_does_not_select_it_is_said_and_an_error_is_an_error() throws IOException {
        String out = explain("n2/gpu-0").out();
        assertThat(out.substring(out.indexOf("Rules"))).isEqualTo("""
                Rules that do not select it, or have no answer:
                RULE                        BECAUSE
                DeviceTaintRule h100        DeviceClass h100: selectors[1] cannot be evaluated
                                            (key 'model' is not present in map.):
                                            device.attributes["gpu.example.com"].model == "h100"
                DeviceTaintRule nothing     it has no deviceSelector
                DeviceTaintRule old-driver  selectors[0] does not hold:
                                            device.attributes["gpu.example.com"].driverVersion.
                                            isLessThan(semver("560.0.0"))
                DeviceTaintRule ports       it is for driver net.example.com

                Claim shop/spare has it, for no pod.
                """);
    }

    @Test
    void it_is_said_who_evicts_pods_for_a_taint() throws IOException {
        assertThat(evicting(Typed.devices(), GPU)).containsExactly("gpu.example.com/unhealthy: Kubernetes",
                "example.com/recall: ", "example.com/upgrade: ");
        assertThat(evicting(Typed.devices().replace("upgrade, value: soon, effect: None",
                "upgrade, value: soon, effect: NoExecute"), GPU)).contains("example.com/upgrade: Nodeward");
        assertThat(evicting(Typed.devices(), "n2/gpu-0")).containsExactly("example.com/maintenance: Kubernetes");
        assertThat(evicting(Typed.devices(), "fabric/leaf-1/port-1")).contains("net.example.com/slow: ");
        assertThat(explain("fabric/leaf-1/port-1").out().replaceAll("\\s+", " "))
                .contains("claims that do not tolerate it; nobody evicts pods for it");
    }

    private static List<String> evicting(String devices, String device) throws IOException {
        return json(devices, device).path("taints").valueStream()
                .map(taint -> taint.path("key").asText() + ": " + taint.path("evictedBy").asText()).toList();
    }

    private static JsonNode because(String devices, String rule) throws IOException {
        for (JsonNode answer : json(devices, GPU).path("notSelectedBy")) {
            if (answer.path("rule").asText().equals(rule)) {
                return answer;
            }
        }
        throw new IllegalStateException("selected by " + rule);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{driver: other.example.com, pool: n2}    | true  | it is for driver other.example.com",
            "{pool: n2, device: gpu-0}                | true  | it is for pool n2",
            "{device: gpu-1}                          | true  | it is for device gpu-1",
            "{deviceClassName: none}                  | true  | there is no DeviceClass none",
            "{selectors: [{cel: {expression: 'true'}}, {cel: {expression: '1 == 2'}}]}"
                    + " | true | selectors[1] does not hold: 1 == 2",
            "{selectors: [{cel: {expression: 'device.attributes[\"a\"].b == 1'}}]}"
                    + " | false | selectors[0] cannot be evaluated (key 'b' is not present in map.):"
                    + " device.attributes[\"a\"].b == 1",
            "{selectors: [{cel: {expression: 'device.name == \"a\"'}}]}"
                    + " | true | it is invalid: spec.deviceSelector.selectors[0].cel.expression: Invalid value:"
                    + " \"device.name == \\\"a\\\"\": 1:7: undefined field 'name'",
            "{publishedTaint: {key: gpu.example.com/unhealthy, effect: None}}"
                    + " | true | publishedTaint does not hold: gpu.example.com/unhealthy:None",
            "{publishedTaint: {effect: None}} | true | it is invalid:"
                    + " spec.deviceSelector.publishedTaint.key: Required value",
            "text                                     | true  | it has no deviceSelector",
    })
    void the_part_is_named_that_decides(String selector, boolean known, String because) throws IOException {
        String devices = Typed.devices().replace("deviceSelector: {driver: net.example.com}",
                "deviceSelector: " + selector);
        JsonNode answer = because(devices, "ports");
        assertThat(answer.path("because").asText()).isEqualTo(because);
        assertThat(answer.path("known").asBoolean()).isEqualTo(known);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{} | its selector is empty, which selects every device",
            "{driver: gpu.example.com, pool: n1, device: gpu-0} | driver gpu.example.com; pool n1; device gpu-0",
            "{deviceClassName: h100, selectors: [{cel: {expression: 'true'}}]}"
                    + " | DeviceClass h100, whose selectors hold; true",
            "{driver: gpu.example.com, publishedTaint: {key: gpu.example.com/unhealthy, value: ecc}}"
                    + " | driver gpu.example.com; taint gpu.example.com/unhealthy=ecc of the driver"})
    void why_a_rule_selects_it_is_said(String selector, String because) throws IOException {
        String devices = Typed.devices().replace("deviceSelector: {driver: net.example.com}",
                "deviceSelector: " + selector);
        JsonNode taints = json(devices, GPU).path("taints");
        assertThat(taints).filteredOn(taint -> taint.path("rule").asText().equals("ports")).singleElement()
                .satisfies(taint -> assertThat(taint.path("because").asText()).isEqualTo(because));
    }

    @ParameterizedTest
    @CsvSource({"n1/gpu-0, gpu.example.com/n1/gpu-0", "gpu.example.com/n1/gpu-0, gpu.example.com/n1/gpu-0",
            "fabric/leaf-1/port-1, net.example.com/fabric/leaf-1/port-1",
            "net.example.com/fabric/leaf-1/port-1, net.example.com/fabric/leaf-1/port-1",
            "gpu.example.com/n3/gpu-0, gpu.example.com/n3/gpu-0", "n3/gpu-0, gpu.example.com/n3/gpu-0"})
    void a_device_is_found_by_what_is_typed(String typed, String name) throws IOException {
        assertThat(explain(typed).out()).startsWith("Device " + name + ",");
        assertThat(Typed.run(Typed.devices(), "explain", "device/" + typed, "-f", "-").out())
                .startsWith("Device " + name + ",");
    }

    @Test
    void a_device_is_found_by_the_node_that_has_it_whatever_its_pool_is() throws IOException {
        String devices = Typed.devices().replace("pool: {name: n2,", "pool: {name: rack-7,")
                .replace("pool: n2, device", "pool: rack-7, device");
        assertThat(explainIn(devices, "n2/gpu-0").out())
                .startsWith("Device gpu.example.com/rack-7/gpu-0, on Node n2\n");
        assertThat(explainIn(devices, "rack-7/gpu-0").out()).startsWith("Device gpu.example.com/rack-7/gpu-0,");
    }

    @Test
    void of_several_devices_each_is_named_in_full() throws IOException {
        String devices = Typed.devices().replace("driver: net.example.com\n    allNodes: true",
                "driver: net.example.com\n    nodeName: n1").replace("{name: port-2}", "{name: gpu-0}");
        assertThat(explainIn(devices, GPU)).isEqualTo(new Result(1, "", "error: several devices are named n1/gpu-0: "
                + "gpu.example.com/n1/gpu-0, net.example.com/fabric/leaf-1/gpu-0\n"));
        assertThat(explainIn(devices, "gpu.example.com/n1/gpu-0").exit()).isZero();
    }

    @Test
    void a_full_name_means_its_device_whatever_pool_has_the_same_name() throws IOException {
        String devices = Typed.devices().replace("name: fabric/leaf-1,", "name: gpu.example.com/n1,")
                .replace("{name: port-2}", "{name: gpu-0}");
        assertThat(explainIn(devices, "gpu.example.com/n1/gpu-0").out())
                .startsWith("Device gpu.example.com/n1/gpu-0, on Node n1");
    }

    @Test
    void a_device_that_is_not_there_is_refused_with_those_that_are() throws IOException {
        assertThat(explain("n2/gpu-9")).isEqualTo(new Result(1, "",
                "error: there is no device n2/gpu-9; n2 has: gpu.example.com/n2/gpu-0\n"));
        assertThat(explain("n9/gpu-9").err()).startsWith("error: there is no device n9/gpu-9; there are: ")
                .contains("gpu.example.com/n1/gpu-1");
        assertThat(explain("n1/gpu-7").exit()).as("an older generation").isEqualTo(1);
        assertThat(explainIn("", GPU).err()).isEqualTo(
                "error: there is no device n1/gpu-0; there is none at all\n");
        assertThat(explain("gpu-0")).isEqualTo(new Result(1, "",
                "error: 'device gpu-0' is not node/NAME or pod/NAME or device NODE/NAME\n"));
        assertThat(explain(GPU, "--on", "n1").err()).contains("--on is of pods");
    }

    @Test
    void a_device_that_no_slice_publishes_is_told_by_its_names() throws IOException {
        assertThat(explain("n3/gpu-0", "-o", "wide").out()).startsWith(
                "Device gpu.example.com/n3/gpu-0, which no ResourceSlice publishes\n\nIt has no taint.\n").contains(
                        "(no ResourceSlice publishes the device)", "Claim shop/spare has it, for no pod.");
        String devices = Typed.devices().replace("deviceSelector: {pool: n2}", "deviceSelector: {pool: n3}");
        assertThat(explainIn(devices, "n3/gpu-0", "-o", "name").out())
                .isEqualTo("devicetaintrule.resource.k8s.io/maintenance\n");
    }

    @Test
    void a_device_that_recovers_says_that_kubernetes_keeps_new_pods_off_it() throws IOException {
        String rule = """
                - apiVersion: nodeward.io/v1alpha1
                  kind: DeviceTaintRule
                  metadata: {name: hot, uid: u}
                  spec:
                    untaintAfter: 10m
                    deviceSelector: {selectors: [{cel: {expression: "device.driver == 'hot'"}}]}
                    taint: {key: example.com/hot, effect: NoSchedule}
                - apiVersion: resource.k8s.io/v1
                  kind: DeviceTaintRule
                  metadata:
                    name: nodeward-hot-0
                    ownerReferences: [{apiVersion: nodeward.io/v1alpha1, kind: DeviceTaintRule, name: hot, uid: u}]
                  spec:
                    deviceSelector: {driver: gpu.example.com, pool: n1, device: gpu-0}
                    taint: {key: example.com/hot, effect: NoSchedule}
                """;
        String because = "selectors[0] does not hold: device.driver == 'hot'";
        assertThat(because(Typed.devices() + rule, "hot").path("because").asText()).isEqualTo(
                "Kubernetes keeps new pods off it until untaintAfter (10m) is over; " + because);
        for (String other : List.of(rule.replace("gpu-0", "gpu-1"), rule.replace("v1alpha1, kind: DeviceTaintRule",
                "v1alpha1, kind: DeviceTaintSlice"), rule.replaceFirst("effect: NoSchedule", "effect: None"),
                rule.replaceFirst("uid: u", "uid: of-another"))) {
            assertThat(because(Typed.devices() + other, "hot").path("because").asText()).isEqualTo(because);
        }
    }

    @Test
    void a_rule_with_a_fault_does_not_select_it() throws IOException {
        String devices = Typed.devices().replace("taint: {key: example.com/recall, effect: None}",
                "taint: {key: kubernetes.io/x, effect: None}");
        Result result = explainIn(devices, "n1/gpu-1");
        assertThat(result.err()).isEqualTo("warning: DeviceTaintRule h100 is invalid, so it selects nothing:"
                + " spec.taint.key: Invalid value: \"kubernetes.io/x\": keys under kubernetes.io are reserved for"
                + " Kubernetes\n");
        assertThat(result.out()).doesNotContain("example.com/recall").contains("""
                It has no taint.

                Rules that do not select it, or have no answer:
                RULE                                     BECAUSE
                DeviceTaintRule h100                     it is invalid: spec.taint.key: Invalid
                """);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1_000})
    void of_thousands_of_rules_for_other_devices_a_few_are_named(int count) throws IOException {
        String others = IntStream.range(0, count).mapToObj("""
                - apiVersion: nodeward.io/v1alpha1
                  kind: DeviceTaintRule
                  metadata: {name: "x%04d"}
                  spec: {deviceSelector: {device: "d%1$d"}, taint: {key: a, effect: None}}
                """::formatted).collect(Collectors.joining());
        String out = explainIn(Typed.devices() + others, GPU).out();
        assertThat(out.lines().filter(line -> line.startsWith("DeviceTaintRule"))).hasSize(11);
        assertThat(out).contains("nothing", "and " + (count + 2 - 10) + " more that are for other devices; -o wide");
        assertThat(explainIn(Typed.devices() + others, GPU, "-o", "wide").out().lines()
                .filter(line -> line.startsWith("DeviceTaintRule"))).hasSize(count + 3);
    }

    @Test
    void a_long_expression_is_cut_where_people_read_it() throws IOException {
        String expression = "device.driver == \"" + "y".repeat(5_000) + "\"";
        String devices = Typed.devices().replace("device.driver == \"gpu.example.com\"", "'" + expression + "'");
        assertThat(explainIn(devices, GPU).out()).hasSizeLessThan(4_000).contains("...");
        assertThat(explainIn(devices, GPU, "-o", "wide").out()).contains(expression);
        assertThat(because(devices, "h100").path("because").asText()).endsWith(expression);
    }

    @Test
    void names_are_those_of_objects_that_bring_taints() throws IOException {
        assertThat(explain(GPU, "-o", "name").out()).isEqualTo("""
                resourceslice/n1-gpu
                devicetaintrule.nodeward.io/h100
                devicetaintrule.nodeward.io/old-driver
                """);
        assertThat(explain("n1/gpu-1", "-o", "name").out()).isEqualTo("devicetaintrule.nodeward.io/h100\n");
    }
}
