package io.nodeward.core.testkit;

import io.nodeward.core.spi.Resource;

/**
 * A running API server.
 *
 * @param kubeconfig YAML of one who may do everything
 * @param forgotten where this server no longer knows what happened
 */
public record ContractServer(String kubeconfig, Forgotten forgotten) {
    /** A kind and a resourceVersion from which its changes can no longer be told. */
    public record Forgotten(Resource resource, String resourceVersion) {}

    /** Never shows the kubeconfig. */
    @Override
    public String toString() {
        return "ContractServer";
    }
}
