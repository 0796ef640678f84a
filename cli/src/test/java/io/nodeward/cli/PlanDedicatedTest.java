package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.cli.snapshot.Manifests;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.ListedCluster;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolution;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans of groups of dedicated Nodes. */
class PlanDedicatedTest {
    private static final String ON = "--feature-gates=DedicatedNodes=true";
    private static final String TOLERATIONS = "--feature-gates=DedicatedNodes=true,DedicatedPodTolerations=true";
    private static final String EVICTIONS = "--feature-gates=DedicatedNodes=true,DedicatedEvictions=true";
    private static final String ADMISSION = "--feature-gates=DedicatedNodes=true,DedicatedPodAdmission=true";
    private static final String NODES = """
            {apiVersion: v1, kind: Node, metadata: {name: foo, uid: u}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: bar, annotations: {
              nodeward.io/taints-from-dedicated-nodes: "dedicated:NoSchedule"}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: member, namespace: banana}
            spec: {nodeName: foo}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: other, namespace: cherry}
            spec: {nodeName: foo}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: tolerates, namespace: cherry}
            spec: {nodeName: foo, tolerations: [{key: dedicated, operator: Exists}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: ended, namespace: cherry}
            spec: {nodeName: foo}
            status: {phase: Succeeded}
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              name: static
              namespace: cherry
              annotations: {kubernetes.io/config.mirror: x}
              ownerReferences: [{apiVersion: v1, kind: Node, name: foo, uid: u, controller: true}]
            spec: {nodeName: foo, tolerations: [{operator: Exists, effect: NoSchedule}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: elsewhere, namespace: cherry}
            spec: {nodeName: bar}
            """;

    @TempDir
    Path directory;

    private static String banana(String more) {
        return """
                ---
                apiVersion: nodeward.io/v1alpha1
                kind: DedicatedNodes
                metadata: {name: banana}
                spec:
                  nodes: {names: [foo]}
                  who: {namespaces: [banana]}
                  taint: {key: dedicated, value: banana, effects: [NoExecute]}
                  %s
                """.formatted(more);
    }

    private static final String FLEET = NODES + banana("enforcement: Audit");

    private Result plan(String fleet, String edit, String... more) throws IOException {
        return new Planning(directory).plan(fleet, edit, more);
    }

    private JsonNode json(String fleet, String edit, String gates) throws IOException {
        return Cluster.JSON.readTree(plan(fleet, edit, gates, "-o", "json").out());
    }

    private static List<String> evicted(JsonNode plan) {
        List<String> pods = new ArrayList<>();
        plan.path("changes").forEach(node -> node.path("pods").forEach(pod -> {
            if (pod.path("evicted").asBoolean()) {
                pods.add(pod.path("pod").asText());
            }
        }));
        return pods;
    }

    @Test
    void an_edit_to_enforce_does_what_the_preview_says() throws IOException {
        JsonNode plan = json(FLEET, banana("enforcement: Enforce\n  confirmedPods: 2"), ON);
        assertThat(plan.at("/changes/0/added")).hasToString("[\"dedicated=banana:NoExecute\"]");
        assertThat(plan.path("changes")).hasSize(1);
        assertThat(plan.path("warnings")).isEmpty();
        assertThat(evicted(plan)).containsExactly("banana/member", "cherry/other")
                .containsExactlyElementsOf(preview(FLEET).evicted().names());
    }

    /** As status.preview of the group in this fleet has it. */
    private static Preview preview(String fleet) throws IOException {
        Snapshot snapshot = new Snapshot(Manifests.read(List.of("-"), new Manifests.Reading("", false,
                new ByteArrayInputStream(fleet.getBytes(StandardCharsets.UTF_8)))), "");
        ListedCluster view = snapshot.listedCluster(snapshot.nodes());
        Resolution resolution = Resolution.of(
                snapshot.groups().stream().map(DeclaredGroup::of).toList(), view, PodFeatures.NONE);
        return Preview.of(resolution.find("banana").orElseThrow(), resolution.groups(), view, false);
    }

    /** A DaemonSet, and its pod on foo, which tolerates the taint. */
    private static String daemon(String namespace, String uid, String tolerations) {
        return """
                ---
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: d, namespace: %1$s, uid: %2$s}
                spec: {template: {spec: {tolerations: %3$s}}}
                """.formatted(namespace, uid, tolerations) + daemonPod(namespace);
    }

    private static String daemonPod(String namespace) {
        return """
                ---
                apiVersion: v1
                kind: Pod
                metadata:
                  name: d-1
                  namespace: %s
                  ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, controller: true}]
                spec: {nodeName: foo, tolerations: [{key: dedicated, operator: Exists}]}
                """.formatted(namespace);
    }

    @Test
    void a_pod_of_a_daemonset_counts_by_the_template_too_as_in_the_preview() throws IOException {
        String enforce = banana("enforcement: Enforce");
        String lacking = daemon("cherry", "d", "[]");
        assertThat(preview(FLEET + lacking).evicted().names())
                .containsExactly("banana/member", "cherry/d-1", "cherry/other");
        assertThat(plan(FLEET + lacking, enforce, ON).err()).endsWith("until spec.confirmedPods is 3\n");
        assertThat(plan(FLEET + daemon("cherry", "d", "[{key: dedicated, operator: Exists}]"), enforce, ON).err())
                .endsWith("until spec.confirmedPods is 2\n");
        assertThat(plan(FLEET + daemon("cherry", "older", "[]"), enforce, ON).err())
                .as("another DaemonSet of this name").endsWith("until spec.confirmedPods is 2\n");
    }

    @Test
    void a_template_of_members_or_of_the_system_that_lacks_the_toleration_holds_up_the_group() throws IOException {
        for (String namespace : List.of("banana", "kube-system")) {
            Result plan = plan(FLEET + daemon(namespace, "d", "[]"), banana("enforcement: Enforce"), TOLERATIONS);
            assertThat(plan.err()).isEqualTo("warning: DedicatedNodes banana: the templates of 1 DaemonSets do not"
                    + " tolerate dedicated=banana, and their pods would not run on the Nodes any more: " + namespace
                    + "/d\n");
            assertThat(plan.out()).startsWith("0 of 2 Nodes change");
        }
        assertThat(plan(FLEET + daemon("cherry", "d", "[]"), banana("enforcement: Enforce"), TOLERATIONS).out())
                .contains("foo   +  dedicated=banana:NoSchedule");
    }

    @Test
    void the_annotation_that_lets_refuse_them_counts_in_the_fleet_and_in_the_edit() throws IOException {
        String marked = "metadata: {name: banana, annotations: {nodeward.io/refuse-daemonsets: 'true'}}";
        String fleet = FLEET + daemon("cherry", "d", "[{key: dedicated, operator: Exists}]");
        String enforce = banana("enforcement: Enforce");
        assertThat(plan(fleet, enforce, ADMISSION).out()).startsWith("0 of 2 Nodes change");
        for (String edit : List.of(enforce, enforce.replace("{name: banana}", "{name: banana, annotations: null}"))) {
            assertThat(plan(fleet.replace("metadata: {name: banana}", marked), edit, ADMISSION).out())
                    .contains("foo   +  dedicated=banana:NoSchedule");
        }
        assertThat(plan(fleet, enforce.replace("metadata: {name: banana}", marked), ADMISSION).out())
                .contains("foo   +  dedicated=banana:NoSchedule");
        assertThat(plan(fleet.replace("metadata: {name: banana}", marked),
                enforce.replace("metadata: {name: banana}", marked.replace("true", "false")), ADMISSION).out())
                .startsWith("0 of 2 Nodes change");
    }

    @Test
    void a_daemonset_that_is_not_known_is_told() throws IOException {
        String fleet = FLEET + daemonPod("cherry");
        String told = "warning: DaemonSet cherry/d is not known here: the templates of DaemonSets that are not do not"
                + " count for DedicatedNodes\n";
        assertThat(plan(fleet, banana("enforcement: Enforce"), ON).err()).contains(told, "confirmedPods is 2\n");
        assertThat(plan(fleet, banana("enforcement: Audit"), ON).err()).as("it changes nothing").isEmpty();
        assertThat(plan(fleet + "status: {phase: Succeeded}\n", banana("enforcement: Enforce"), ON).err())
                .as("it has ended").doesNotContain("DaemonSet");
    }

    @Test
    void evictions_that_are_not_confirmed_do_not_come() throws IOException {
        Result plan = plan(FLEET, banana("enforcement: Enforce"), ON);
        assertThat(plan.out()).isEqualTo("""
                1 of 2 Nodes changes
                NODE     TAINT
                foo   +  dedicated=banana:NoSchedule
                """);
        assertThat(plan.err()).isEqualTo("warning: DedicatedNodes banana: Nodes where NoExecute would evict pods get"
                + " NoSchedule in its place, until spec.confirmedPods is 2\n");
        assertThat(plan.exit()).isZero();
    }

    @Test
    void where_budgets_are_respected_no_execute_comes_when_the_pods_are_gone() throws IOException {
        String respecting = banana("enforcement: Enforce\n  confirmedPods: 2\n  eviction: Respect");
        Result plan = plan(FLEET, respecting, ON);
        assertThat(plan.out()).contains("foo   +  dedicated=banana:NoSchedule").doesNotContain("NoExecute");
        assertThat(plan.err()).isEqualTo("warning: DedicatedNodes banana: Nodes where NoExecute would evict pods get"
                + " NoSchedule in its place, until 2 pods are gone: spec.eviction is Respect\n");
        Result empty = plan(FLEET, respecting.replace("[foo]", "[bar]"), ON);
        assertThat(empty.out()).as("a pod of cherry is there").contains("bar   +  dedicated=banana:NoSchedule");
        assertThat(plan(FLEET.replace("nodeName: bar", "nodeName: foo"), respecting.replace("[foo]", "[bar]"), ON))
                .satisfies(none -> assertThat(none.out()).contains("bar   +  dedicated=banana:NoExecute"))
                .satisfies(none -> assertThat(none.err()).isEmpty());
    }

    @Test
    void where_the_controller_evicts_as_budgets_permit_no_execute_comes_once_that_is_confirmed() throws IOException {
        String respecting = banana("enforcement: Enforce\n  eviction: Respect");
        assertThat(plan(FLEET, respecting, EVICTIONS).err()).contains("until spec.confirmedPods is 2\n");
        Result plan = plan(FLEET, banana("enforcement: Enforce\n  confirmedPods: 2\n  eviction: Respect"), EVICTIONS);
        assertThat(plan.out()).contains("dedicated=banana:NoExecute");
        assertThat(plan.err()).isEqualTo("warning: DedicatedNodes banana: 2 pods are evicted as"
                + " PodDisruptionBudgets permit, and Nodes get NoExecute after that\n");
        assertThat(plan.out()).contains("\n2 pods are evicted, where spec.eviction is Respect as budgets permit\n");
    }

    @Test
    void a_group_that_respects_budgets_names_those_that_would_hold_up_its_pods() throws IOException {
        String respecting = banana("enforcement: Enforce\n  confirmedPods: 2\n  eviction: Respect");
        String told = "warning: DedicatedNodes banana: evictions would wait for PodDisruptionBudget cherry/web, which"
                + " permits 0 of 1 pod to go now\n";
        String fleet = FLEET + budget("banana", "all", 1) + budget("cherry", "web", 0);
        for (String gates : List.of(EVICTIONS, ON)) {
            assertThat(plan(fleet, respecting, gates).err()).endsWith(told).doesNotContain("banana/all");
        }
        assertThat(plan(fleet, respecting.replace("Pods: 2", "Pods: 1"), EVICTIONS).err())
                .as("before that is confirmed")
                .contains("until spec.confirmedPods is 2\n").endsWith(told);
        assertThat(plan(fleet + budget("banana", "more", 1), respecting, EVICTIONS).err()).endsWith(told
                + "warning: DedicatedNodes banana: evictions would wait for 1 pod that several PodDisruptionBudgets select:"
                + " the API server evicts no such pod\n");
        String edit = respecting + budget("cherry", "web", 0).replaceFirst("status:.*", "");
        assertThat(plan(FLEET + budget("cherry", "web", 1), edit, EVICTIONS).err())
                .as("the status is that of the fleet").doesNotContain("wait");
        assertThat(plan(fleet, respecting.replace("Respect", "Delete"), EVICTIONS)).satisfies(
                deletes -> assertThat(deletes.err()).isEmpty(),
                deletes -> assertThat(deletes.out()).contains("2 pods are evicted, budgets or not\n"));
    }

    @Test
    void a_budget_of_pods_that_only_the_taint_ends_is_not_waited_for() throws IOException {
        String daemon = FLEET.replace("metadata: {name: other, namespace: cherry}", "metadata: {name: other, namespace:"
                + " cherry, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, controller: true}]}");
        String respecting = banana("enforcement: Enforce\n  confirmedPods: 2\n  eviction: Respect");
        assertThat(plan(daemon + """
                ---
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: d, namespace: cherry, uid: d}
                spec: {template: {spec: {}}}
                """ + budget("cherry", "web", 0), respecting, EVICTIONS).err()).doesNotContain("wait");
    }

    private static String budget(String namespace, String name, int allowed) {
        return """
                ---
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: %s, namespace: %s}
                spec: {selector: {}}
                status: {disruptionsAllowed: %d}
                """.formatted(name, namespace, allowed);
    }

    @Test
    void members_get_their_tolerations_first_where_the_controller_gives_them() throws IOException {
        assertThat(plan(FLEET, banana("enforcement: Enforce"), TOLERATIONS).err()).contains("confirmedPods is 1\n");
        JsonNode plan = json(FLEET, banana("enforcement: Enforce\n  confirmedPods: 1"), TOLERATIONS);
        assertThat(evicted(plan)).containsExactly("cherry/other");
        assertThat(plan.at("/changes/0/added")).hasToString("[\"dedicated=banana:NoExecute\"]");
    }

    @Test
    void a_group_may_be_new_and_what_its_file_says_of_its_status_does_not_count() throws IOException {
        String edit = banana("""
                enforcement: Enforce
                  confirmedPods: 2
                status:
                  applied:
                    nodes: {names: [bar]}
                    who: {namespaces: [banana]}
                    taint: {key: dedicated, value: banana, effects: [NoExecute]}
                    enforcement: Enforce
                """);
        Result plan = plan(NODES, edit, ON, "-n", "fleet");
        assertThat(plan.err()).isEmpty();
        assertThat(plan.out()).contains("foo   +  dedicated=banana:NoExecute", "2 pods are evicted")
                .doesNotContain("bar");
    }

    @Test
    void a_contradiction_is_told_and_changes_nothing() throws IOException {
        String cherry = DedicatedYaml.named("cherry", "foo");
        String fleet = FLEET.replace("metadata: {name: foo,", """
                spec: {taints: [{key: dedicated, value: cherry, effect: NoSchedule}]}, metadata: {labels: {
                node-restriction.kubernetes.io/dedicated: cherry}, name: foo,""")
                + DedicatedYaml.group("cherry", cherry, cherry);
        Result plan = plan(fleet, banana("enforcement: Enforce"), ON);
        assertThat(plan.err()).contains("warning: DedicatedNodes banana: DedicatedNodes cherry has Node foo too, with"
                + " the taint dedicated=cherry\n").doesNotContain("confirmedPods");
        assertThat(plan.out()).doesNotContain("banana");
    }

    @Test
    void a_group_that_another_makes_room_for_is_planned_too() throws IOException {
        String both = DedicatedYaml.named("cherry", "bar, foo");
        String cherry = DedicatedYaml.group("cherry", both, both);
        String edit = DedicatedYaml.group("cherry", DedicatedYaml.named("cherry", "bar"));
        Result plan = plan(NODES + banana("enforcement: Enforce\n  confirmedPods: 2") + cherry, edit, ON);
        assertThat(plan.out()).startsWith("""
                1 of 2 Nodes changes
                NODE     TAINT
                foo   -  dedicated=cherry:NoSchedule
                foo   +  dedicated=banana:NoExecute
                """).as("it has none yet").endsWith("""
                Already pending, without this edit: 2 of 2 Nodes change
                NODE     TAINT
                bar   +  dedicated=cherry:NoSchedule
                foo   +  dedicated=cherry:NoSchedule
                """);
        assertThat(plan.err()).isEmpty();
        assertThat(evicted(json(NODES + banana("enforcement: Enforce\n  confirmedPods: 1") + cherry, edit,
                TOLERATIONS))).as("its pods get their tolerations then").containsExactly("cherry/other");
    }

    @Test
    void evictions_are_counted_on_nodes_as_their_machines_make_them() throws IOException {
        String machine = """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {namespace: fleet, name: m1, labels: {node-restriction.kubernetes.io/pool: "%s"}}
                spec: {clusterName: prod}
                status: {nodeRef: {name: foo}}
                """;
        String group = banana("enforcement: Enforce").replace("names: [foo]",
                "selector: {matchLabels: {node-restriction.kubernetes.io/pool: banana}}");
        Result plan = plan(NODES + machine.formatted("") + group, machine.formatted("banana"), ON);
        assertThat(plan.out()).contains("foo   +  dedicated=banana:NoSchedule");
        assertThat(plan.err()).contains("until spec.confirmedPods is 2\n");
    }

    @Test
    void pods_whose_claims_are_not_known_are_counted_in_a_warning() throws IOException {
        String claiming = NODES.replace("spec: {nodeName: foo}",
                "spec: {nodeName: foo, resourceClaims: [{name: r, resourceClaimName: c}]}");
        String spec = DedicatedYaml.spec("gpu", "names: [foo]", "deviceClasses: [gpu.example.com]");
        String told = "warning: DedicatedNodes gpu: claims of devices of %s are not known here: no such pod counts as a"
                + " member\n";
        assertThat(plan(claiming, DedicatedYaml.group("gpu", spec), ON).err()).isEqualTo(told.formatted("2 pods"));
        String other = spec.replace("names: [foo]", "names: [none]");
        assertThat(plan(claiming + DedicatedYaml.group("gpu", other, spec), "", ON).err()).as("what is in force")
                .contains(told.formatted("2 pods"));
        assertThat(plan(claiming, DedicatedYaml.group("gpu", spec.replace("Enforce", "Audit")), ON).err())
                .as("it changes nothing").isEmpty();
        String claims =
                "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: %s}}\n";
        assertThat(plan(claiming + claims.formatted("banana") + claims.formatted("cherry"),
                DedicatedYaml.group("gpu", spec), ON, "-n", "fleet").err()).isEmpty();
    }

    @Test
    void back_to_audit_takes_the_taint_off() throws IOException {
        String spec = DedicatedYaml.named("banana", "foo");
        Result plan = plan(DedicatedYaml.MANAGED_NODE + DedicatedYaml.group("banana", spec, spec),
                DedicatedYaml.group("banana", spec.replace("Enforce", "Audit")), ON);
        assertThat(plan.out()).isEqualTo("""
                1 of 1 Node changes
                NODE     TAINT
                foo   -  dedicated=banana:NoSchedule
                """);
        assertThat(plan.err()).isEmpty();
    }

    /** After a restore, the controller takes no taint off because it has yet to record what is in force. */
    @Test
    void a_node_keeps_the_taint_of_a_group_that_has_lost_its_status_and_is_held_up() throws IOException {
        String fleet = DedicatedYaml.MANAGED_NODE
                + DedicatedYaml.group("banana", DedicatedYaml.named("banana", "foo")) + daemon("banana", "d", "[]");
        Result held = plan(fleet, "", TOLERATIONS);
        assertThat(held.err()).contains("the templates of 1 DaemonSets do not tolerate dedicated=banana");
        assertThat(held.out()).startsWith("0 of 1 Node change");
        assertThat(plan(fleet.replace("d60126", "d60127"), "", TOLERATIONS).out()).as("nothing proves that it had it")
                .startsWith("0 of 1 Node change");
        Result other = plan(fleet.replace("names: [foo]", "names: [none]"), "", TOLERATIONS);
        assertThat(other.out()).as("it is not a Node of the group").contains("foo   -  dedicated=banana:NoSchedule");
    }

    @Test
    void without_any_group_taints_of_groups_stay() throws IOException {
        Result plan = plan(DedicatedYaml.MANAGED_NODE,
                "{apiVersion: v1, kind: Node, metadata: {name: foo, labels: {a: b}}}", ON);
        assertThat(plan.out()).startsWith("0 of 1 Node change");
        assertThat(plan.err()).isEmpty();
    }

    @Test
    void a_gate_that_is_off_stops_it_and_one_that_is_not_said_is_told() throws IOException {
        Result off = plan(FLEET, banana("enforcement: Enforce"), "--feature-gates=DedicatedNodes=false");
        assertThat(off.out()).startsWith("0 of 2 Nodes change");
        assertThat(off.err())
                .isEqualTo("warning: DedicatedNodes are not planned: the controller's gate DedicatedNodes is off\n");
        Result open = plan(FLEET, banana("enforcement: Enforce"));
        assertThat(open.out()).startsWith("1 of 2 Nodes changes");
        assertThat(open.err()).contains("warning: DedicatedNodes change Nodes only with the controller's gate"
                + " DedicatedNodes on, which it is not by default: say with --feature-gates what it is\n");
        assertThat(plan(FLEET, banana("enforcement: Audit")).err()).as("it only counts").isEmpty();
    }

    @Test
    void what_is_declared_already_needs_no_machine() throws IOException {
        Result plan = plan(NODES + banana("enforcement: Enforce"), "", ON);
        assertThat(plan.exit()).as(plan.err()).isZero();
        assertThat(plan.out()).contains("foo   +  dedicated=banana:NoSchedule");
    }

    @Test
    void members_by_labels_of_namespaces_that_are_not_known_are_told() throws IOException {
        String group = banana("enforcement: Enforce").replace("namespaces: [banana]",
                "namespaceSelector: {matchLabels: {team: fruit}}");
        assertThat(plan(NODES, group, TOLERATIONS).err()).contains("warning: Namespace banana is not known here: of"
                + " namespaces that are not, no pod counts as a member of DedicatedNodes by their labels\n",
                "confirmedPods is 2\n");
        String namespaces = "---\n{apiVersion: v1, kind: Namespace, metadata: {name: banana, labels: {team: fruit}}}\n"
                + "---\n{apiVersion: v1, kind: Namespace, metadata: {name: cherry}}\n";
        assertThat(plan(NODES + namespaces, group, TOLERATIONS, "-n", "fleet").err()).contains("confirmedPods is 1\n")
                .doesNotContain("not known");
    }

    @Test
    void a_rule_of_devices_is_not_planned() throws IOException {
        Result plan = plan(FLEET, "{apiVersion: nodeward.io/v1alpha1, kind: DeviceTaintRule, metadata: {name: r}}",
                ON);
        assertThat(plan.exit()).isEqualTo(1);
        assertThat(plan.err()).contains("status.preview of a DeviceTaintRule with the effect None says what it does");
    }
}
