package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineOwners;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A Cluster {@code c} of a suite with a controller that carries taints all the way, and who plans its edits. */
final class PlannedFleet implements AutoCloseable {
    static final String PLANNER = "planner";
    private static final String CLUSTER = "c";
    private static final String GATES =
            "--feature-gates=TopologyTaintPropagation=true,MachinePoolTaintPropagation=true";

    final MachineSuite suite;
    private final MachineOwners owners;
    private final Typed typed;
    private final Path kubeconfig;
    private RunningNodeward nodeward;

    PlannedFleet(String namespace) {
        suite = MachineSuite.in(namespace, "machinepool")
                .allow("topology", "/apis/cluster.x-k8s.io/v1beta2/clusterclasses");
        owners = new MachineOwners(suite);
        Kubeconfig planner = suite.controlPlane().kubeconfigForUser(PLANNER, List.of("system:masters"));
        typed = new Typed(suite.controlPlane(), planner);
        kubeconfig = suite.controlPlane().file(planner);
        suite.cluster(CLUSTER);
        suite.add(MachineCanary.in(suite, CLUSTER));
        nodeward = suite.start(GATES);
    }

    /** The controller goes; it comes again by {@link #startController}. */
    void stopController() {
        nodeward.close();
    }

    void startController() {
        nodeward = suite.start(GATES);
    }

    /** Name of a Node of this fleet, and of its Machine. */
    String node(String name) {
        return suite.fleet().namespace() + "-" + name;
    }

    /** With so many Machines, {@code NAME-1} and on, whose Nodes bear the taints. */
    void deployment(String name, int machines, String... taints) {
        String[] declared = Stream.of(taints).map(taint -> taint + ":Always").toArray(String[]::new);
        JsonNode set = owners.set(CLUSTER, name + "-x", owners.deployment(CLUSTER, name, declared), declared);
        for (int i = 1; i <= machines; i++) {
            suite.fleet().pair(MachineSpec.named(node(name + "-" + i), CLUSTER));
            owners.own(set, node(name + "-" + i));
        }
        for (int i = 1; i <= machines; i++) {
            awaitTaints(node(name + "-" + i), taints);
        }
        suite.settled();
    }

    /** A Machine that declares taints, and its Node, which has just registered. */
    void pair(String name, String... declared) {
        suite.fleet().pair(Taints.declare(MachineSpec.named(node(name), CLUSTER), declared));
    }

    void awaitTaints(String node, String... taints) {
        await("taints of " + node).atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(Taints.on(suite.node(node))).contains(taints));
    }

    /** Somebody puts them on a Node, besides those that are there. */
    void byHand(String name, String... taints) {
        List<String> all = new ArrayList<>(Taints.on(suite.node(node(name))));
        all.addAll(List.of(taints));
        suite.admin().mergePatch(Fleet.nodePath(node(name)), Taints.patch(all.toArray(String[]::new)));
    }

    void pod(String name, Map<String, ?> spec) {
        suite.admin().createIfAbsent(suite.core() + "/serviceaccounts",
                Json.tree(Map.of("metadata", Map.of("name", "default"))));
        ObjectNode pod = (ObjectNode) Json.tree(Map.of("metadata", Map.of("name", name), "spec", spec));
        pod.withObject("/spec").set("containers",
                Json.tree(List.of(Map.of("name", "c", "image", "images.example.com/c"))));
        suite.admin().create(suite.core() + "/pods", pod);
    }

    JsonNode nodes() {
        return suite.admin().get("/api/v1/nodes");
    }

    /** @param object {@code machinedeployments/NAME} or of another kind of Cluster API */
    ObjectNode stored(String object) {
        return (ObjectNode) suite.admin().get(suite.clusterApi() + "/" + object);
    }

    /** As it is stored, but with these taints in its template. */
    ObjectNode edited(String object, String... taints) {
        ObjectNode edited = stored(object);
        ObjectNode template = edited.withObject("/spec/template/spec");
        if (taints.length == 0) {
            template.remove("taints");
        } else {
            template.set("taints", Taints.json(taints));
        }
        return edited;
    }

    void store(String object, ObjectNode edited) {
        suite.admin().replace(suite.clusterApi() + "/" + object, edited);
    }

    /** A file with these objects, for {@code --edit}. */
    String file(ObjectNode... objects) {
        try {
            Path file = Files.createTempFile(suite.controlPlane().directory(), "edit", ".json");
            Object list = Map.of("apiVersion", "v1", "kind", "List", "items", List.of(objects));
            return Files.writeString(file, Json.tree(list).toString()).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What {@code plan} with these words more tells, as JSON. */
    JsonNode plan(String... words) {
        Result result = run(Stream.concat(Stream.of(words), Stream.of("-o", "json")).toList());
        assertThat(result.exit()).as(result.err()).isZero();
        return Json.parse(result.out());
    }

    /** The exit code of {@code plan} with these words more. */
    int exit(String... words) {
        return run(List.of(words)).exit();
    }

    Result run(List<String> words) {
        List<String> all = new ArrayList<>(List.of("plan", "--cluster", suite.fleet().namespace() + "/" + CLUSTER,
                "--workload-kubeconfig", kubeconfig.toString()));
        all.addAll(words);
        return typed.run(all.toArray(String[]::new));
    }

    @Override
    public void close() {
        nodeward.close();
        suite.admin().delete(suite.core() + "/pods?gracePeriodSeconds=0");
        owners.close();
        suite.close();
    }
}
