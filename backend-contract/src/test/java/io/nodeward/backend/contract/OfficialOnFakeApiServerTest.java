package io.nodeward.backend.contract;

import io.nodeward.backend.official.OfficialBackend;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.testkit.BackendContract;
import io.nodeward.core.testkit.ContractServer;
import io.nodeward.core.testkit.FakeContractServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on the server of demo and tests, which counts as one because it passes. */
class OfficialOnFakeApiServerTest extends BackendContract {
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
        return new OfficialBackend();
    }

    @Override
    protected ContractServer server() {
        return server;
    }
}
