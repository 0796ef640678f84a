package io.nodeward.core.testkit;

import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/** Started by {@link StartUpContract} in a JVM of its own: finds the backend, and asks the server of each kubeconfig. */
final class StartUpMain {
    private StartUpMain() {}

    /** @param kubeconfigs files; one that ends in {@code secret} is used as from a Secret */
    public static void main(String[] kubeconfigs) throws IOException {
        Backend backend = ServiceLoader.load(Backend.class).findFirst().orElseThrow();
        for (String kubeconfig : kubeconfigs) {
            Path file = Path.of(kubeconfig);
            Optional<Path> own = Optional.of(file).filter(f -> !f.toString().endsWith("secret"));
            ClusterAccess access = new ClusterAccess(Files.readString(file), own, "test");
            try (ApiServer server = new ApiServer(backend.connect(access));
                    Response list = server.list(
                            new Resource("", "v1", "nodes", false), "", ListOptions.page("", 0, ""))) {
                System.out.println(backend.name() + " got " + new String(server.get("/version")) + " and "
                        + new String(list.body().readAllBytes()));
            }
        }
    }
}
