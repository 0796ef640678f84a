package io.nodeward.e2e.machinepool;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * From {@code nodeRegistration.taints}, which kubelets register with, to taints of Machines and pools: there is no moment at
 * which a Node could be used that bears neither the taint nor {@code uninitialized}.
 */
class FromKubeadmTest {
    private static final String TAINT = "example.com/dedicated=db:NoSchedule";
    private static final String EDITED = "example.com/dedicated=cache:NoSchedule";
    private static final String TRACKED = "example.com/dedicated:NoSchedule";
    private static final Map<String, String> BY_ANNOTATION = Map.of("taint.nodeward.io/dedicated", TAINT);
    private static final String TRACKING_OF_ANNOTATIONS = "nodeward.io/taints-from-annotations";
    private static final String BY_SPEC = "kubeadm-taints-spec";
    private static final String ANNOTATED = "kubeadm-taints-annotated";
    private static final String POOL = "kubeadm-taints-pool";
    private static final List<String> NODES = List.of(BY_SPEC, ANNOTATED, POOL + "-0");
    private static final List<String> NEW_NODES = List.of(BY_SPEC + "-new", ANNOTATED + "-new", POOL + "-1");

    private MachineSuite suite;
    private Pools pools;

    @Test
    void taints_of_kubeadm_are_adopted_edited_and_dropped_from_its_template_without_a_gap() {
        try (MachineSuite opened = MachineSuite.in("kubeadm-taints", "machinepool");
                Pools openedPools = new Pools(opened, "c")) {
            suite = opened;
            pools = openedPools;
            suite.cluster("c");
            fleetOfKubeadm();
            String start = suite.admin().get("/api/v1/nodes?limit=1").at("/metadata/resourceVersion").asText();
            try (RunningNodeward nodeward = suite.start("--feature-gates=MachinePoolTaintPropagation=true",
                    "--initialize-machinepool-nodes")) {
                declare();
                NODES.forEach(this::awaitTracked);
                assertThat(NODES).allSatisfy(node -> assertThat(Taints.on(suite.node(node))).containsExactly(TAINT));

                edit();
                awaitTaints(NODES, EDITED);
                newNodesWithoutIt();
                awaitTaints(NEW_NODES, EDITED);
                Map<String, List<List<String>>> seen = taintsSince(start);
                assertThat(seen).containsOnlyKeys(Stream.concat(NODES.stream(), NEW_NODES.stream()).toList())
                        .allSatisfy((node, versions) -> assertThat(versions).allSatisfy(
                                taints -> assertThat(taints).containsAnyOf(TAINT, EDITED, UNINITIALIZED)));

                withdraw();
                awaitTaints(NODES);
                awaitTaints(NEW_NODES);
                assertThat(taintsSince(start)).allSatisfy(
                        (node, versions) -> assertThat(versions).contains(List.of(EDITED)).endsWith(List.of()));
                assertThat(nodeward.isReady()).isTrue();
            }
        }
    }

    /** Nodes that have worked for long: they registered with the taint, and nothing is declared anywhere else. */
    private void fleetOfKubeadm() {
        NODES.forEach(node -> suite.fleet().node(Taints.register(NodeSpec.named(node), TAINT)));
        suite.fleet().machine(MachineSpec.named(BY_SPEC, "c"));
        suite.fleet().machine(MachineSpec.named(ANNOTATED, "c"));
        pools.create(POOL, 0);
        pools.scale(POOL, 1);
    }

    private void declare() {
        suite.admin().mergePatch(suite.fleet().machinePath(BY_SPEC), Taints.patch(TAINT + ":Always"));
        annotate(ANNOTATED, '"' + TAINT + '"');
        pools.annotate(POOL, BY_ANNOTATION);
    }

    private void edit() {
        suite.admin().mergePatch(suite.fleet().machinePath(BY_SPEC), Taints.patch(EDITED + ":Always"));
        annotate(ANNOTATED, '"' + EDITED + '"');
        pools.annotate(POOL, Map.of("taint.nodeward.io/dedicated", EDITED));
    }

    /** It is dropped from the template: their kubelets register with nothing but {@code uninitialized}. */
    private void newNodesWithoutIt() {
        suite.fleet().pair(Taints.declare(MachineSpec.named(BY_SPEC + "-new", "c"), EDITED + ":Always"));
        suite.fleet().pair(MachineSpec.named(ANNOTATED + "-new", "c")
                .withAnnotations(Map.of("taint.nodeward.io/dedicated", EDITED)));
        pools.node(POOL, 1);
        pools.scale(POOL, 2);
    }

    private void withdraw() {
        for (String machine : List.of(BY_SPEC, BY_SPEC + "-new")) {
            suite.admin().mergePatch(suite.fleet().machinePath(machine), Taints.patch());
        }
        annotate(ANNOTATED, "null");
        annotate(ANNOTATED + "-new", "null");
        pools.withdraw(POOL, "dedicated");
    }

    private void annotate(String machine, String value) {
        suite.admin().mergePatch(suite.fleet().machinePath(machine),
                "{\"metadata\":{\"annotations\":{\"taint.nodeward.io/dedicated\":" + value + "}}}");
    }

    private void awaitTracked(String node) {
        await("tracking of " + node).atMost(MachineSuite.PATIENCE).until(() -> {
            JsonNode annotations = suite.node(node).at("/metadata/annotations");
            return annotations.path(Taints.TRACKING).asText().equals(TRACKED)
                    || annotations.path(TRACKING_OF_ANNOTATIONS).asText().equals(TRACKED);
        });
    }

    private void awaitTaints(List<String> nodes, String... taints) {
        await("taints").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(nodes)
                .allSatisfy(node -> assertThat(Taints.on(suite.node(node))).as(node).containsExactly(taints)));
    }

    /** Taints of each version of each Node, as a watch has told them. */
    private Map<String, List<List<String>>> taintsSince(String resourceVersion) {
        return suite.admin().versionsSince("/api/v1/nodes", resourceVersion).stream()
                .filter(node -> node.at("/metadata/name").asText().startsWith(suite.fleet().namespace()))
                .collect(Collectors.groupingBy(node -> node.at("/metadata/name").asText(),
                        Collectors.mapping(Taints::on, Collectors.toList())));
    }
}
