package io.nodeward.e2e.backend;

import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.testkit.ContractServer;
import io.nodeward.core.testkit.ServerContract;
import org.junit.jupiter.api.BeforeAll;

/** What every server makes of what it is sent, and so the real one: once, as the sender makes no difference to it. */
class KubeApiServerTest extends ServerContract {
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
