package io.nodeward.e2e.backend;

import io.nodeward.backend.fabric8.KubernetesClientBackend;
import io.nodeward.core.spi.Backend;

/** The same contract with a client that its owner made. */
class OverKubernetesClientOnKubeApiServerTest extends Fabric8OnKubeApiServerTest {
    @Override
    protected Backend backend() {
        return new KubernetesClientBackend();
    }
}
