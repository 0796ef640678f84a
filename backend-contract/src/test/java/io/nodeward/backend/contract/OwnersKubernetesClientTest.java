package io.nodeward.backend.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnersKubernetesClientTest {
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int status = 200;
    private volatile String user = "";
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            user = exchange.getRequestHeaders().getFirst("Impersonate-User");
            exchange.sendResponseHeaders(status, 2);
            exchange.getResponseBody().write("{}".getBytes());
            exchange.close();
        });
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withImpersonateUsername("jane")
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    @Test
    void the_callers_client_is_used_and_stays_open() {
        try (ApiServer api = new ApiServer(Fabric8Backend.over(client))) {
            assertThat(api.get("/version")).asString().isEqualTo("{}");
            assertThat(user).isEqualTo("jane");
        }
        assertThat(client.raw("/version")).isEqualTo("{}");
    }

    @Test
    void its_retries_are_off_for_us_and_on_for_its_owner() {
        status = 503;
        try (ApiServer api = new ApiServer(Fabric8Backend.over(client))) {
            assertThatThrownBy(() -> api.get("/version")).isInstanceOf(ApiFailure.Unreachable.class);
            assertThat(requests).hasValue(1);
        }
        assertThat(client.getConfiguration().getRequestRetryBackoffLimit()).isEqualTo(10);
    }

    @Test
    void a_closed_transport_sends_nothing() {
        ApiServer api = new ApiServer(Fabric8Backend.over(client));
        api.close();
        assertThatThrownBy(() -> api.get("/version")).hasMessageContaining("closed");
        assertThat(requests).hasValue(0);
    }
}
