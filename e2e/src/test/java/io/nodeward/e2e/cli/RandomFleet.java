package io.nodeward.e2e.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.e2e.controlplane.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Machines, MachinePools and Nodes that claim each other as no manager would let them; each declares its own name. */
final class RandomFleet {
    private static final String NAMESPACE = "fleet";
    private static final int NODES = 12;
    private static final int MACHINES = 10;
    private static final int POOLS = 4;
    private static final int IDS = 9;
    private static final Map<String, String> KINDS =
            Map.of("clusters", "Cluster", "machines", "Machine", "machinepools", "MachinePool");

    private final Random random;
    private final FakeApiServer management;
    private final FakeApiServer workload;

    RandomFleet(Random random, FakeApiServer management, FakeApiServer workload) {
        this.random = random;
        this.management = management;
        this.workload = workload;
        for (int i = 0; i < NODES; i++) {
            node(i);
        }
        for (int i = 0; i < MACHINES; i++) {
            machine(i);
        }
        for (int i = 0; i < POOLS; i++) {
            pool(i);
        }
    }

    /** Something comes, goes, or claims something else. */
    void change() {
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> again(management, "machines", NAMESPACE, "m", MACHINES, this::machine);
            case 3, 4 -> again(management, "machinepools", NAMESPACE, "p", POOLS, this::pool);
            case 5, 6 -> again(workload, "nodes", "", "n", NODES, this::node);
            default -> management.mergePatch("clusters", NAMESPACE, "c",
                    Json.tree(Map.of("spec", Map.of("paused", random.nextInt(3) == 0))));
        }
    }

    /** Made anew, or gone until it is. */
    private void again(FakeApiServer server, String plural, String namespace, String prefix, int count, Maker maker) {
        int which = random.nextInt(count);
        boolean there = server.get(plural, namespace, prefix + which).isPresent();
        if (there) {
            server.delete(plural, namespace, prefix + which);
        }
        if (!there || random.nextBoolean()) {
            maker.make(which);
        }
    }

    @FunctionalInterface
    private interface Maker {
        void make(int number);
    }

    private void node(int number) {
        workload.create("nodes", Json.tree(Map.of("metadata", Map.of("name", "n" + number), "spec",
                Map.of("providerID", id()))));
    }

    private void machine(int number) {
        String name = "m" + number;
        ObjectNode machine = owner(name, Map.of("clusterName", "c", "providerID", id(), "taints", taints(name)));
        if (random.nextInt(8) == 0) {
            machine.withObject("/metadata").set("ownerReferences", Json.tree(List.of(Map.of("apiVersion",
                    "cluster.x-k8s.io/v1beta2", "kind", "MachinePool", "name", "p0", "uid", "u", "controller", true))));
        }
        if (random.nextInt(3) > 0) {
            machine.set("status", Json.tree(Map.of("nodeRef", Map.of("name", "n" + random.nextInt(NODES)))));
        }
        management.create("machines", machine);
    }

    private void pool(int number) {
        String name = "p" + number;
        ObjectNode pool = owner(name, Map.of("clusterName", "c",
                "providerIDList", Stream.generate(this::id).limit(random.nextInt(4)).toList(),
                "template", Map.of("spec", Map.of("taints", taints(name)))));
        List<Map<String, String>> refs = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            refs.add(reference("n" + random.nextInt(NODES)));
        }
        pool.set("status", Json.tree(Map.of("nodeRefs", refs)));
        management.create("machinepools", pool);
    }

    private Map<String, String> reference(String node) {
        String uid = workload.get("nodes", "", node).map(found -> found.at("/metadata/uid").asText()).orElse("gone");
        return switch (random.nextInt(3)) {
            case 0 -> Map.of("name", node);
            case 1 -> Map.of("name", node, "uid", "another");
            default -> Map.of("name", node, "uid", uid);
        };
    }

    private ObjectNode owner(String name, Map<String, ?> spec) {
        Map<String, String> annotations = random.nextInt(8) == 0 ? Map.of("cluster.x-k8s.io/paused", "") : Map.of();
        return (ObjectNode) Json.tree(Map.of("metadata",
                Map.of("namespace", NAMESPACE, "name", name, "annotations", annotations), "spec", spec));
    }

    private static List<?> taints(String name) {
        return List.of(Map.of("key", name, "effect", "NoSchedule", "propagation", "Always"));
    }

    private String id() {
        int id = random.nextInt(IDS);
        return id == 0 ? "" : "fake://" + id;
    }

    /** All of it, as it stands in files. */
    List<Manifest> documents() {
        List<Manifest> documents = new ArrayList<>();
        KINDS.forEach((plural, kind) -> management.list(plural)
                .forEach(object -> documents.add(document(object, "cluster.x-k8s.io/v1beta2", kind))));
        workload.list("nodes").forEach(node -> documents.add(document(node, "v1", "Node")));
        return documents;
    }

    private static Manifest document(JsonNode object, String version, String kind) {
        ObjectNode json = object.deepCopy();
        return new Manifest(json.put("apiVersion", version).put("kind", kind), "a server");
    }
}
