package io.nodeward.backend.fabric8;

import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import java.util.Optional;
import java.util.ServiceLoader;

/** Started by {@link StartUpTest} in a JVM of its own: finds the backend and asks the server for its version. */
final class StartUp {
    private StartUp() {}

    public static void main(String[] args) {
        String kubeconfig = """
                clusters: [{name: c, cluster: {server: '%s'}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(args[0]);
        Backend backend = ServiceLoader.load(Backend.class).findFirst().orElseThrow();
        ClusterAccess access = new ClusterAccess(kubeconfig, Optional.empty(), "test");
        try (ApiServer server = new ApiServer(backend.connect(access))) {
            System.out.println(backend.name() + " answered " + new String(server.get("/version")));
        }
    }
}
