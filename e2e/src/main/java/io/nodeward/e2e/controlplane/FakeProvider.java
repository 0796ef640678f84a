package io.nodeward.e2e.controlplane;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The provider objects behind Machines and Clusters: present, initialized and otherwise empty. */
final class FakeProvider {
    private static final String CONTROL_PLANE_GROUP = "controlplane.cluster.x-k8s.io";
    private static final String INFRASTRUCTURE_GROUP = "infrastructure.cluster.x-k8s.io";

    private final AdminClient admin;
    private final String controlPlanes;
    private final String machines;
    private final Map<String, String> uids = new ConcurrentHashMap<>();

    FakeProvider(AdminClient admin, String namespace) {
        this.admin = admin;
        String tail = "/v1beta1/namespaces/" + namespace + "/";
        this.controlPlanes = "/apis/" + CONTROL_PLANE_GROUP + tail + "genericcontrolplanes";
        this.machines = "/apis/" + INFRASTRUCTURE_GROUP + tail + "genericinfrastructuremachines";
    }

    static Map<String, Object> controlPlaneRef(String cluster) {
        return Map.of("apiGroup", CONTROL_PLANE_GROUP, "kind", "GenericControlPlane", "name", cluster);
    }

    static Map<String, Object> infrastructureRef(String machine) {
        return Map.of("apiGroup", INFRASTRUCTURE_GROUP, "kind", "GenericInfrastructureMachine", "name", machine);
    }

    List<String> collections() {
        return List.of(machines, controlPlanes);
    }

    void controlPlane(String cluster) {
        admin.create(controlPlanes, Json.tree(Map.of(
                "apiVersion", CONTROL_PLANE_GROUP + "/v1beta1",
                "kind", "GenericControlPlane",
                "metadata", Map.of("name", cluster),
                "spec", Map.of())));
        admin.mergePatch(controlPlanes + "/" + cluster + "/status",
                "{\"status\":{\"initialization\":{\"controlPlaneInitialized\":true}}}");
    }

    Map<String, Object> controlPlaneOwner(String cluster) {
        String uid = uids.computeIfAbsent(cluster,
                name -> admin.get(controlPlanes + "/" + name).path("metadata").path("uid").asText());
        return Map.of(
                "apiVersion", CONTROL_PLANE_GROUP + "/v1beta1",
                "kind", "GenericControlPlane",
                "name", cluster,
                "uid", uid,
                "controller", true);
    }

    void infrastructure(String machine, String providerId) {
        admin.createIfAbsent(machines, Json.tree(Map.of(
                "apiVersion", INFRASTRUCTURE_GROUP + "/v1beta1",
                "kind", "GenericInfrastructureMachine",
                "metadata", Map.of("name", machine),
                "spec", providerId.isEmpty() ? Map.of() : Map.of("providerID", providerId))));
        if (!providerId.isEmpty()) {
            admin.mergePatch(machines + "/" + machine + "/status",
                    "{\"status\":{\"initialization\":{\"provisioned\":true}}}");
        }
    }
}
