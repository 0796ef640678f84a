package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits that are applied server-side, of a fleet in files: managedFields tell what stays. */
class PlanServerSideTest {
    private static final String MACHINE =
            """
                    apiVersion: cluster.x-k8s.io/v1beta2
                    kind: Machine
                    metadata:
                      namespace: fleet
                      name: m1
                      managedFields:
                      - manager: flux
                        operation: Apply
                        apiVersion: cluster.x-k8s.io/v1beta2
                        fieldsType: FieldsV1
                        fieldsV1: {"f:spec": {"f:taints": {
                          'k:{"key":"flux","effect":"NoSchedule"}': {".": {}, "f:key": {}, "f:effect": {}, "f:propagation": {}},
                          'k:{"effect":"NoSchedule","key":"both"}': {".": {}, "f:key": {}, "f:effect": {}, "f:propagation": {}}}}}
                      - manager: team
                        operation: Apply
                        apiVersion: cluster.x-k8s.io/v1beta2
                        fieldsType: FieldsV1
                        fieldsV1: {"f:spec": {"f:clusterName": {}, "f:taints": {
                          'k:{"effect":"NoSchedule","key":"team"}':
                            {".": {}, "f:key": {}, "f:effect": {}, "f:value": {}, "f:propagation": {}},
                          'k:{"effect":"NoSchedule","key":"both"}': {".": {}, "f:key": {}, "f:effect": {}, "f:propagation": {}}}}}
                    spec:
                      clusterName: prod
                      providerID: cloud://1
                      taints:
                      - {key: flux, effect: NoSchedule, propagation: Always}
                      - {key: both, effect: NoSchedule, propagation: Always}
                      - {key: team, value: t, effect: NoSchedule, propagation: Always}
                    """;
    private static final String FLEET = MACHINE + """
            ---
            apiVersion: v1
            kind: Node
            metadata:
              name: n1
              annotations:
                cluster.x-k8s.io/taints-from-machine: "both:NoSchedule,flux:NoSchedule,team:NoSchedule"
            spec:
              providerID: cloud://1
              taints:
              - {key: flux, effect: NoSchedule}
              - {key: both, effect: NoSchedule}
              - {key: team, value: t, effect: NoSchedule}
            """;

    @TempDir
    Path directory;

    private Result plan(String fleet, String spec, String... options) throws IOException {
        return new Planning(directory).plan(fleet, """
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {namespace: fleet, name: m1},
                 spec: %s}
                """.formatted(spec), options);
    }

    private Result flux(String spec, String... options) throws IOException {
        return plan(FLEET, spec,
                Stream.concat(Stream.of("--server-side", "--field-manager", "flux"), Stream.of(options))
                        .toArray(String[]::new));
    }

    @Test
    void what_other_managers_have_stays_and_what_the_manager_leaves_out_goes() throws IOException {
        Result result = flux("{taints: [{key: new, effect: NoSchedule, propagation: Always}]}");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("+  new:NoSchedule", "-  flux:NoSchedule")
                .doesNotContain("both:NoSchedule", "team=t");
    }

    @Test
    void an_empty_spec_takes_away_what_the_manager_alone_has() throws IOException {
        assertThat(flux("{}").out()).contains("-  flux:NoSchedule").doesNotContain("both", "team");
    }

    @Test
    void a_manager_that_is_new_takes_nothing_away() throws IOException {
        assertThat(plan(FLEET, "{}", "--server-side").out()).isEqualTo("0 of 1 Node change\n");
    }

    @Test
    void a_field_that_another_manager_has_with_another_value_is_a_conflict_unless_it_is_taken_over()
            throws IOException {
        String edit = "{taints: [{key: team, value: f, effect: NoSchedule, propagation: Always}]}";
        Result refused = flux(edit);
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("Machine fleet/m1: the server would refuse to apply it: conflict with"
                + " \"team\": .spec.taints[effect=\"NoSchedule\",key=\"team\"].value. --force-conflicts");
        assertThat(flux(edit, "--force-conflicts").out()).contains("~  team=f:NoSchedule (was team=t:NoSchedule)",
                "-  flux:NoSchedule");
    }

    @Test
    void without_managed_fields_it_says_that_it_cannot_tell() throws IOException {
        Result result = plan(FLEET.replaceFirst("(?s)  managedFields:.*?spec:\n", "spec:\n"), "{}", "--server-side");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("Machine fleet/m1: ", "metadata.managedFields", "--show-managed-fields");
    }

    @Test
    void managed_fields_of_which_none_can_be_read_tell_nothing_either() throws IOException {
        Result result = plan(FLEET.replace("    fieldsType: FieldsV1\n", ""), "{}", "--server-side");
        assertThat(result.err()).contains("Machine fleet/m1: ", "metadata.managedFields");
    }

    @Test
    void items_of_a_topology_in_another_order_are_the_same() throws IOException {
        String cluster = """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata:
                  namespace: fleet
                  name: prod
                  managedFields:
                  - manager: flux
                    operation: Apply
                    apiVersion: cluster.x-k8s.io/v1beta2
                    fieldsType: FieldsV1
                    fieldsV1: {"f:spec": {"f:topology": {"f:workers": {"f:machineDeployments": {
                      'k:{"name":"a"}': {".": {}, "f:name": {}, "f:class": {}, "f:replicas": {}},
                      'k:{"name":"b"}': {".": {}, "f:name": {}, "f:class": {}, "f:failureDomain": {}}}}}}}
                spec: {topology: {classRef: {name: c}, version: v1.36.0, workers: {machineDeployments: [%s, %s]}}}
                """;
        String a = "{name: a, class: w, replicas: 1}";
        String b = "{name: b, class: w, failureDomain: z}";
        Result result = new Planning(directory).plan(FLEET + "---\n" + cluster.formatted(a, b)
                + "---\n{apiVersion: cluster.x-k8s.io/v1beta2, kind: ClusterClass, metadata: {namespace: fleet, name: c},"
                + " spec: {workers: {machineDeployments: [{class: w}]}}}\n",
                cluster.formatted(b, a).replaceAll("(?s)  managedFields.*?(?=spec:)", ""),
                "--server-side", "--field-manager=flux");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo("0 of 1 Node change\n");
    }

    /** kubectl and Flux take over what kubectl set before, by rules of their own. */
    @ParameterizedTest
    @CsvSource({"kubectl-client-side-apply, true", "kubectl-edit, true", "team-ci, false"})
    void what_kubectl_set_otherwise_is_kept_with_a_warning(String manager, boolean warned) throws IOException {
        Result result = plan(FLEET.replace("manager: flux\n    operation: Apply",
                "manager: " + manager + "\n    operation: Update"), "{}", "--server-side");
        assertThat(result.out()).isEqualTo("0 of 1 Node change\n");
        assertThat(result.err().contains("warning: Machine fleet/m1: " + manager + " set some of its fields"))
                .as(result.err()).isEqualTo(warned);
    }

    @ParameterizedTest
    @CsvSource({"kubectl, v1beta2, false", "kubectl, v1beta1, true", "flux, v1beta2, true"})
    void what_kubectl_applied_client_side_in_this_version_is_no_conflict_for_kubectl(
            String manager, String version, boolean conflict) throws IOException {
        String fleet = FLEET.replace("manager: team\n    operation: Apply\n    apiVersion: cluster.x-k8s.io/v1beta2\n"
                + "    fieldsType: FieldsV1\n    fieldsV1: {",
                "manager: kubectl-client-side-apply\n    operation: Update\n"
                        + "    apiVersion: cluster.x-k8s.io/" + version
                        + "\n    fieldsType: FieldsV1\n    fieldsV1: {\"f:metadata\": {"
                        + "\"f:annotations\": {\"f:kubectl.kubernetes.io/last-applied-configuration\": {}}}, ");
        assertThat(fleet).isNotEqualTo(FLEET);
        Result result = plan(fleet, "{taints: [{key: team, value: f, effect: NoSchedule, propagation: Always}]}",
                "--server-side", "--field-manager", manager);
        assertThat(result.err().contains("conflict with \"kubectl-client-side-apply\"")).as(result.err())
                .isEqualTo(conflict);
    }

    @Test
    void another_version_than_the_fleets_is_refused() throws IOException {
        Result result = plan(FLEET.replaceAll("cluster.x-k8s.io/v1beta2", "cluster.x-k8s.io/v1beta1"), "{}",
                "--server-side");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("Machine fleet/m1: has apiVersion cluster.x-k8s.io/v1beta2, and the fleet has"
                + " cluster.x-k8s.io/v1beta1");
    }

    @Test
    void a_field_that_is_null_is_refused_without_a_server() throws IOException {
        assertThat(flux("{taints: null}").err()).contains("Machine fleet/m1: spec.taints: is null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{x: {}}", "{'k:5': {}}", "{'k:{}': {}, 'v:': {}, '.': {}}", "{'f:spec': 3}", "[]", "x"})
    void managed_fields_that_no_server_writes_are_ignored(String fields) throws IOException {
        Result result = plan(FLEET.replaceFirst("fieldsV1: (?s).*?(?=  - manager: team)", "fieldsV1: " + fields + "\n"),
                "{}", "--server-side", "--field-manager=flux");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo("0 of 1 Node change\n");
    }

    /** Cluster API sets one replica where none is declared, and starts no rollout. */
    @ParameterizedTest
    @CsvSource({"replicas: 3, f:replicas, 3", "replicas: 1, f:replicas, 0",
            "'rollout: {after: \"2026-01-01T00:00:00Z\"}', f:rollout, 0"})
    void what_the_manager_leaves_out_of_the_spec_goes(String field, String owned, int exit) throws IOException {
        String deployment = """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata:
                  namespace: fleet
                  name: md
                  annotations: {nodeward.io/confirmed-noexecute-nodes: "10"}
                  managedFields:
                  - manager: kubectl
                    operation: Apply
                    apiVersion: cluster.x-k8s.io/v1beta2
                    fieldsType: FieldsV1
                    fieldsV1: {"f:spec": {"%s": {}}}
                spec: {clusterName: prod, %s, template: {spec: {clusterName: prod}}}
                """.formatted(owned, field);
        Result result = new Planning(directory).plan(FLEET + deployment,
                "{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment,"
                        + " metadata: {namespace: fleet, name: md}, spec: {clusterName: prod}}",
                "--server-side", "--fail-on=evictions");
        assertThat(result.exit()).as(result.err()).isEqualTo(exit);
        assertThat(result.out().contains("MachineDeployment fleet/md (spec.replicas)")).isEqualTo(exit == 3);
        assertThat(result.err().contains("what the edit of spec.")).as(result.err()).isEqualTo(exit == 0);
    }

    @Test
    void a_plan_of_whole_objects_tells_of_what_was_applied_server_side() throws IOException {
        Result result = plan(FLEET, "{taints: [{key: both, effect: NoSchedule, propagation: Always}]}");
        assertThat(result.out()).contains("-  flux:NoSchedule", "-  team=t:NoSchedule");
        assertThat(result.err()).contains("warning: Machine fleet/m1: a manager applied"
                + " .spec.taints[effect=\"NoSchedule\",key=\"flux\"] and 1 more server-side",
                "plan with --server-side");
        assertThat(plan(FLEET, "{taints: [{key: flux, effect: NoSchedule, propagation: Always},"
                + " {key: both, effect: NoSchedule, propagation: Always},"
                + " {key: team, value: t, effect: NoSchedule, propagation: Always}]}").err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--force-conflicts", "--field-manager=flux"})
    void the_other_options_need_server_side(String option) throws IOException {
        Result result = plan(FLEET, "{}", option);
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("error: " + option.split("=")[0] + " only works with --server-side");
    }

    @Test
    void of_a_node_the_list_is_of_one_manager_and_labels_go_one_by_one() throws IOException {
        String owned = FLEET.replace("  name: n1\n", """
                  name: n1
                  labels: {example.com/mine: "1", example.com/theirs: "1"}
                  managedFields:
                  - manager: kubectl
                    operation: Apply
                    apiVersion: v1
                    fieldsType: FieldsV1
                    fieldsV1: {"f:metadata": {"f:labels": {"f:example.com/mine": {}}}, "f:spec": {"f:taints": {}}}
                """);
        String dedicated = """
                ---
                apiVersion: nodeward.io/v1alpha1
                kind: DedicatedNodes
                metadata: {name: mine}
                spec:
                  taint: {key: dedicated, value: mine, effects: [NoSchedule]}
                  nodes: {selector: {matchLabels: {example.com/mine: "1"}}}
                  who: {namespaces: [a]}
                  enforcement: Enforce
                """;
        Result result = new Planning(directory).plan(owned + dedicated,
                "{apiVersion: v1, kind: Node, metadata: {name: n1}}", "--server-side",
                "--feature-gates=DedicatedNodes=true");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out())
                .startsWith("1 of 1 Node changes\nNODE     TAINT\nn1    -  dedicated=mine:NoSchedule\n");
        Result kept = new Planning(directory).plan(owned + dedicated,
                "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {example.com/mine: '1'}}}", "--server-side",
                "--feature-gates=DedicatedNodes=true");
        assertThat(kept.out()).startsWith("0 of 1 Node change\n");
    }
}
