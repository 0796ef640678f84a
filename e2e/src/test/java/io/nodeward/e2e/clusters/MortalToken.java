package io.nodeward.e2e.clusters;

import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.machine.MachineSuite;

/**
 * A token that ends with a Secret.
 *
 * @param secret path of the Secret
 * @param kubeconfig of the user, past all relays
 */
public record MortalToken(AdminClient admin, String secret, Kubeconfig kubeconfig) {
    /** Returns when the server refuses it, which remembers a token for 10 s. */
    public void end() {
        admin.delete(secret);
        try (AdminClient client = new AdminClient(kubeconfig)) {
            await("end of the token").atMost(MachineSuite.PATIENCE)
                    .until(() -> client.send("GET", "/version", AdminClient.JSON, "").code() == 401);
        }
    }
}
