package io.nodeward.e2e.backend;

import io.nodeward.backend.contract.ApiClientBackend;
import io.nodeward.core.spi.Backend;
import org.junit.jupiter.api.Tag;

/** The same with a client that its owner made. */
@Tag("deep")
class OverApiClientOnKubeApiServerTest extends OfficialOnKubeApiServerTest {
    @Override
    protected Backend backend() {
        return new ApiClientBackend();
    }
}
