package io.nodeward.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.node.Node;
import io.nodeward.core.fakeapi.FakeApiServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Three control plane Machines and a MachineDeployment of three workers with their Nodes, on one server that is the
 * management cluster and the workload cluster. Edits are made past HTTP, so the server's log holds only what the
 * controller (and kubectl) asked for.
 */
record Fleet(FakeApiServer server) {
    static final String TIER = "tier=web:PreferNoSchedule";
    private static final String UNINITIALIZED = ClusterApi.UNINITIALIZED_TAINT + ":NoSchedule";
    private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
    private static final List<String> CONTROL_PLANES = List.of("cp-1", "cp-2", "cp-3");
    private static final List<String> WORKERS = List.of("web-1", "web-2", "web-3");

    void create() {
        server.create("clusters", FleetObjects.cluster());
        server.create("secrets", FleetObjects.kubeconfigSecret(server.kubeconfig()));
        for (String name : CONTROL_PLANES) {
            server.create("machines", FleetObjects.controlPlaneMachine(name));
            server.create("nodes", FleetObjects.node(name, Map.of(CONTROL_PLANE, ""), CONTROL_PLANE + ":NoSchedule"));
        }
        JsonNode deployment = server.create("machinedeployments", FleetObjects.deployment());
        JsonNode set = server.create("machinesets", FleetObjects.machineSet(deployment));
        for (String name : WORKERS) {
            server.create("machines", FleetObjects.workerMachine(name, set, declared(TIER, "Always")));
            register(name);
        }
    }

    private void register(String worker) {
        server.create("nodes", FleetObjects.node(worker, Map.of(), UNINITIALIZED));
    }

    private static ObjectNode declared(String taint, String propagation) {
        return TaintList.taint(taint).put("propagation", propagation);
    }

    /** All Machines with their Nodes, by name. */
    List<Pair> pairs() {
        List<Node> nodes = server.list("nodes").stream().map(json -> read(Projection.NODE::read, json)).toList();
        return server.list("machines").stream().map(json -> read(Projection.MACHINE::read, json))
                .map(machine -> new Pair(machine, nodes.stream().filter(node -> isOf(node, machine)).findFirst()))
                .toList();
    }

    /** @throws IllegalArgumentException if there is no such Machine */
    Pair pair(String machine) {
        return pairs().stream().filter(pair -> pair.name().equals(machine)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no Machine " + machine));
    }

    private static boolean isOf(Node node, Machine machine) {
        return machine.providerId().isEmpty()
                ? node.key().name().equals(machine.nodeName())
                : node.providerId().equals(machine.providerId());
    }

    private interface Reader<T> {
        T read(byte[] json) throws IOException;
    }

    private static <T> T read(Reader<T> reader, JsonNode json) {
        try {
            return reader.read(json.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param propagationByTaint taints as {@code key[=value]:Effect} */
    void declare(String machine, Map<String, String> propagationByTaint) {
        editMachine(machine, taints -> {
            TaintList after = taints;
            for (Map.Entry<String, String> each : propagationByTaint.entrySet()) {
                after = after.with(declared(each.getKey(), each.getValue()));
            }
            return after;
        });
    }

    void declare(String machine, String taint, String propagation) {
        declare(machine, Map.of(taint, propagation));
    }

    void undeclare(String machine, String key) {
        editMachine(machine, taints -> taints.without(key));
    }

    private void editMachine(String name, UnaryOperator<TaintList> edit) {
        JsonNode before = server.get("machines", FleetObjects.NAMESPACE, name)
                .orElseThrow(() -> new IllegalArgumentException("no Machine " + name));
        server.mergePatch("machines", FleetObjects.NAMESPACE, name,
                edit.apply(TaintList.of(before.at("/spec/taints"))).patch());
    }

    /** As an unlocked {@code kubectl taint --overwrite} does it. */
    void editNode(String name, UnaryOperator<TaintList> edit) {
        JsonNode before = server.get("nodes", "", name)
                .orElseThrow(() -> new IllegalArgumentException("no Node " + name));
        server.mergePatch("nodes", "", name, edit.apply(TaintList.of(before.at("/spec/taints"))).patch());
    }

    void label(String machine, String key, String value) {
        server.mergePatch("machines", FleetObjects.NAMESPACE, machine, FleetObjects.json(
                Map.of("metadata", Map.of("labels", Map.of(key, value)))));
    }

    /** The Node goes and comes again, as after a reinstallation: nothing that was on it is there. */
    void registerAnew(String worker) {
        if (server.get("nodes", "", worker).isPresent()) {
            server.delete("nodes", "", worker);
        }
        register(worker);
    }

    /** Every kubelet but one reports so many times. */
    void heartbeats(int each, String butNode) {
        for (JsonNode node : server.list("nodes")) {
            for (int i = 1; i <= each && !node.at("/metadata/name").asText().equals(butNode); i++) {
                server.mergePatch("nodes", "", node.at("/metadata/name").asText(), FleetObjects.json(
                        Map.of("status", Map.of("conditions", FleetObjects.readyConditions()))));
            }
        }
    }
}
