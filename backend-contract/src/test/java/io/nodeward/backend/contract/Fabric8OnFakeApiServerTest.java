package io.nodeward.backend.contract;

import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.testkit.BackendContract;
import io.nodeward.core.testkit.ContractServer;
import io.nodeward.core.testkit.FakeContractServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on the server of demo and tests, which counts as one because it passes. */
class Fabric8OnFakeApiServerTest extends BackendContract {
    private static FakeContractServer server;

    @BeforeAll
    static void start() {
        server = new FakeContractServer();
    }

    @AfterAll
    static void stop() {
        server.close();
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
