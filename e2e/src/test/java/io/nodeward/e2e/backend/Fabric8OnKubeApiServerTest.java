package io.nodeward.e2e.backend;

import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.testkit.ConnectionContract;
import io.nodeward.core.testkit.ContractServer;
import org.junit.jupiter.api.BeforeAll;

/** What comes of this backend together with a real server. */
class Fabric8OnKubeApiServerTest extends ConnectionContract {
    private static ContractServer server;

    @BeforeAll
    static void start() {
        server = new KubeContractServer();
    }

    @Override
    protected Backend backend() {
        return new Fabric8Backend();
    }

    @Override
    protected ContractServer server() {
        return server;
    }
}
