package io.nodeward.backend.official;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.testkit.BackendContract;
import io.nodeward.core.testkit.ContractServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on the server of demo and tests, which counts as one because it passes. */
class OfficialOnFakeApiServerTest extends BackendContract {
    private static FakeApiServer server;

    @BeforeAll
    static void start() {
        server = FakeApiServer.start(Options.defaults());
        server.expire();
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
        Resource nodes = new Resource("", "v1", "nodes", false);
        return new ContractServer(server.kubeconfig(), new ContractServer.Forgotten(nodes, "1"));
    }
}
