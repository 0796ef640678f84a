package io.nodeward.backend.contract;

import io.nodeward.core.spi.Backend;
import io.nodeward.core.testkit.TransportContract;

/** What every backend does whatever the server, with a client that its owner made. */
class OverApiClientTest extends TransportContract {
    @Override
    protected Backend backend() {
        return new ApiClientBackend();
    }
}
