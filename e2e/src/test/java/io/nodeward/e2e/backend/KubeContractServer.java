package io.nodeward.e2e.backend;

import io.nodeward.core.spi.Resource;
import io.nodeward.core.testkit.ContractServer;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.util.List;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The real server of all suites. FakeApiServer passes the same contract, so it counts as a server elsewhere. */
final class KubeContractServer implements ContractServer {
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
    private static final String READER = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: contract-guest}
            rules: [{apiGroups: [''], resources: [nodes], verbs: [get, list, watch]}]
            """;
    private static final String BINDING = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: %1$s}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: contract-guest}
            subjects: [{kind: ServiceAccount, namespace: default, name: %1$s}]
            """;
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final Pattern WATCHES = Pattern.compile(
            "(?m)^apiserver_longrunning_requests\\{.*resource=\"youngs\".*verb=\"WATCH\".*} ([0-9.e+]+)$");

    private final ControlPlane controlPlane = ControlPlane.shared();
    private final AdminClient admin = controlPlane.admin();

    KubeContractServer() {
        if (admin.find("/apis/contract.test/v1").isEmpty()) {
            ClusterApiCrds.install(admin, List.of(Json.yaml(YOUNG_KIND).getFirst()));
        }
    }

    @Override
    public String kubeconfig() {
        return controlPlane.adminKubeconfig().toYaml();
    }

    @Override
    public Forgotten forgotten() {
        return new Forgotten(new Resource("contract.test", "v1", "youngs", false), "1");
    }

    @Override
    public Guest guest() {
        String name = "contract-guest-" + UUID.randomUUID().toString().substring(0, 8);
        admin.createIfAbsent("/apis/rbac.authorization.k8s.io/v1/clusterroles", Json.yaml(READER).getFirst());
        admin.create(ACCOUNTS, Json.yaml("{apiVersion: v1, kind: ServiceAccount, metadata: {name: %s}}"
                .formatted(name)).getFirst());
        admin.create(BINDINGS, Json.yaml(BINDING.formatted(name)).getFirst());
        String kubeconfig = controlPlane.kubeconfigForServiceAccount("default", name).toYaml();
        return new Guest() {
            @Override
            public String kubeconfig() {
                return kubeconfig;
            }

            @Override
            public void turnAway() {
                admin.delete(ACCOUNTS + "/" + name); // its tokens go with it
            }
        };
    }

    @Override
    public int openWatches() {
        return WATCHES.matcher(admin.get("/metrics").asText())
                .results()
                .map(MatchResult::group)
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
