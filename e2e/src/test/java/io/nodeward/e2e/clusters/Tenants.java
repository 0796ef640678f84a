package io.nodeward.e2e.clusters;

import static org.awaitility.Awaitility.await;

import io.nodeward.core.testkit.Relay;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Clusters of others. Each is reached through a relay and as a ServiceAccount of its own, so that its way can be broken
 * and the audit log tells its requests from those of the rest.
 */
final class Tenants implements AutoCloseable {
    private static final String AUTHORIZATION = "/apis/rbac.authorization.k8s.io/v1";
    private static final String NODES = "/api/v1/nodes";

    private final MachineSuite suite;
    private final List<Relay> relays = new ArrayList<>();
    /** Paths of what is not in the fleet, to delete at the end. */
    private final List<String> made = new ArrayList<>();

    Tenants(MachineSuite suite) {
        this.suite = suite;
    }

    /** A Cluster that can be reached, whose user has the rights of the controller. */
    Tenant connected(String name) {
        Tenant tenant = unbound(name);
        bind(tenant);
        suite.fleet().cluster(name, tenant.kubeconfig());
        return tenant;
    }

    /** Its relay and its user, who has no rights; there is no Cluster yet. */
    Tenant unbound(String name) {
        String accounts = suite.core() + "/serviceaccounts";
        suite.admin().create(accounts, Json.tree(Map.of("metadata", Map.of("name", name))));
        made.add(accounts + "/" + name);
        Kubeconfig direct = suite.controlPlane().kubeconfigForServiceAccount(suite.fleet().namespace(), name);
        Relay relay = Relay.to(direct.server());
        relays.add(relay);
        return new Tenant(suite, name, direct, relay, new AtomicReference<>());
    }

    /** Gives the user of this tenant the rights of the controller, and returns when the server knows. */
    void bind(Tenant tenant) {
        bind(tenant, "nodeward-machine-workload");
    }

    /** Likewise those of another ClusterRole. */
    void bind(Tenant tenant, String role) {
        suite.admin().create(AUTHORIZATION + "/clusterrolebindings", Json.tree(Map.of(
                "metadata", Map.of("name", binding(tenant)),
                "roleRef", Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", role),
                "subjects", List.of(Map.of("kind", "ServiceAccount", "name", tenant.name(),
                        "namespace", suite.fleet().namespace())))));
        made.add(AUTHORIZATION + "/clusterrolebindings/" + binding(tenant));
        awaitNodesAnswer(tenant, 200);
    }

    /** Takes away what {@link #bind} gave, and returns when the server knows. */
    void unbind(Tenant tenant) {
        suite.admin().delete(AUTHORIZATION + "/clusterrolebindings/" + binding(tenant));
        awaitNodesAnswer(tenant, 403);
    }

    /** A ClusterRole of these verbs for Nodes, until the end. */
    String nodeRole(String... verbs) {
        String name = suite.fleet().namespace() + "-nodes";
        suite.admin().create(AUTHORIZATION + "/clusterroles", Json.tree(Map.of(
                "metadata", Map.of("name", name),
                "rules", List.of(Map.of("apiGroups", List.of(""), "resources", List.of("nodes"),
                        "verbs", List.of(verbs))))));
        made.add(AUTHORIZATION + "/clusterroles/" + name);
        return name;
    }

    private String binding(Tenant tenant) {
        return suite.fleet().namespace() + "-" + tenant.name();
    }

    private static void awaitNodesAnswer(Tenant tenant, int code) {
        try (AdminClient client = new AdminClient(tenant.direct())) {
            await(code + " for " + tenant.user()).atMost(MachineSuite.PATIENCE)
                    .until(() -> client.send("GET", NODES + "?limit=1", AdminClient.JSON, "").code() == code);
        }
    }

    /** A token of this tenant's user that can be ended. */
    MortalToken token(Tenant tenant, String secret) {
        String path = suite.core() + "/secrets";
        suite.admin().create(path, Json.tree(Map.of("metadata", Map.of("name", secret))));
        Kubeconfig direct = suite.controlPlane()
                .kubeconfigBoundToSecret(suite.fleet().namespace(), tenant.name(), secret);
        return new MortalToken(suite.admin(), path + "/" + secret, direct);
    }

    @Override
    public void close() {
        relays.forEach(Relay::close);
        made.forEach(suite.admin()::delete);
    }
}
