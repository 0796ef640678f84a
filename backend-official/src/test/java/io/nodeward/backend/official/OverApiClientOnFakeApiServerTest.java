package io.nodeward.backend.official;

import io.nodeward.core.spi.Backend;

/** The same contract with a client that its owner made. */
class OverApiClientOnFakeApiServerTest extends OfficialOnFakeApiServerTest {
    @Override
    protected Backend backend() {
        return new ApiClientBackend();
    }
}
