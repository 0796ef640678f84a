package io.nodeward.e2e.backend;

import io.nodeward.backend.official.ApiClientBackend;
import io.nodeward.core.spi.Backend;

/** The same contract with a client that its owner made. */
class OverApiClientOnKubeApiServerTest extends OfficialOnKubeApiServerTest {
    @Override
    protected Backend backend() {
        return new ApiClientBackend();
    }
}
