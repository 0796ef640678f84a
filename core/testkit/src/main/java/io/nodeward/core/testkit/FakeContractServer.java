package io.nodeward.core.testkit;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.spi.Resource;
import java.util.UUID;

/** A FakeApiServer of one's own, which counts as a server because it passes the contract. */
public final class FakeContractServer implements ContractServer, AutoCloseable {
    private final FakeApiServer server =
            FakeApiServer.start(Options.defaults().withToken(UUID.randomUUID().toString()));

    public FakeContractServer() {
        server.expire();
    }

    @Override
    public String kubeconfig() {
        return server.kubeconfig();
    }

    @Override
    public Forgotten forgotten() {
        return new Forgotten(new Resource("", "v1", "nodes", false), "1");
    }

    @Override
    public Guest guest() {
        String token = UUID.randomUUID().toString();
        server.admit(token, r -> r.method().equals("GET") && r.path().startsWith("/api/v1/nodes"));
        return new Guest() {
            @Override
            public String kubeconfig() {
                return server.kubeconfigWithToken(token);
            }

            @Override
            public void turnAway() {
                server.turnAway(token);
            }
        };
    }

    @Override
    public int openWatches() {
        return server.openWatches();
    }

    @Override
    public void close() {
        server.close();
    }
}
