package io.nodeward.e2e.clusters;

import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** API servers for many workload clusters; some share one, where each has a Node of its own. */
final class Workloads implements AutoCloseable {
    private static final int SERVERS = 30;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final int clusters;
    private final List<FakeApiServer> servers =
            Stream.generate(() -> FakeApiServer.start(Options.defaults())).limit(SERVERS).toList();

    Workloads(int clusters) {
        this.clusters = clusters;
        for (int i = 0; i < clusters; i++) {
            of(i).create("nodes", ManyClusters.json(
                    "{'metadata':{'name':'n%d'},'spec':{'providerID':'%s'}}", i, ManyClusters.providerId(i)));
        }
    }

    private FakeApiServer of(int cluster) {
        return servers.get(cluster % SERVERS);
    }

    String kubeconfig(int cluster) {
        return of(cluster).kubeconfig();
    }

    /** The servers ask for none, and take any. */
    String kubeconfig(int cluster, String token) {
        return kubeconfig(cluster).replace("user: {}", "user: {token: " + token + "}");
    }

    List<Integer> ports() {
        return servers.stream().map(server -> URI.create(server.url()).getPort()).toList();
    }

    boolean allHaveTaint(String taint) {
        return IntStream.range(0, clusters)
                .allMatch(i -> ManyClusters.hasTaint(of(i).get("nodes", "", "n" + i).orElseThrow(), taint));
    }

    /** Cuts all watches, and waits until they have been opened again. */
    void renewWatches() {
        servers.forEach(FakeApiServer::clearRequests);
        int cut = servers.stream().mapToInt(FakeApiServer::dropWatches).sum();
        await("new watches").atMost(PATIENCE).until(() -> servers.stream().flatMap(server -> server.requests().stream())
                .filter(request -> request.query().contains("watch=true"))
                .count() == cut);
    }

    @Override
    public void close() {
        servers.forEach(FakeApiServer::close);
    }
}
