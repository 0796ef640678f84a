package io.nodeward.e2e.backend;

import io.nodeward.backend.contract.KubernetesClientBackend;
import io.nodeward.core.spi.Backend;
import org.junit.jupiter.api.Tag;

/** The same with a client that its owner made. */
@Tag("deep")
class OverKubernetesClientOnKubeApiServerTest extends Fabric8OnKubeApiServerTest {
    @Override
    protected Backend backend() {
        return new KubernetesClientBackend();
    }
}
