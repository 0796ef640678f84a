package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigsTest {
    @TempDir
    private Path folder;

    @Test
    void the_given_file_wins_over_the_environment() throws IOException {
        Path given = Files.writeString(folder.resolve("given"), "text");
        Path other = Files.writeString(folder.resolve("other"), "other");
        Map<String, String> environment = Map.of("KUBECONFIG", other.toString(), "KUBERNETES_SERVICE_HOST", "h");
        Kubeconfigs.Found found = Kubeconfigs.find(given, environment, folder);
        assertThat(found.text()).isEqualTo("text");
        assertThat(found.file()).isEqualTo(given);
        assertThat(Kubeconfigs.find(null, environment, folder).text()).isEqualTo("other");
        assertThat(found).asString().doesNotContain("text");
    }

    @Test
    void outside_of_a_pod_the_home_folders_is_taken_and_named_if_it_is_not_there() throws IOException {
        Map<String, String> environment = Map.of("HOME", folder.toString());
        assertThatThrownBy(() -> Kubeconfigs.find(null, environment, folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.resolve(".kube/config").toString());
        Files.createDirectory(folder.resolve(".kube"));
        Files.writeString(folder.resolve(".kube/config"), "home");
        assertThat(Kubeconfigs.find(null, environment, folder).text()).isEqualTo("home");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fabric8", "official"})
    void in_a_pod_its_service_account_reaches_the_server_and_a_renewed_token_is_used(String backend)
            throws IOException, GeneralSecurityException {
        HttpsServer server = server();
        try {
            Path token = serviceAccount();
            Kubeconfigs.Found found = Kubeconfigs.find(null, pod(server.getAddress().getPort()), folder);
            ClusterAccess access = new ClusterAccess(found.text(), Optional.of(found.file()), "test");
            try (ApiServer api = new ApiServer(Backends.named(backend).connect(access))) {
                assertThat(api.get("/version")).asString(StandardCharsets.UTF_8).isEqualTo("Bearer one");
                Files.writeString(token, "two");
                assertThat(api.get("/version")).asString(StandardCharsets.UTF_8).isEqualTo("Bearer two");
            }
        } finally {
            server.stop(0);
        }
    }

    @Test
    void an_address_of_ip_version_6_is_put_in_brackets() throws IOException {
        serviceAccount();
        Map<String, String> environment = Map.of("KUBERNETES_SERVICE_HOST", "fd00::1");
        assertThat(Kubeconfigs.find(null, environment, folder).text()).contains("\"https://[fd00::1]:443\"");
    }

    @Test
    void a_pod_without_a_token_is_told_which_file_is_missing() throws IOException {
        Files.delete(serviceAccount());
        assertThatThrownBy(() -> Kubeconfigs.find(null, pod(443), folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.resolve("token").toString());
    }

    private static Map<String, String> pod(int port) {
        return Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT", Integer.toString(port));
    }

    /** Returns the token's file. */
    private Path serviceAccount() throws IOException {
        try (InputStream authority = KubeconfigsTest.class.getResourceAsStream("authority.crt")) {
            Files.copy(authority, folder.resolve("ca.crt"));
        }
        return Files.writeString(folder.resolve("token"), "one");
    }

    /** Answers with what the Authorization header says. */
    private static HttpsServer server() throws IOException, GeneralSecurityException {
        char[] password = "changeit".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream own = KubeconfigsTest.class.getResourceAsStream("server.p12")) {
            store.load(own, password);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestHeaders().getFirst("Authorization").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }
}
