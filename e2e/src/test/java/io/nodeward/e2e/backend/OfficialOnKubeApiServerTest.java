package io.nodeward.e2e.backend;

import io.nodeward.backend.official.OfficialBackend;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.testkit.BackendContract;
import io.nodeward.core.testkit.ContractServer;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.util.List;

/** The contract on a real server. FakeApiServer passes the same one, so it counts as a server elsewhere. */
class OfficialOnKubeApiServerTest extends BackendContract {
    /** A kind that is younger than the first resourceVersion: its history cannot go back so far. */
    private static final String YOUNG_KIND = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: youngs.contract.test}
            spec:
              group: contract.test
              scope: Cluster
              names: {plural: youngs, singular: young, kind: Young}
              versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
            """;

    @Override
    protected Backend backend() {
        return new OfficialBackend();
    }

    @Override
    protected ContractServer server() {
        ControlPlane controlPlane = ControlPlane.shared();
        AdminClient admin = controlPlane.admin();
        if (admin.find("/apis/contract.test/v1").isEmpty()) {
            ClusterApiCrds.install(admin, List.of(Json.yaml(YOUNG_KIND).getFirst()));
        }
        Resource youngs = new Resource("contract.test", "v1", "youngs", false);
        return new ContractServer(
                controlPlane.adminKubeconfig().toYaml(), new ContractServer.Forgotten(youngs, "1"));
    }
}
