package io.nodeward.backend.fabric8;

import io.nodeward.core.spi.Backend;

/** The same contract with a client that its owner made. */
class OverKubernetesClientOnFakeApiServerTest extends Fabric8OnFakeApiServerTest {
    @Override
    protected Backend backend() {
        return new KubernetesClientBackend();
    }
}
