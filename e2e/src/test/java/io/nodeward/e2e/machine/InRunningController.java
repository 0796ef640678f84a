package io.nodeward.e2e.machine;

import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A test class with a namespace, a Cluster {@code c} and a controller that runs from its first test to its last. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InRunningController {
    static final String CLUSTER = "c";

    final MachineSuite suite;
    private final String[] arguments;
    Witness witness;
    RunningNodeward nodeward;

    /** @param arguments of {@code nodeward controller} */
    InRunningController(String namespace, String... arguments) {
        this.suite = MachineSuite.in(namespace);
        this.arguments = arguments.clone();
    }

    @BeforeAll
    void startController() {
        suite.cluster(CLUSTER);
        witness = new Witness(suite, CLUSTER);
        nodeward = suite.start(arguments);
        witness.settle();
    }

    @AfterAll
    void stopController() {
        nodeward.close();
        suite.compareWithOtherBackends();
        suite.close();
    }

    static MachineSpec machine(String name, String... taints) {
        return Taints.declare(MachineSpec.named(name, CLUSTER), taints);
    }

    /** Changes what a Machine declares, for which one PATCH of its Node must follow. */
    AuditRequest declare(String name, String... taints) {
        return witness.onePatch(name, () -> patchMachine(name, Taints.patch(taints)));
    }

    void patchMachine(String name, String patch) {
        suite.admin().mergePatch(suite.fleet().machinePath(name), patch);
    }

    void patchNode(String name, String patch) {
        suite.admin().mergePatch(Fleet.nodePath(name), patch);
    }

    /** A merge patch of labels; a {@code null} value removes one. */
    static String labels(String key, String value) {
        return metadata("labels", key, value);
    }

    /** A merge patch of annotations; a {@code null} value removes one. */
    static String annotations(String key, String value) {
        return metadata("annotations", key, value);
    }

    String label(String node, String key) {
        return suite.node(node).path("metadata").path("labels").path(key).textValue();
    }

    String annotation(String node, String key) {
        return suite.node(node).path("metadata").path("annotations").path(key).textValue();
    }

    private static String metadata(String field, String key, String value) {
        Map<String, String> entry = new HashMap<>();
        entry.put(key, value);
        return Json.tree(Map.of("metadata", Map.of(field, entry))).toString();
    }
}
