package io.nodeward.e2e.bench.load;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A MachinePool without Machines that has the first Nodes of a fleet. */
final class BenchPool {
    private static final Resource POOLS = new Resource("cluster.x-k8s.io", "v1beta2", "machinepools", true);
    private static final Resource INFRASTRUCTURE = new Resource(
            "infrastructure.cluster.x-k8s.io", "v1beta1", "genericinfrastructuremachinepools", true);
    private static final String KIND = "GenericInfrastructureMachinePool";

    private final ApiServer server;
    private final ObjectKey key;
    private final String cluster;
    private final int count;

    BenchPool(ApiServer server, String namespace, String cluster, int count) {
        this.server = server;
        this.key = new ObjectKey(namespace, "bench");
        this.cluster = cluster;
        this.count = count;
    }

    int count() {
        return count;
    }

    /** @param taint its only one, as JSON */
    void create(String taint) {
        List<String> ids = IntStream.range(0, count).mapToObj(i -> Fleet.providerId(BenchFleet.name(i))).toList();
        create(INFRASTRUCTURE, Map.of("apiVersion", INFRASTRUCTURE.apiVersion(), "kind", KIND,
                "metadata", Map.of("name", key.name()), "spec", Map.of("providerIDList", ids)));
        create(POOLS, Map.of("apiVersion", POOLS.apiVersion(), "kind", "MachinePool",
                "metadata", Map.of("name", key.name(), "labels", Map.of("cluster.x-k8s.io/cluster-name", cluster)),
                "spec", Map.of("clusterName", cluster, "replicas", count, "providerIDList", ids,
                        "template", Map.of("spec", Map.of(
                                "clusterName", cluster,
                                "version", "v1.36.3",
                                "bootstrap", Map.of("dataSecretName", "bootstrap"),
                                "infrastructureRef", Map.of(
                                        "apiGroup", INFRASTRUCTURE.group(), "kind", KIND, "name", key.name()),
                                "taints", List.of(Json.parse(taint)))))));
    }

    private void create(Resource resource, Map<String, ?> object) {
        server.create(resource, key.namespace(), BenchFleet.bytes(Json.tree(object).toString()), BenchFleet.MANAGER);
    }

    /** One merge patch: what a user does. */
    void declare(String taint) {
        server.patch(POOLS, key,
                BenchFleet.merge("{\"spec\":{\"template\":{\"spec\":{\"taints\":[" + taint + "]}}}}"));
    }

    void remove() {
        for (Resource resource : List.of(POOLS, INFRASTRUCTURE)) {
            try {
                server.delete(resource, key);
            } catch (ApiFailure.NotFound e) {
                // gone is what it was to be
            }
        }
    }
}
