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
     * @throws LiveFailure if it is not there or not to be read
     * @throws IllegalArgumentException if it does not hold a text
     */
    static String kubeconfig(LiveCluster management, ObjectKey key) {
        String value = management.find(SECRETS, key).map(secret -> secret.at("/data/value").asText())
                .orElseThrow(() -> LiveFailure.unusable(
                        "error: there is no Secret " + key + ", which leads to the Nodes",
                        "Without --wait it is not needed."));
        return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    }
}
