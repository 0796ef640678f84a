package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.cli.terminal.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Terminal COLOURED = new Terminal(true, true, 80);

    private static Result explain(String... more) throws IOException {
        return explainIn(Typed.fleet(), more);
    }

    private static Result explainIn(String fleet, String... more) {
        List<String> arguments = new ArrayList<>(List.of("explain", "-f", "-"));
        arguments.addAll(List.of(more));
        return Typed.run(fleet, arguments.toArray(String[]::new));
    }

    @Test
    void each_taint_of_a_node_is_told_with_its_origin() throws IOException {
        Result result = explain("node/n1");

        assertThat(result.err()).isEmpty();
        assertThat(result.exit()).isZero();
        assertThat(result.out()).startsWith("""
                Node n1, of Machine fleet/m1

                gpu=a100:NoSchedule
                  from     Cluster fleet/prod: declared in its list of taints
                  through  MachineDeployment fleet/prod-gpu, MachineSet fleet/prod-gpu-x,
                           Machine fleet/m1
                  since    2026-03-01T10:01:00Z at the latest
                  managed  cluster.x-k8s.io/taints-from-machine, by nodeward-machine
                  status   declared

                old:NoSchedule
                  from     Machine fleet/m1, most likely: it was declared there or above; with
                           which value is not recorded
                  since    2026-03-01T10:01:00Z at the latest
                  managed  cluster.x-k8s.io/taints-from-machine, by nodeward-machine
                  status   no longer declared

                storage:NoSchedule
                  from    KubeadmConfig fleet/m1, most likely: nodeRegistration.taints has it
                """);
        assertThat(result.out()).contains("""
                mine:NoSchedule
                  from    kubectl-taint, most likely: kubectl-taint wrote the list last, and may
                          have found it there
                """, """
                node.kubernetes.io/unreachable:NoExecute
                  from    node lifecycle controller: its kubelet has not been heard of
                  since   2026-03-05T00:00:00Z
                """);
    }

    @Test
    void what_is_declared_and_not_there_is_told_with_the_reason() throws IOException {
        Result result = explain("node/n1");
        assertThat(result.out().substring(result.out().indexOf("Missing:"))).isEqualTo("""
                Missing:

                warming:NoExecute (OnInitialization)
                  declared  MachineDeployment fleet/prod-gpu
                  through   MachineSet fleet/prod-gpu-x, Machine fleet/m1
                  because   it is for initialization, and the Node was initialized by
                            nodeward-machine: it was taken off since, or declared later
                            (InitializationOver)

                new:NoExecute (Always)
                  declared  MachineDeployment fleet/prod-gpu
                  through   MachineSet fleet/prod-gpu-x, Machine fleet/m1
                  because   the controller's next write brings it (Due)

                team:NoSchedule (Always)
                  declared  ClusterClass fleet/standard
                  stopped   before MachineDeployment fleet/prod-gpu
                  because   Cluster API lets the Cluster's list of taints replace that of its
                            class; the controller's gate TopologyTaintPropagation merges them
                            (Replaced)
                """);
    }

    private static JsonNode taint(String fleet, String key) throws IOException {
        for (JsonNode taint : JSON.readTree(explainIn(fleet, "node/n1", "-o", "json").out()).path("taints")) {
            if (taint.path("key").asText().equals(key)) {
                return taint;
            }
        }
        throw new IllegalStateException("there is no taint " + key);
    }

    @Test
    void an_object_of_the_same_name_that_does_not_look_after_this_one_is_no_origin() throws IOException {
        String owner = "kind: MachineSet, name: prod-gpu-x, controller: true";
        String uids = Typed.fleet().replace(owner, owner + ", uid: one")
                .replace("  name: prod-gpu-x\n", "  name: prod-gpu-x\n  uid: one\n");
        assertThat(taint(uids, "gpu").path("from").asText()).isEqualTo("Cluster fleet/prod");
        for (String other : List.of(uids.replace("\n  uid: one", "\n  uid: made-anew"),
                Typed.fleet().replace(owner, owner.replace("true", "false")),
                Typed.fleet().replace("{apiVersion: cluster.x-k8s.io/v1beta2, " + owner,
                        "{apiVersion: machine.openshift.io/v1beta1, " + owner))) {
            assertThat(taint(other, "gpu").path("from").asText()).isEqualTo("Machine fleet/m1");
        }
        String unowned = Typed.fleet().replace(", topology.cluster.x-k8s.io/owned: \"\"", "");
        assertThat(taint(unowned, "gpu").path("from").asText()).as("its name is all that a topology has of it")
                .isEqualTo("MachineDeployment fleet/prod-gpu");
    }

    @Test
    void an_object_above_that_is_not_among_those_that_are_known_makes_the_origin_likely() throws IOException {
        for (String kind : List.of("MachineSet", "MachineDeployment", "Cluster")) {
            String without = List.of(Typed.fleet().split("---\n")).stream()
                    .filter(document -> !document.contains("kind: " + kind + "\n"))
                    .collect(Collectors.joining("---\n"));
            JsonNode gpu = taint(without, "gpu");
            assertThat(gpu.path("certain").asBoolean()).as(kind).isFalse();
            assertThat(gpu.path("because").asText()).contains(kind + " fleet/prod").endsWith("is not known here");
        }
        String without = Typed.fleet().replace("kind: ClusterClass\nmetadata: {namespace: fleet, name: standard}",
                "kind: ClusterClass\nmetadata: {namespace: fleet, name: other}");
        assertThat(taint(without, "gpu").path("certain").asBoolean()).as("the Cluster has it itself").isTrue();
    }

    @Test
    void what_a_kubelet_was_to_register_is_read_as_it_joins_and_with_the_value() throws IOException {
        JsonNode storage = taint(Typed.fleet(), "storage");
        assertThat(storage.path("from").asText()).isEqualTo("KubeadmConfig fleet/m1");
        assertThat(storage.path("certain").asBoolean()).isFalse();
        String init = Typed.fleet().replace("joinConfiguration:", "initConfiguration:");
        assertThat(taint(init, "storage").path("source").asText()).as("a worker joins").isEqualTo("Human");
        String edge = Typed.fleet().replace("{key: storage, effect: NoSchedule}\n",
                "{key: storage, effect: NoSchedule}\n  - {key: edge, value: \"yes\", effect: NoSchedule}\n");
        assertThat(taint(edge, "edge").path("because").asText()).contains("--register-with-taints");
        assertThat(
                taint(edge.replace("value: \"yes\", effect", "value: \"no\", effect"), "edge").path("source").asText())
                .isEqualTo("Human");
    }

    @Test
    void nothing_is_wider_than_the_terminal() throws IOException {
        String longNames = Typed.fleet().replace("prod-gpu", "prod-gpu-" + "very-long-".repeat(9) + "name")
                .replace("mine", "example.com/" + "x".repeat(63));
        for (String[] words : List.of(new String[]{"node/n1"}, new String[]{"pod/web", "-n", "shop"})) {
            Result result = explainIn(longNames, words);
            assertThat(result.exit()).as(result.err()).isZero();
            assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        }
        assertThat(explainIn(longNames, "node/n1", "-o", "wide").out().lines())
                .anySatisfy(line -> assertThat(line).hasSizeGreaterThan(160));
    }

    @Test
    void settings_of_the_controller_count() throws IOException {
        assertThat(explain("node/n1", "--feature-gates", "MachineTaintPropagation=false").out())
                .contains("the gate MachineTaintPropagation is off (GateOff)");
        assertThat(explain("node/n1", "--feature-gates", "Foo=false").exit()).isEqualTo(1);
    }

    @Test
    void whoever_is_paused_or_blocked_is_named() throws IOException {
        String paused = Typed.fleet().replace("spec:\n  controlPlaneRef", "spec:\n  paused: true\n  controlPlaneRef");
        assertThat(explainIn(paused, "node/n1").out()).contains("the Cluster is paused (Paused)");
        String blocked =
                Typed.fleet().replace("status: {nodeRef: {name: n1}}", "status: {nodeRef: {name: n1}, conditions:"
                        + " [{type: nodeward.io/Blocked, status: \"True\", reason: Forbidden, message: not allowed}]}");
        assertThat(explainIn(blocked, "node/n1").out())
                .contains("Machine fleet/m1 is blocked (Forbidden): not allowed (Blocked)");
    }

    @Test
    void a_node_of_two_machines_is_nobodys() throws IOException {
        String twice = Typed.fleet() + """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {namespace: fleet, name: m2}
                spec: {clusterName: prod, providerID: "cloud://m1"}
                """;
        Result result = explainIn(twice, "node/n1");
        assertThat(result.err()).contains("warning: Node n1 is claimed by fleet/m1, fleet/m2");
        assertThat(result.out()).contains("declared by what is not known here");
    }

    @Test
    void a_node_of_nobody_is_explained_as_far_as_possible() throws IOException {
        Result result = explain("node/n2");
        assertThat(result.err()).contains("warning: no Machine or MachinePool is known whose Node this is");
        assertThat(result.out()).isEqualTo("Node n2\n\nIt has no taint.\n");
    }

    @Test
    void a_program_reads_the_same_of_a_node() throws IOException {
        Result result = explain("node/n1", "-o", "json");
        JsonNode json = JSON.readTree(result.out());
        assertThat(json.path("owner").asText()).isEqualTo("Machine fleet/m1");
        assertThat(json.at("/taints/0")).isEqualTo(JSON.readTree("""
                {"taint":"gpu=a100:NoSchedule","key":"gpu","value":"a100","effect":"NoSchedule","source":"Cluster",
                 "from":"Cluster fleet/prod","certain":true,"because":"declared in its list of taints",
                 "status":"Always","path":["Machine fleet/m1","MachineSet fleet/prod-gpu-x",
                 "MachineDeployment fleet/prod-gpu","Cluster fleet/prod"],
                 "since":{"at":"2026-03-01T10:01:00Z","exact":false},
                 "managedBy":[{"annotation":"cluster.x-k8s.io/taints-from-machine","manager":"nodeward-machine"}]}
                """));
        assertThat(json.at("/missing/2/reason").asText()).isEqualTo("Replaced");
        assertThat(json.at("/missing/2/stoppedBefore").asText()).isEqualTo("MachineDeployment fleet/prod-gpu");
        assertThat(new YAMLMapper().readTree(explain("node/n1", "-o", "yaml").out())).isEqualTo(json);
        assertThat(explain("node/n1", "-o", "name").out()).isEqualTo("""
                machine/m1
                machineset/prod-gpu-x
                machinedeployment/prod-gpu
                cluster/prod
                """);
    }

    @Test
    void of_a_pod_each_node_and_what_evicts_it_is_told() throws IOException {
        assertThat(explain("pod/web", "-n", "shop").out()).isEqualTo("""
                Pod shop/web is on Node n1
                EVICTED     BECAUSE OF                      TOLERATED  THE TAINT
                after 300s  node.kubernetes.io/             for 300s   is there
                            unreachable:NoExecute
                after 60s   new:NoExecute                   for 60s    comes with the next write
                at once     node.kubernetes.io/not-ready:   no         comes if the Node fails
                            NoExecute
                Counted from when the taint eviction controller sees pod and taint together.

                It is schedulable on 1 of 4 Nodes if it is scheduled again
                NODE  FILTERED OUT BY    BECAUSE
                n3    nothing
                cp1   TaintToleration    untolerated taint: node-role.kubernetes.io/control-
                                         plane:NoSchedule, from kubeadm, most likely
                n1    TaintToleration    untolerated taint: mine:NoSchedule, from kubectl-taint,
                                         most likely
                n2    NodeUnschedulable  the Node is cordoned

                Not looked at: ports, resources, volumes, topology spread, affinity to pods,
                claims of devices.
                """);
    }

    @Test
    void of_a_pending_pod_one_node_may_be_asked_about() throws IOException {
        String[] forms = {"n1", "node/n1", "no/n1"};
        for (String form : forms) {
            assertThat(explain("pod", "waits", "-n", "shop", "--on", form).out()).startsWith("""
                    Pod shop/waits is on no Node yet

                    It is schedulable on 0 of 1 Node
                    NODE  FILTERED OUT BY  BECAUSE
                    n1    TaintToleration  untolerated taint: gpu=a100:NoSchedule, from Cluster
                                           fleet/prod
                    """);
        }
        JsonNode json = JSON.readTree(explain("po/waits", "-n", "shop", "-o", "json").out());
        assertThat(json.path("schedulableNodes").asInt()).isEqualTo(2);
        assertThat(json.at("/nodes/2/plugin").asText()).isEqualTo("TaintToleration");
        assertThat(json.at("/nodes/3/taint/source").asText()).isEqualTo("Cluster");
        assertThat(explain("po/waits", "-n", "shop", "-o", "name").out()).isEqualTo("node/n2\nnode/n3\n");
    }

    @Test
    void affinity_is_read_as_the_scheduler_does() throws IOException {
        String affine = Typed.fleet().replace("nodeSelector: {disk: ssd}",
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                        + "{matchFields: [{key: metadata.name, operator: In, values: [n3]}]}]}}}");
        assertThat(explainIn(affine, "pod/waits", "-n", "shop", "-o", "name").out()).isEqualTo("node/n3\n");
        assertThat(explainIn(affine, "pod/waits", "-n", "shop", "-o", "wide").out())
                .contains("NodeAffinity     the pod's affinity names other Nodes: n3");
    }

    @Test
    void many_nodes_are_told_by_what_they_have_in_common() throws IOException {
        StringBuilder many = new StringBuilder(Typed.fleet());
        IntStream.range(100, 160).forEach(i -> many.append("---\n{apiVersion: v1, kind: Node, metadata: {name: w")
                .append(i).append(", labels: {disk: hdd}}}\n"));
        assertThat(explainIn(many.toString(), "pod/waits", "-n", "shop").out())
                .contains("w100, w101, w102 and 57 more  NodeAffinity");
        assertThat(explainIn(many.toString(), "pod/waits", "-n", "shop", "-o", "wide").out()).contains("w159");
    }

    @Test
    void a_manifest_needs_no_namespace_and_may_name_its_node() throws IOException {
        String fleet =
                Typed.fleet() + "---\n{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {nodeName: n3}}\n";
        assertThat(explainIn(fleet, "pod/new", "-o", "name").out()).isEqualTo("node/n3\n");
        assertThat(explainIn(fleet, "pod/new", "--on", "n1", "-o", "wide").out())
                .contains("NodeName         the pod names another Node: n3");
    }

    @Test
    void a_static_pod_is_not_evicted() throws IOException {
        String mirror = Typed.fleet().replace("name: web}",
                "name: web, annotations: {kubernetes.io/config.mirror: x}}");
        assertThat(explainIn(mirror, "pod/web", "-n", "shop").out()).contains("It shows a static pod")
                .doesNotContain("EVICTED");
    }

    @Test
    void colours_are_for_terminals() throws IOException {
        Result coloured = Typed.run(COLOURED, Typed.fleet(), "explain", "-f", "-", "node/n1");
        assertThat(coloured.out()).contains("\u001b[1mNode n1, of Machine fleet/m1\u001b[0m");
        assertThat(coloured.out().replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(explain("node/n1").out());
    }

    @Test
    void nothing_in_an_object_commands_a_terminal() throws IOException {
        String evil = Typed.fleet().replace("kubectl-taint", "\"kub\\e[2J\"");
        assertThat(explainIn(evil, "node/n1").out()).contains("kub\\u001b[2J").doesNotContain("\u001b");
    }

    @Test
    void what_is_not_there_is_said_with_what_is() throws IOException {
        assertThat(explain("node/n9").exit()).isEqualTo(1);
        assertThat(explain("node/n9").err()).contains("there is no Node n9; there are: cp1, n1, n2, n3");
        assertThat(explain("pod/web").err()).contains("there is no pod default/web; is it in another namespace (-n)?");
        assertThat(explain("pod/web", "-n", "shop", "--on", "n9").exit()).isEqualTo(1);
        assertThat(explain("deployment/web").exit()).isEqualTo(1);
        assertThat(explain("deployment/web").err()).contains("'deployment/web' is not node/NAME or pod/NAME");
        assertThat(explain("node/n1", "--on", "n2").exit()).isEqualTo(1);
    }
}
