package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
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

class DeviceCommandTest {
    private static final String LOST =
            "warning: claims have 1 device that no ResourceSlice publishes: gpu.example.com/n3/gpu-0\n";

    private static Result list(String... more) throws IOException {
        return listIn(Typed.devices(), more);
    }

    private static Result listIn(String devices, String... more) {
        List<String> arguments = new ArrayList<>(List.of("device", "list", "-f", "-"));
        arguments.addAll(List.of(more));
        return Typed.run(devices, arguments.toArray(String[]::new));
    }

    @Test
    void each_device_is_listed_with_its_taints_and_who_uses_it() throws IOException {
        Result result = list();

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.err()).isEqualTo(LOST);
        assertThat(result.out()).isEqualTo("""
                NODE       DEVICE           TAINT             FROM              USED BY
                all Nodes  net.example.     net.example.com/  driver
                           com/fabric/      slow:NoSchedule
                           leaf-1/port-1
                                            example.com/      rule ports
                                            ports:None
                all Nodes  net.example.     example.com/      rule ports
                           com/fabric/      ports:None
                           leaf-1/port-2
                n1         gpu.example.     gpu.example.com/  driver            shop/train-0
                           com/n1/gpu-0     unhealthy=ecc:                      (train-gpu),
                                            NoExecute                           shop/train-1
                                                                                (train-gpu)
                                            example.com/      rule h100
                                            recall:None
                                            example.com/      rule old-driver
                                            upgrade=soon:
                                            None
                n1         gpu.example.     example.com/      rule h100
                           com/n1/gpu-1     recall:None
                n2         gpu.example.     example.com/      resource.k8s.io   claim shop/spare
                           com/n2/gpu-0     maintenance:      rule maintenance
                                            NoExecute
                                            error             rule h100
                Rules that select no published device: nothing
                """);
    }

    @Test
    void a_wide_line_says_all_by_itself() throws IOException {
        assertThat(list("-o", "wide").out().lines().map(line -> line.replaceAll(" +", " ")
                .replaceAll(" ([0-9]+[yd])+ ", " AGE "))).contains(
                        "n1 gpu.example.com/n1/gpu-0 example.com/upgrade=soon:None rule old-driver kubectl-create AGE"
                                + " shop/train-0 (train-gpu), shop/train-1 (train-gpu)",
                        "n2 gpu.example.com/n2/gpu-0 example.com/maintenance:NoExecute resource.k8s.io rule maintenance"
                                + " AGE claim shop/spare",
                        "all Nodes net.example.com/fabric/leaf-1/port-2 example.com/ports:None rule ports");
    }

    @Test
    void what_the_owner_of_a_taint_says_of_it_is_shown() throws IOException {
        String said = Typed.devices().replace("value: soon",
                "value: soon, description: 90 degrees, data: {log: " + "x".repeat(300) + "}");
        String words = "90 degrees; {\"log\":\"" + "x".repeat(248) + "...";
        assertThat(listIn(said, "-o", "wide").out()).contains(words + " ");
        JsonNode taint = Cluster.JSON.readTree(listIn(said, "-o", "json").out()).findParent("description");
        assertThat(taint.path("description").asText()).isEqualTo("90 degrees");
        assertThat(taint.path("dataBytes").asInt()).isEqualTo(310);
        assertThat(Typed.run(said, "explain", "device", "n1/gpu-0", "-f", "-").out().replaceAll("\\s+", " "))
                .contains("description 90 degrees data {");
    }

    @Test
    void rules_that_select_no_device_are_named_if_all_were_asked_for() throws IOException {
        String idle = "Rules that select no published device: ";
        String devices = Typed.devices().replace("pool: n2}\n    taint", "pool: n7}\n    taint");
        assertThat(listIn(devices).out()).endsWith(idle + "nothing, resource.k8s.io/maintenance\n");
        assertThat(listIn(devices, "--node", "n1").out()).doesNotContain(idle);
        assertThat(Cluster.JSON.readTree(listIn(devices, "-o", "json").out()).path("rulesWithoutDevices"))
                .extracting(rule -> rule.path("group").asText() + "/" + rule.path("rule").asText())
                .containsExactly("nodeward.io/nothing", "resource.k8s.io/maintenance");
        String many = devices + IntStream.range(0, 10).mapToObj("""
                - apiVersion: nodeward.io/v1alpha1
                  kind: DeviceTaintRule
                  metadata: {name: "idle-%d"}
                  spec: {deviceSelector: {pool: "n9"}, taint: {key: example.com/idle, effect: None}}
                """::formatted).collect(Collectors.joining());
        assertThat(listIn(many).out().replaceAll("\\s+", " ")).contains("idle-9 and 2 more ")
                .doesNotContain("nothing,");
        assertThat(listIn(many, "-o", "wide").out()).endsWith("nothing, resource.k8s.io/maintenance\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "--node n1                               | gpu.example.com/n1/gpu-0 gpu.example.com/n1/gpu-1",
            "--node node/n2                          | gpu.example.com/n2/gpu-0",
            "--driver net.example.com                | net.example.com/fabric/leaf-1/port-1 "
                    + "net.example.com/fabric/leaf-1/port-2",
            "--rule old-driver                       | gpu.example.com/n1/gpu-0",
            "--rule h100                             | gpu.example.com/n1/gpu-0 gpu.example.com/n1/gpu-1 "
                    + "gpu.example.com/n2/gpu-0",
            "--rule h100 --node n1 --driver gpu.example.com | gpu.example.com/n1/gpu-0 gpu.example.com/n1/gpu-1",
            "--rule maintenance                      | gpu.example.com/n2/gpu-0",
            "--rule nothing                          | ''",
            "--rule ports --node n1                  | ''",
    })
    void those_are_listed_that_are_asked_for(String options, String names) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(options.split(" +")));
        arguments.addAll(List.of("-o", "name"));
        Result result = list(arguments.toArray(String[]::new));
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(String.join(" ", result.out().lines().toList())).isEqualTo(names);
    }

    @Test
    void tainted_leaves_out_devices_without_taint_but_none_that_may_have_one() throws IOException {
        String devices = Typed.devices().replace("deviceSelector: {driver: net.example.com}",
                "deviceSelector: {driver: net.example.com, device: port-1}");
        assertThat(listIn(devices, "-o", "name").out()).contains("port-2");
        assertThat(listIn(devices, "-o", "name", "--tainted").out()).doesNotContain("port-2").contains("port-1",
                "n1/gpu-0");
        String onlyErrors = devices.replace("deviceSelector: {pool: n2}", "deviceSelector: {pool: n7}");
        assertThat(listIn(onlyErrors, "-o", "name", "--tainted").out()).contains("n2/gpu-0");
    }

    @Test
    void an_error_of_an_expression_is_no_taint_and_no_lack_of_one() throws IOException {
        JsonNode device = Cluster.JSON.readTree(list("-o", "json", "--node", "n2").out()).at("/devices/0");
        assertThat(device.path("taints").findValuesAsText("rule")).containsExactly("maintenance");
        assertThat(device.path("errors")).hasSize(1);
        assertThat(device.at("/errors/0/rule").asText()).isEqualTo("h100");
        assertThat(device.at("/errors/0/because").asText()).startsWith("DeviceClass h100: selectors[1] cannot be "
                + "evaluated (").contains("'model'")
                .endsWith("device.attributes[\"gpu.example.com\"].model == \"h100\"");
        assertThat(Cluster.JSON.readTree(list("-o", "json", "--node", "n1").out()).findValues("errors"))
                .allSatisfy(errors -> assertThat(errors).isEmpty());
    }

    /** Those of Kubernetes are for its server to judge. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "taint: {key: example.com/recall, effect: None} | taint: {key: kubernetes.io/x, effect: None}"
                    + " | spec.taint.key: Invalid value: \"kubernetes.io/x\": keys under kubernetes.io are reserved for"
                    + " Kubernetes",
            "deviceClassName: h100 | selectors: [{cel: {expression: device.pool}}] | spec.deviceSelector.selectors[0].cel."
                    + "expression: Invalid value: \"device.pool\": 1:7: undefined field 'pool'",
    })
    void a_rule_with_a_fault_selects_nothing_and_is_named_with_the_field(String valid, String invalid, String fault)
            throws IOException {
        assertThat(Typed.devices()).contains(valid);
        String devices = Typed.devices().replace(valid, invalid);
        assertThat(listIn(devices).err())
                .isEqualTo("warning: DeviceTaintRule h100 is invalid, so it selects nothing: " + fault
                        + "\n" + LOST);
        JsonNode listed = Cluster.JSON.readTree(listIn(devices, "-o", "json").out());
        assertThat(listed.path("devices").findValuesAsText("rule")).doesNotContain("h100").contains("old-driver",
                "maintenance");
        assertThat(listed.path("warnings")).hasSize(2);
    }

    @Test
    void an_expression_that_costs_much_holds_nothing_up() throws IOException {
        String many =
                IntStream.range(0, 40).mapToObj("    - {name: many-%d}\n"::formatted).collect(Collectors.joining());
        String devices = Typed.devices().replace("    - {name: port-2}\n", many).replace(
                "deviceSelector: {pool: n2}", "deviceSelector: {selectors: [{cel: {expression:"
                        + " 'lists.range(900000).size() == 0'}}]}");

        JsonNode listed = Cluster.JSON.readTree(listIn(devices, "-o", "json").out()).path("devices");

        assertThat(listed).hasSize(44);
        assertThat(listed.findValuesAsText("because"))
                .filteredOn(
                        because -> because.contains("(the expression costs more than 1 % of what Kubernetes allows)"))
                .hasSize(44);
        assertThat(listed.findValuesAsText("rule")).filteredOn("ports"::equals).as("other rules").hasSize(41);
    }

    /** As the controller compiles them: in a device's own attributes there may be a list all the same. */
    @ParameterizedTest
    @ValueSource(strings = {"device list -o json", "explain device n1/gpu-1 -o json"})
    void a_rule_that_asks_for_lists_is_valid_where_the_controller_takes_it(String command) throws IOException {
        String devices = Typed.devices().replace("deviceSelector: {pool: n2}",
                "deviceSelector: {selectors: [{cel: {expression:"
                        + " 'device.driver.includes(\"gpu.example.com\")'}}]}")
                .replace("apiVersion: resource.k8s.io/v1beta2", "apiVersion: nodeward.io/v1alpha1");
        String arguments = command + " -f -";
        assertThat(Typed.run(devices, arguments.split(" ")).out()).contains("undeclared reference to 'includes'");
        Result taken = Typed.run(devices, (arguments + " --devices-list-attributes").split(" "));
        assertThat(taken.out()).doesNotContain("includes'").contains("example.com/maintenance:NoExecute");
    }

    @Test
    void a_slice_of_an_older_generation_publishes_nothing() throws IOException {
        assertThat(list("-o", "name").out()).doesNotContain("gpu-7");
        String newer = Typed.devices().replace("pool: {name: n1, generation: 1", "pool: {name: n1, generation: 3");
        assertThat(listIn(newer, "-o", "name", "--node", "n1").out()).isEqualTo("gpu.example.com/n1/gpu-7\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"allNodes: true                 | all Nodes ",
            "nodeSelector: {nodeSelectorTerms: []}                       | Nodes by labels ",
            "nodeName: n7                                                | n7 ",
            "{}                                                          | net.example.com/",
            "perDeviceNodeSelection: true, nodeName: n7                  | n8 "})
    void the_nodes_of_a_device_are_those_that_its_slice_or_itself_says(String said, String shown) throws IOException {
        String fields = said.equals("{}") ? "" : said.replace(", ", "\n    ");
        String devices = Typed.devices().replace("allNodes: true", fields)
                .replace("{name: port-2}", "{name: port-2, nodeName: n8}");
        assertThat(listIn(devices, "-o", "wide").out().lines().filter(line -> line.contains("port-2")))
                .singleElement().asString().satisfies(
                        line -> assertThat(line.strip()).startsWith(shown));
    }

    @Test
    void of_many_pods_the_first_are_named_and_the_others_counted() throws IOException {
        String pods = IntStream.range(0, 9).mapToObj("    - {resource: pods, name: p%1$d, uid: u%1$d}"::formatted)
                .collect(Collectors.joining("\n"));
        String devices = Typed.devices().replace("    - {resource: pods, name: train-1, uid: uid-train-1}", pods);
        assertThat(listIn(devices, "--rule", "old-driver").out().replaceAll("\\s+", " "))
                .contains("shop/p0", "and 7 more").doesNotContain("shop/p3");
        assertThat(listIn(devices, "--rule", "old-driver", "-o", "wide").out()).contains("shop/p3", "shop/p8")
                .doesNotContain("more");
    }

    @Test
    void what_is_not_there_is_said() throws IOException {
        assertThat(listIn("")).isEqualTo(new Result(0, "No ResourceSlice publishes a device.\n", ""));
        assertThat(list("--node", "n9")).isEqualTo(
                new Result(0, "None of 5 devices is one that was asked for.\n", LOST));
        assertThat(list("--rule", "hundred")).isEqualTo(new Result(1, "", "error: there is no DeviceTaintRule"
                + " hundred; there are: h100, nothing, old-driver and 2 more\n"));
        assertThat(listIn("", "--rule", "h100").err()).endsWith("there is none at all\n");
    }

    @Test
    void objects_of_a_version_that_has_other_fields_are_not_taken_for_empty_ones() throws IOException {
        String beta = Typed.devices().replaceFirst("resource.k8s.io/v1\n", "resource.k8s.io/v1beta1\n");
        assertThat(listIn(beta).err()).contains("warning: 1 ResourceSlice in another version than resource.k8s.io/v1"
                + " cannot be read: standard input, document 1: ResourceSlice n1-gpu-old\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"spec: text", "spec: [1]", "spec: {pool: 1, devices: {a: b}}", "other: 1",
            "spec: {driver: {}, pool: {name: [], generation: x}, devices: [1, null, {name: 7, taints: {}}]}",
            "spec: {driver: d, pool: {name: p}, devices: [{name: x, attributes: [], capacity: 1, taints: [1, {}]}]}",
            "status: {allocation: {devices: {results: [1, {driver: 1}]}}, reservedFor: {a: b}}",
            "spec: {deviceSelector: [], taint: text}", "spec: {deviceSelector: {selectors: 1}, taint: {timeAdded: x}}"})
    void an_object_of_wrong_types_hides_no_other(String part) throws IOException {
        StringBuilder devices = new StringBuilder(Typed.devices());
        for (String kind : List.of("resource.k8s.io/v1 ResourceSlice", "resource.k8s.io/v1 ResourceClaim",
                "resource.k8s.io/v1 DeviceClass", "nodeward.io/v1alpha1 DeviceTaintRule",
                "resource.k8s.io/v1beta2 DeviceTaintRule")) {
            devices.append("- apiVersion: ").append(kind.replace(" ", "\n  kind: "))
                    .append("\n  metadata: {name: odd}\n  ")
                    .append(part).append('\n');
        }
        Result result = listIn(devices.toString(), "--node", "n1", "-o", "wide");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(words(result)).containsAll(words(list("--node", "n1", "-o", "wide")));
    }

    private static List<String> words(Result result) {
        return result.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"device list", "device list -o wide", "device list -o json", "device list -o yaml",
            "explain device n1/gpu-1", "explain device n1/gpu-1 -o json", "explain device n1/gpu-1 -o name",
            "explain device n1/gpu-1 -o wide", "explain device n1/nothing"})
    void nothing_that_is_in_objects_commands_a_terminal(String command) throws IOException {
        String evil = "ev\\e[2Jil\\x9b";
        String devices = Typed.devices().replace("name: gpu-0", "name: \"" + evil + "\"")
                .replace("device: gpu-0", "device: \"" + evil + "\"")
                .replace("nodeName: n1", "nodeName: \"" + evil + '"')
                .replace("name: ports", "name: \"" + evil + "p\"").replace("name: h100", "name: \"" + evil + "\"")
                .replace("ClassName: h100", "ClassName: \"" + evil + "\"")
                .replace("key: example", "key: \"" + evil + '"')
                .replace("\"ev\\e[2Jil\\x9b\".com", "\"ev\\e[2Jil\\x9b.com")
                .replace("name: train-0", "name: \"" + evil + '"')
                .replace("name: n1-gpu}", "name: \"" + evil + "\"}")
                .replace("value: soon", "description: \"" + evil + "\", value: \"" + evil + '"')
                .replaceAll("key: (\"ev[^,/]*)(/[a-z]*)", "key: $1$2\"");
        Result result = Typed.run(devices, (command + " -f -").split(" "));
        assertThat(result.out() + result.err()).contains("2Jil").doesNotContain("\u001b", "\u009b");
    }

    @Test
    void a_name_is_one_line_whatever_is_in_it() throws IOException {
        String devices = Typed.devices().replace("name: gpu-1", "name: \"gpu-1\\ngpu.example.com/n1/gpu-9\"");
        assertThat(listIn(devices, "-o", "name", "--node", "n1").out()).isEqualTo(
                "gpu.example.com/n1/gpu-0\ngpu.example.com/n1/gpu-1\\u000agpu.example.com/n1/gpu-9\n");
    }

    @Test
    void yaml_says_what_json_says() throws IOException {
        assertThat(new YAMLMapper().readTree(list("-o", "yaml").out()))
                .isEqualTo(Cluster.JSON.readTree(list("-o", "json").out()));
        JsonNode device = Cluster.JSON.readTree(list("-o", "json", "--rule", "old-driver").out()).at("/devices/0");
        assertThat(device.path("node").asText()).isEqualTo("n1");
        assertThat(device.at("/claims/0/claim").asText()).isEqualTo("shop/train-gpu");
        assertThat(device.at("/claims/0/pods")).extracting(JsonNode::asText)
                .containsExactly("shop/train-1", "shop/train-0");
        assertThat(device.path("taints").findValuesAsText("from")).containsExactly("driver", "DeviceTaintRule h100",
                "DeviceTaintRule old-driver");
        assertThat(device.path("taints").findValuesAsText("ruleCreated")).containsExactly("2026-03-02T09:00:00Z");
        assertThat(device.path("taints").findValuesAsText("declaredBy")).containsExactly("kubectl-create");
        assertThat(device.path("taints").findValuesAsText("timeAdded")).containsExactly("2026-03-01T10:00:00Z",
                "2026-03-03T10:00:00Z");
    }

    @Test
    void the_command_says_what_it_takes() {
        Result result = Typed.run("", "device", "show");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("list", "show", "'nodeward device --help' says more.");
        assertThat(Typed.run("", "device").exit()).isEqualTo(1);
    }
}
