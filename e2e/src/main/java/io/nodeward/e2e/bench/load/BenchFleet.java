package io.nodeward.e2e.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.KubeletObjects;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Machines of one cluster and their Nodes, number i of both called alike. Machines are owned by the cluster's control
 * plane: with Machines that nobody owns the upstream manager writes Nodes twice, which would be unfair to it. What is
 * declared is one taint, whose value is a number that goes up. Safe for many threads.
 */
public final class BenchFleet {
    static final String TAINT = "bench.nodeward.io/value";
    static final String PREFIX = "bench-";
    public static final Resource NODES = new Resource("", "v1", "nodes", false);
    static final Resource MACHINES = new Resource("cluster.x-k8s.io", "v1beta2", "machines", true);

    private static final Resource INFRASTRUCTURE = new Resource(
            "infrastructure.cluster.x-k8s.io", "v1beta1", "genericinfrastructuremachines", true);
    private static final String CONTROL_PLANES =
            "/apis/controlplane.cluster.x-k8s.io/v1beta1/namespaces/%s/genericcontrolplanes/%s";
    /** Names have five digits. */
    private static final int LARGEST = 100_000;

    private static final String CLUSTER = "bench";
    static final String MANAGER = "bench";

    private final ApiServer server;
    private final String namespace;
    private final String ownerUid;
    private final int[] declared = new int[LARGEST];
    private @Nullable BenchPool pool;

    private BenchFleet(ApiServer server, String namespace, String ownerUid) {
        this.server = server;
        this.namespace = namespace;
        this.ownerUid = ownerUid;
    }

    /** A cluster without Machines, in a namespace of its own. */
    static BenchFleet create(ControlPlane controlPlane, ApiServer server, String namespace, Kubeconfig workload) {
        Fleet.in(controlPlane.admin(), namespace).cluster(CLUSTER, workload);
        JsonNode owner = controlPlane.admin().get(CONTROL_PLANES.formatted(namespace, CLUSTER));
        return new BenchFleet(server, namespace, owner.path("metadata").path("uid").asText());
    }

    public String namespace() {
        return namespace;
    }

    static String name(int i) {
        return "%s%05d".formatted(PREFIX, i);
    }

    private static ObjectKey node(int i) {
        return new ObjectKey("", name(i));
    }

    private ObjectKey machine(int i) {
        return new ObjectKey(namespace, name(i));
    }

    /** A Machine that declares the value, its infrastructure, and its Node without a taint, as large as real ones. */
    void add(int i, int value) {
        ObjectNode node = (ObjectNode) KubeletObjects.registration(NodeSpec.named(name(i)));
        node.set("status", KubeletObjects.ready(name(i)).path("status"));
        server.create(NODES, "", bytes(node.toString()), MANAGER);
        // Admission gives each new Node the taint not-ready; who takes it off in a whole cluster does not run here.
        server.patch(NODES, node(i), merge("{\"spec\":{\"taints\":null}}"));
        server.create(INFRASTRUCTURE, namespace, bytes(Json.tree(Map.of(
                "apiVersion", INFRASTRUCTURE.apiVersion(),
                "kind", "GenericInfrastructureMachine",
                "metadata", Map.of("name", name(i)),
                "spec", Map.of("providerID", Fleet.providerId(name(i))))).toString()), MANAGER);
        server.patchStatus(INFRASTRUCTURE, machine(i),
                merge("{\"status\":{\"initialization\":{\"provisioned\":true}}}"));
        server.create(MACHINES, namespace, bytes(machineText(i, value)), MANAGER);
        declared[i] = value;
        server.patchStatus(MACHINES, machine(i), merge("""
                {"status":{"phase":"Running","nodeRef":{"name":"%s"},
                 "initialization":{"infrastructureProvisioned":true,"bootstrapDataSecretCreated":true}}}"""
                .formatted(name(i))));
    }

    private String machineText(int i, int value) {
        return """
                {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Machine",
                 "metadata":{"name":"%s",
                  "labels":{"cluster.x-k8s.io/cluster-name":"%s","node-role.kubernetes.io/worker":""},
                  "ownerReferences":[{"apiVersion":"controlplane.cluster.x-k8s.io/v1beta1",
                   "kind":"GenericControlPlane","name":"%s","uid":"%s","controller":true}]},
                 "spec":{"clusterName":"%s","version":"v1.36.3","providerID":"%s",
                  "bootstrap":{"dataSecretName":"bootstrap"},
                  "infrastructureRef":{"apiGroup":"infrastructure.cluster.x-k8s.io",
                   "kind":"GenericInfrastructureMachine","name":"%s"},
                  "taints":[%s]}}"""
                .formatted(name(i), CLUSTER, CLUSTER, ownerUid, CLUSTER, Fleet.providerId(name(i)), name(i),
                        taint(value, ",\"propagation\":\"Always\""));
    }

    /** The value that a Machine declares. */
    public int declared(int i) {
        return declared[i];
    }

    /** One merge patch of a Machine: what a user does. */
    public void declare(int i, int value) {
        declared[i] = value;
        server.patch(MACHINES, machine(i), merge(
                "{\"spec\":{\"taints\":[" + taint(value, ",\"propagation\":\"Always\"") + "]}}"));
    }

    /** One merge patch of a Node: what is left of a controller when all that it has to find out is known. */
    void writeNode(ApiServer by, int i, int value) {
        by.patch(NODES, node(i), merge("{\"spec\":{\"taints\":[" + taint(value, "") + "]}}"));
    }

    /** Takes the taint off a Node, as somebody does by hand. */
    public void takeOff(int i) {
        server.patch(NODES, node(i), merge("{\"spec\":{\"taints\":null}}"));
    }

    /** As a kubelet says every ten seconds that it is alive. */
    void heartbeat(ApiServer by, int i, String now) {
        String beat = "\",\"lastHeartbeatTime\":\"" + now + "\"}";
        String conditions = "[{\"type\":\"MemoryPressure" + beat + ",{\"type\":\"DiskPressure" + beat
                + ",{\"type\":\"PIDPressure" + beat + ",{\"type\":\"Ready" + beat + "]";
        by.patchStatus(NODES, node(i),
                Patch.merge(bytes("{\"status\":{\"conditions\":" + conditions + "}}"), "kubelet"));
    }

    /** The value that all of a pool's Nodes are to have. */
    void createPool(int count, int value) {
        pool = new BenchPool(server, namespace, CLUSTER, count);
        pool.create(taint(value, ",\"propagation\":\"Always\""));
        Arrays.fill(declared, 0, count, value);
    }

    boolean isPool() {
        return pool != null;
    }

    void declareInPool(int value) {
        BenchPool edited = Objects.requireNonNull(pool, "there is no pool yet");
        Arrays.fill(declared, 0, edited.count(), value);
        edited.declare(taint(value, ",\"propagation\":\"Always\""));
    }

    void removePool() {
        if (pool != null) {
            pool.remove();
        }
    }

    /** The Machine and its infrastructure, not the Node. */
    void removeMachine(int i) {
        for (Resource resource : List.of(MACHINES, INFRASTRUCTURE)) {
            try {
                server.delete(resource, machine(i));
                if (resource.equals(MACHINES)) {
                    server.patch(MACHINES, machine(i), merge("{\"metadata\":{\"finalizers\":null}}"));
                }
            } catch (ApiFailure.NotFound e) {
                // gone is what it was to be
            }
        }
    }

    /** Deletes Node and Machine, for a control plane that goes on. */
    void remove(int i) {
        removeMachine(i);
        try {
            server.delete(NODES, node(i));
        } catch (ApiFailure.NotFound e) {
            // likewise
        }
    }

    private static String taint(int value, String more) {
        return "{\"key\":\"" + TAINT + "\",\"value\":\"v" + value + "\",\"effect\":\"NoSchedule\"" + more + "}";
    }

    static Patch merge(String text) {
        return Patch.merge(bytes(text), MANAGER);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
