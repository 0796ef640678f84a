package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.testkit.Relay;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.machine.RunningNodeward;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Kubeconfig Secrets that name addresses of the controller's own machine, of which 127.0.0.1 alone is open: a network that
 * holds others too opens none.
 */
class ReservedServersTest extends InRunningController {
    private final List<Relay> relays = new ArrayList<>();

    ReservedServersTest() {
        super("reserved", "--cluster-servers=127.0.0.1,0.0.0.0/0,::/0");
    }

    @AfterAll
    void closeRelays() {
        relays.forEach(Relay::close);
    }

    @Test
    void a_reserved_address_gets_no_connection_until_it_is_listed() {
        Tenant tenant = tenants.unbound("inside");
        tenants.bind(tenant);
        Relay relay = Relay.to(tenant.direct().server(), "127.0.0.2", 0);
        relays.add(relay);
        List<String> servers =
                List.of(tenant.direct().through(relay).server(), at(relay, tenant.direct(), "2130706434"),
                        at(relay, tenant.direct(), "localhost"), at(relay, tenant.direct(), "[::ffff:7f00:2]"),
                        at(relay, tenant.direct(), "169.254.169.254"));
        List<String> clusters = new ArrayList<>();
        for (String server : servers) {
            String name = "inside-" + clusters.size();
            suite.fleet().cluster(name, leadingTo(server, tenant));
            clusters.add(name);
        }
        for (int i = 0; i < clusters.size(); i++) {
            JsonNode blocked = conditions.awaitBlocked(suite.clusterApi() + "/clusters/" + clusters.get(i),
                    "KubeconfigRefused");
            assertThat(blocked.path("message").asText()).isEqualTo("Secret " + suite.fleet().namespace() + "/"
                    + clusters.get(i) + "-kubeconfig: cluster.server: host " + URI.create(servers.get(i)).getHost()
                    + " is not among those allowed (--cluster-servers)");
        }
        awaitLaterOneConnected();
        assertThat(relay.accepted()).isZero();
        assertListed(relay, tenant, clusters.getFirst());
    }

    /** With another controller, as the list is a flag. */
    private void assertListed(Relay relay, Tenant tenant, String cluster) {
        stop();
        // The certificate of the server is for 127.0.0.1.
        suite.fleet().kubeconfigSecret(cluster,
                Json.yaml(tenant.direct().through(relay).toYaml()).getFirst().toString()
                        .replaceFirst("\"certificate-authority-data\":\"[^\"]*\"",
                                "\"insecure-skip-tls-verify\":true"));
        try (RunningNodeward listing = suite.start("--cluster-servers=127.0.0.0/8", "--cluster-insecure-tls",
                "--cluster-probe-period=1s", "--blocked-after=3s")) {
            Tenant there = new Tenant(suite, cluster, tenant.direct(), relay, tenant.made());
            there.pair(1, A);
            awaitTaints(there.node(1), A);
            conditions.awaitNotBlocked(there.path());
        }
        assertThat(relay.accepted()).isPositive();
    }

    private static String at(Relay relay, Kubeconfig direct, String host) {
        return "https://" + host + ":" + URI.create(direct.through(relay).server()).getPort();
    }

    private static Kubeconfig leadingTo(String server, Tenant tenant) {
        return new Kubeconfig(server, tenant.direct().caPem(), tenant.direct().credentials());
    }
}
