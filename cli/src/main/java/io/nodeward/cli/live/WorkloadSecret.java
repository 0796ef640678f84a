package io.nodeward.cli.live;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Where Cluster API keeps the kubeconfig of a workload cluster. */
final class WorkloadSecret {
    private static final Resource SECRETS = new Resource("", "v1", "secrets", true);

    private WorkloadSecret() {}

    /**
     * What it holds.
     *
     * @param advice what to do without it
     * @throws LiveFailure if it is not there or not to be read
     * @throws IllegalArgumentException if it does not hold a text
     */
    static String kubeconfig(LiveCluster management, ObjectKey key, String cluster, String advice) {
        String value = management.find(SECRETS, key).map(secret -> secret.at("/data/value").asText())
                .orElseThrow(() -> LiveFailure.unusable(
                        "error: there is no Secret " + key + ", which leads to the Nodes of cluster " + cluster,
                        advice));
        try {
            return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // its message quotes a sign of a credential
            throw new IllegalArgumentException("its data.value is not in base64", e);
        }
    }
}
