package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that a server finds by the schema of a CRD: in edits of a plan, and in what is validated. */
class SchemaFaultsTest {
    private static final String SHIPPED = " (in Cluster API v1.14.2)";
    /** In line 4 there is what a test is about. */
    private static final String WORKERS = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineDeployment
            metadata: {namespace: fleet, name: workers}
            spec: {%s}
            """;
    private static final String TAINTS =
            "template: {spec: {taints: [{key: new, effect: NoExecute, propagation: Always}]}}";
    private static final String FLEET =
            """
                    apiVersion: cluster.x-k8s.io/v1beta2
                    kind: MachineDeployment
                    metadata: {namespace: fleet, name: workers}
                    spec: {stored: by a newer server, clusterName: prod, template: {spec: {taints: [
                      {key: old, effect: NoSchedule, propagation: Always}]}}}
                    ---
                    apiVersion: cluster.x-k8s.io/v1beta2
                    kind: Machine
                    metadata: {namespace: fleet, name: m1, labels: {cluster.x-k8s.io/deployment-name: workers}}
                    spec: {clusterName: prod, taints: [{key: old, effect: NoSchedule, propagation: Always}]}
                    status: {nodeRef: {name: n1}}
                    ---
                    {apiVersion: v1, kind: Node, metadata: {name: n1, annotations: {
                      cluster.x-k8s.io/taints-from-machine: "old:NoSchedule"}}, spec: {taints: [{key: old, effect: NoSchedule}]}}
                    ---
                    {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web}, spec: {nodeName: n1}}
                    """;

    @TempDir
    Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("fleet.yaml"), FLEET);
        try (InputStream crds = SchemaFaultsTest.class.getResourceAsStream("crds.yaml")) {
            Files.copy(crds, folder.resolve("crds.yaml"));
        }
    }

    @Test
    void what_the_stored_object_has_already_is_not_judged_again() throws IOException {
        String old = Files.writeString(folder.resolve("old.yaml"), WORKERS.formatted("weight: 3")).toString();
        assertThat(validate(WORKERS.formatted("weight: 4"), "-f", crds(), "--before", old).exit()).isZero();
        assertThat(validate(WORKERS.formatted("wight: 4"), "-f", crds(), "--before", old).exit()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "template: {spec: {taint: []}} | 26 | spec.template.spec.taint | unknown field; did you mean 'taints'?",
            "template: {spec: {taints: [{kay: a}]}} | 36 | spec.template.spec.taints[0].kay | unknown field; did you mean 'key'?",
            "replica: 3 | 8 | spec.replica | unknown field; did you mean 'replicas'?",
            "taints: [] | 8 | spec.taints | unknown field; did you mean 'spec.template.spec.taints'?",
            "weight: 3 | 8 | spec.weight | unknown field",
            "replicas: three | 8 | spec.replicas | must be of type integer, is string",
            "replicas: \"3\" | 8 | spec.replicas | must be of type integer, is string",
            "replicas: 1.5 | 8 | spec.replicas | must be of type integer, is number",
            "replicas: [1] | 8 | spec.replicas | must be of type integer, is array",
            "replicas: -1 | 8 | spec.replicas | must be at least 0",
            "replicas: 2147483648 | 8 | spec.replicas | must be at most 2147483647",
            "replicas: 99999999999999999999 | 8 | spec.replicas | must be at most 2147483647",
            "order: 99999999999999999999 | 8 | spec.order | must be at most 9223372036854775807",
            "seconds: 61 | 8 | spec.seconds | must be at most 60",
            "share: a lot | 8 | spec.share | must be of type number, is string",
            "most: true | 8 | spec.most | must be of type integer or string, is boolean",
            "newer: 1 | 8 | spec.newer | must be of type boolean, is integer",
            "clusterName: {a: b} | 8 | spec.clusterName | must be of type string, is object",
            "template: [] | 8 | spec.template | must be of type object, is array",
            "template: {spec: {taints: {key: a}}} | 26 | spec.template.spec.taints | must be of type array, is object",
            "template: {spec: {taints: [a]}} | 35 | spec.template.spec.taints[0] | must be of type object, is string",
            "template: {spec: {taints: [null]}} | 35 | spec.template.spec.taints[0] | must be of type object, is null",
            "template: {metadata: {labels: {a.b/c: true}}} | 39 | spec.template.metadata.labels[a.b/c] | must be of type string, is boolean",
            "template: {metadata: {name: a}} | 30 | spec.template.metadata.name | unknown field",
            "any: {known: 1} | 14 | spec.any.known | must be of type boolean, is integer",
            "object: {kind: A, spce: {}} | 26 | spec.object.spce | unknown field; did you mean 'spec'?",
            "object: {metadata: {nam: a}} | 28 | spec.object.metadata.nam | unknown field; did you mean 'name'?"
    })
    void the_clusters_own_schema_makes_it_an_error(String spec, int column, String field, String message)
            throws IOException {
        String edit = WORKERS.formatted(spec);

        Result validated = validate(edit, "-f", crds(), "-o", "json");
        JsonNode finding = Cluster.JSON.readTree(validated.out()).at("/findings/0");
        assertThat(validated.exit()).as(validated.out()).isEqualTo(3);
        assertThat(finding.path("severity").asText()).isEqualTo("error");
        assertThat(finding.path("field").asText()).isEqualTo(field);
        assertThat(finding.path("message").asText()).isEqualTo(message);
        assertThat(finding.path("line").asInt()).isEqualTo(4);
        assertThat(finding.path("column").asInt()).isEqualTo(column);

        Result planned = plan(edit, "-f", crds());
        assertThat(planned.exit()).as(planned.out()).isEqualTo(1);
        assertThat(planned.err()).isEqualTo("error: " + folder + "/edit.yaml, document 1, line 4, column " + column
                + ": MachineDeployment fleet/workers: " + field + ": " + message + "\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "template: {spec: {taint: []}} | spec.template.spec.taint: unknown field; did you mean 'taints'?",
            "replicas: three | spec.replicas: must be of type integer, is string",
            "replicas: -1 | spec.replicas: must be at least 0",
            "replicas: 99999999999999999999 | spec.replicas: must be at most 2147483647",
            "newer: true | spec.newer: unknown field"
    })
    void the_shipped_schema_makes_it_a_warning_that_names_its_version(String spec, String fault) throws IOException {
        String edit = WORKERS.formatted(spec);

        Result validated = validate(edit, "-o", "wide");
        assertThat(validated.exit()).as(validated.out()).isZero();
        assertThat(validated.out()).containsPattern(
                "  warning  line 4, column \\d+: \\Q" + fault + SHIPPED
                        + "\\E\n\n1 of 1 object judged: 0 errors, 1 warning");

        Result planned = plan(edit);
        assertThat(planned.err()).containsPattern("^warning: " + folder + "/edit.yaml, document 1, line 4, column \\d+:"
                + " MachineDeployment fleet/workers: \\Q" + fault + SHIPPED + "\\E\n");
        assertThat(planned.exit()).as(planned.err()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "MachineDeployment | MachineDeploymnt | 2 | kind | cluster.x-k8s.io has no MachineDeploymnt; did you mean 'MachineDeployment'?",
            "v1beta2 | v1beta9 | 1 | apiVersion | MachineDeployment is served in %s, not in v1beta9"
    })
    void a_kind_or_version_that_is_not_served_is_found(
            String known, String unknown, int line, String field, String message) throws IOException {
        String edit = WORKERS.formatted(TAINTS).replace(known, unknown);
        String where = " line " + line + ", column 1: ";

        Result own = validate(edit, "-f", crds(), "-o", "wide");
        assertThat(own.exit()).isEqualTo(3);
        assertThat(own.out()).contains("  error " + where + field + ": " + message.formatted("v1beta2") + "\n");
        assertThat(plan(edit, "-f", crds()).err()).contains(field + ": " + message.formatted("v1beta2") + "\n");

        Result shipped = validate(edit, "-o", "wide");
        String warning = field + ": " + message.formatted("v1beta2, v1beta1") + SHIPPED + "\n";
        assertThat(shipped.exit()).isZero();
        assertThat(shipped.out()).contains("  warning " + where + warning);
        assertThat(plan(edit).err()).contains("warning: ", warning);
    }

    @Test
    void a_kind_is_not_missing_where_only_some_crds_of_its_group_are_given() throws IOException {
        String crds = Files.readString(folder.resolve("crds.yaml"));
        Files.writeString(folder.resolve("crds.yaml"), crds.substring(0, crds.lastIndexOf("---")));

        Result result = validate(WORKERS.formatted("").replace("MachineDeployment", "MachineTemplate"), "-f", crds());

        assertThat(result.exit()).as(result.out()).isZero();
        assertThat(result.out()).contains("cluster.x-k8s.io has no MachineTemplate");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "DedicatedNods | {} | kind: nodeward.io has no DedicatedNods; did you mean 'DedicatedNodes'?",
            "DedicatedNodes | {shard: true} | spec.shard: unknown field; did you mean 'shared'?",
            "DeviceTaintRule | {deviceSelector: {driver: 1}} | spec.deviceSelector.driver: must be of type string, is integer"
    })
    void nodewards_kinds_are_checked_too(String kind, String spec, String fault) throws IOException {
        Result result = validate("{apiVersion: nodeward.io/v1alpha1, kind: %s, metadata: {name: a}, spec: %s}"
                .formatted(kind, spec), "-o", "wide");
        assertThat(result.out()).contains(fault + " (in this version of Nodeward)\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "newer: true", "replicas: 3", "replicas: 3.0", "replicas: 0", "replicas: null", "replicas: 2147483647",
            "order: 9223372036854775807", "seconds: 0", "share: 1", "share: 0.5", "most: 1", "most: 10%",
            "any: {known: true, other: [{a: 1}]}", "value: {a: [1]}", "value: 1", "newer: yes",
            "object: {apiVersion: v1, kind: A, metadata: {name: a, labels: {a: b}}, spec: {}}", TAINTS, "template: null"
    })
    void what_the_schema_allows_is_no_finding(String spec) throws IOException {
        assertThat(validate(WORKERS.formatted(spec), "-f", crds()).out()).contains(": 0 errors, 0 warnings");
    }

    @Test
    void an_export_of_a_server_is_no_finding() throws IOException {
        String export =
                """
                        apiVersion: cluster.x-k8s.io/v1beta2
                        kind: MachineDeployment
                        metadata:
                          annotations: {a: b}
                          creationTimestamp: "2026-01-01T00:00:00Z"
                          deletionGracePeriodSeconds: 0
                          deletionTimestamp: "2026-01-01T00:00:00Z"
                          finalizers: [a/b]
                          generateName: w
                          generation: 2
                          labels: {a: b}
                          managedFields: [{apiVersion: v1, fieldsV1: {"f:spec": {}}, manager: k, operation: Apply}]
                          name: workers
                          namespace: fleet
                          ownerReferences: [{apiVersion: v1, kind: A, name: a, uid: u, controller: true, blockOwnerDeletion: true}]
                          resourceVersion: "1"
                          selfLink: /a
                          uid: u
                        spec: {replicas: 1}
                        status: {replicas: 1, newInStatus: {}}
                        """;
        assertThat(validate(export, "-f", crds()).out()).contains("0 errors, 0 warnings");
        assertThat(validate(export).out()).contains("0 errors, 0 warnings");
        assertThat(validate(export.replace("labels: {a: b}", "labels: {a: 1}")).out().replaceAll("\\s+", " "))
                .contains("metadata.labels.a: must be of type string, is integer");
    }

    @Test
    void of_the_fleet_only_what_is_edited_is_checked() throws IOException {
        Result result = plan(WORKERS.formatted(TAINTS), "-f", crds());
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("+  new:NoExecute");
    }

    @Test
    void items_of_a_list_are_found_where_they_are() throws IOException {
        String list = """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: cluster.x-k8s.io/v1beta2
                  kind: Machine
                  metadata: {namespace: fleet, name: m}
                - {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment",
                   "metadata": {"namespace": "fleet", "name": "workers"},
                   "spec": {"replica": 1}}
                """;
        assertThat(validate(list, "-f", crds()).out()).contains("line 9, column 13: spec.replica: unknown field");
        String json = "{\"items\": [{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Machine\",\n"
                + " \"spec\": {\"taint\": []}}], \"kind\": \"List\"}";
        assertThat(validate(json).out()).contains("line 2, column 11: spec.taint: unknown field");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
            "- | {} | true", "- | {annotations: {taint.nodeward.io/b: 'b:NoSchedule'}} | true",
            "- | {annotations: {taint.nodeward.io/a: 'a:NoSchedule'}} | false",
            "topology.cluster.x-k8s.io/owned | {} | false"
    })
    void a_taint_in_the_own_annotations_of_a_machine_deployment_is_a_warning(
            String label, String template, boolean warned) throws IOException {
        String edit = """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata:
                  namespace: fleet
                  name: workers
                  labels: {%s: ""}
                  annotations: {taint.nodeward.io/a: "a:NoSchedule"}
                spec: {template: {metadata: %s, spec: {taints: [{key: old, effect: NoSchedule, propagation: Always}]}}}
                """.formatted(label == null ? "a" : label, template);
        String warning = "line 7, column 17: metadata.annotations[taint.nodeward.io/a]: Cluster API carries it to no"
                + " Machine; spec.template.metadata.annotations is the place\n";

        Result validated = validate(edit, "-o", "wide");
        assertThat(validated.exit()).as(validated.out()).isZero();
        assertThat(validated.out().contains("  warning  " + warning)).as(validated.out()).isEqualTo(warned);
        assertThat(plan(edit).err().contains(", document 1, " + warning.replace("17: ",
                "17: MachineDeployment fleet/workers: "))).isEqualTo(warned);
    }

    /** The OpenAPI that each user may read has the schemas of CRDs, which few may. */
    @Test
    void a_live_server_says_what_it_has() throws IOException {
        try (Live live = new Live(folder)) {
            live.answer(
                    """
                            {"components": {"schemas": {"io.x-k8s.cluster.v1beta2.MachineDeployment": {"type": "object",
                             "x-kubernetes-group-version-kind": [
                              {"group": "cluster.x-k8s.io", "version": "v1beta2", "kind": "MachineDeployment"}],
                             "properties": {"metadata": {"allOf": [{"$ref": "#/components/schemas/ObjectMeta"}]},
                              "spec": {"type": "object", "properties": {"newest": {"type": "boolean"},
                               "replicas": {"type": "integer"}}}}}}},
                             "paths": {"/apis/cluster.x-k8s.io/v1beta2/namespaces/{namespace}/machinedeployments/{name}/scale": {}}}
                            """);
            assertThat(live.plan(WORKERS.formatted("newst: true")))
                    .contains("error: ", "line 4, column 8", "spec.newst: unknown field; did you mean 'newest'?\n");
            assertThat(live.plan(WORKERS.formatted("replicas: -1"))).contains("spec.replicas: must be at least 0\n");
            assertThat(live.plan(WORKERS.formatted("").replace("v1beta2", "v1beta9")))
                    .contains("error: ", "MachineDeployment is served in v1beta2, v1beta1, not in v1beta9\n");
            assertThat(live.plan(WORKERS.formatted("").replace("Deployment", "Deploymnt")))
                    .contains("error: ", "no MachineDeploymnt; did you mean 'MachineDeployment'?\n");
        }
    }

    @Test
    void a_live_server_that_does_not_say_it_is_taken_for_the_shipped_version() throws IOException {
        try (Live live = new Live(folder)) {
            live.forbid();
            assertThat(live.plan(WORKERS.formatted("newst: true"))).contains("spec.newst: unknown field" + SHIPPED);
        }
    }

    private String crds() {
        return folder + "/crds.yaml";
    }

    private Result validate(String objects, String... more) throws IOException {
        return run("validate", "-f", objects, more);
    }

    private Result plan(String edit, String... more) throws IOException {
        String[] all = new String[more.length + 2];
        all[0] = "-f";
        all[1] = folder + "/fleet.yaml";
        System.arraycopy(more, 0, all, 2, more.length);
        return run("plan", "--edit", edit, all);
    }

    private Result run(String command, String option, String objects, String... more) throws IOException {
        String[] all = new String[more.length + 3];
        all[0] = command;
        all[1] = option;
        all[2] = Files.writeString(folder.resolve("edit.yaml"), objects).toString();
        System.arraycopy(more, 0, all, 3, more.length);
        return Typed.run("", all);
    }

    /** A fleet on a server. */
    private static final class Live extends LiveFixture implements AutoCloseable {
        Live(Path folder) throws IOException {
            this.folder = folder;
            start();
        }

        void answer(String openApi) {
            management.server.fault(1_000,
                    request -> request.path().endsWith("/openapi/v3/apis/cluster.x-k8s.io/v1beta2"),
                    new Fault.Answer(200, Map.of("Content-Type", "application/json"), openApi));
        }

        void forbid() {
            management.server.fault(1_000, request -> request.path().contains("/openapi/"),
                    Fault.status(403, "Forbidden", "not you"));
        }

        String plan(String edit) throws IOException {
            Path file = Files.write(folder.resolve("live.yaml"), edit.replace("workers", "prod-gpu")
                    .getBytes(StandardCharsets.UTF_8));
            return management.run("plan", "--edit", file.toString()).err();
        }

        @Override
        public void close() {
            stop();
        }
    }
}
