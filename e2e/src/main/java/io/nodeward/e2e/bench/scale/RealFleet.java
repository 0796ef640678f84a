package io.nodeward.e2e.bench.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nodeward.e2e.bench.load.Workers;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Options;
import java.util.Map;

/** One cluster on a real API server of its own, which is the management cluster as well. */
record RealFleet(ControlPlane servers, int nodes, int machines) implements LargeFleet {
    private static final String NODES = "/api/v1/nodes";
    private static final String OBJECTS = "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + FleetObjects.NAMESPACE + "/";
    private static final String MACHINES = OBJECTS + "machines";
    private static final int AT_ONCE = 16;
    private static final JsonMapper MAPPER = new JsonMapper();

    /** @param machines those of the first Nodes */
    static RealFleet of(int nodes, int machines) {
        RealFleet fleet = new RealFleet(ControlPlane.start(Options.standard()), nodes, machines);
        try {
            fleet.fill();
            return fleet;
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    private void fill() {
        AdminClient admin = servers.admin();
        ClusterApiCrds.install(admin);
        admin.create("/api/v1/namespaces", FleetObjects.namespace());
        createWithStatus(OBJECTS + "clusters", FleetObjects.cluster(0));
        admin.create("/api/v1/namespaces/%s/secrets".formatted(FleetObjects.NAMESPACE),
                FleetObjects.secret(0, kubeconfig()));
        for (int i = 0; i < Math.min(machines, FleetObjects.DEPLOYMENTS); i++) {
            admin.create(OBJECTS + "machinedeployments", FleetObjects.machineDeployment(0, i));
        }
        Workers.run(nodes, AT_ONCE, number -> {
            node(FleetObjects.node(0, number));
            if (number < machines) {
                createWithStatus(MACHINES, FleetObjects.machine(0, number));
            }
        });
    }

    // Admission gives each new Node the taint not-ready.
    private void node(JsonNode node) {
        servers.admin().create(NODES, node);
        patch(NODES + "/" + node.at("/metadata/name").asText(), "spec", Map.of("taints", node.at("/spec/taints")));
    }

    private void createWithStatus(String collection, JsonNode object) {
        servers.admin().create(collection, object);
        patch(collection + "/" + object.at("/metadata/name").asText() + "/status", "status", object.path("status"));
    }

    private void patch(String path, String field, Object value) {
        servers.admin().mergePatch(path, MAPPER.valueToTree(Map.of(field, value)).toString());
    }

    @Override
    public String kubeconfig() {
        return servers.adminKubeconfig().toYaml();
    }

    @Override
    public int clusters() {
        return 1;
    }

    @Override
    public void close() {
        servers.close();
    }
}
