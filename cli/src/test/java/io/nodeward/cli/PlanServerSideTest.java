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
                        fieldsV1: {"f:spec": {"f:taints": {
                          'k:{"key":"flux","effect":"NoSchedule"}': {".": {}, "f:key": {}, "f:effect": {}, "f:propagation": {}},
                          'k:{"effect":"NoSchedule","key":"both"}': {".": {}, "f:key": {}, "f:effect": {}, "f:propagation": {}}}}}
                      - manager: team
                        operation: Apply
                        apiVersion: cluster.x-k8s.io/v1beta2
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
    void without_managed_fields_it_says_that_nobody_can_tell() throws IOException {
        Result result = plan(FLEET.replaceFirst("(?s)  managedFields:.*?spec:\n", "spec:\n"), "{}", "--server-side");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("Machine fleet/m1: ", "metadata.managedFields", "--show-managed-fields");
    }

    /** kubectl hands over what it applied client-side before. */
    @ParameterizedTest
    @CsvSource({"kubectl-client-side-apply, Update, true", "kubectl-edit, Update, false"})
    void what_kubectl_applied_client_side_goes_if_it_is_left_out(String manager, String operation, boolean goes)
            throws IOException {
        Result result = plan(FLEET.replace("manager: flux\n    operation: Apply",
                "manager: " + manager + "\n    operation: " + operation), "{}", "--server-side");
        assertThat(result.out().contains("-  flux:NoSchedule")).as(result.out()).isEqualTo(goes);
    }

    @Test
    void a_plan_of_whole_objects_tells_of_what_was_applied_server_side() throws IOException {
        Result result = plan(FLEET, "{taints: [{key: both, effect: NoSchedule, propagation: Always}]}");
        assertThat(result.out()).contains("-  flux:NoSchedule", "-  team=t:NoSchedule");
        assertThat(result.err()).contains("warning: Machine fleet/m1: the plan stores the object as the file has it,"
                + " without .spec.taints[effect=\"NoSchedule\",key=\"flux\"]", "--server-side plans what");
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
