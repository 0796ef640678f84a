package io.nodeward.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.official.OfficialBackend;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose certificate is for 127.0.0.1, as a real client meets it. */
class TlsWordsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private HttpsServer server;

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = file("server.p12")) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        shown.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static InputStream file(String name) {
        return Objects.requireNonNull(
                TlsWordsTest.class.getResourceAsStream("/io/nodeward/core/testkit/tls/" + name), name);
    }

    private static String told(String url, String authority) throws IOException {
        String kubeconfig;
        try (InputStream in = file(authority + ".crt")) {
            kubeconfig = """
                    clusters: [{name: c, cluster: {server: '%s', certificate-authority-data: %s}}]
                    users: [{name: u, user: {token: t}}]
                    contexts: [{name: x, context: {cluster: c, user: u}}]
                    current-context: x
                    """.formatted(url, Base64.getEncoder().encodeToString(in.readAllBytes()));
        }
        try (LiveCluster cluster = new LiveCluster(
                new ApiServer(
                        new OfficialBackend().connect(new ClusterAccess(kubeconfig, Optional.empty(), "test"))),
                new Route("context x", url, ""), "team", Time.SYSTEM)) {
            return catchThrowableOfType(LiveFailure.class,
                    () -> cluster.get(LiveCluster.NODES, ObjectKey.clusterScoped("n1"))).words();
        }
    }

    @Test
    void an_authority_that_is_not_named_is_told_as_that() throws IOException {
        String url = "https://127.0.0.1:" + server.getAddress().getPort();
        assertThat(told(url, "stranger")).isEqualTo("Unable to connect to the server: the server's certificate is of an"
                + " authority that the kubeconfig does not name (" + url + ")");
    }

    @Test
    void another_name_is_told_as_that() throws IOException {
        String url = "https://localhost:" + server.getAddress().getPort();
        assertThat(told(url, "authority")).isEqualTo("Unable to connect to the server: the server's certificate is of"
                + " another name (" + url + ")");
    }

    @Test
    void a_server_without_tls_is_told_as_that() throws IOException {
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answers = Thread.ofVirtual().start(() -> refuse(plain));
            String url = "https://127.0.0.1:" + plain.getLocalPort();
            assertThat(told(url, "authority")).isEqualTo("Unable to connect to the server: what answers there speaks no"
                    + " TLS: is it http:// ? (" + url + ")");
            answers.interrupt();
        }
    }

    /** As Go's servers without TLS do with what they do not understand. */
    private static void refuse(ServerSocket plain) {
        try {
            while (!plain.isClosed()) {
                try (Socket client = plain.accept()) {
                    client.getInputStream().read();
                    client.getOutputStream().write("HTTP/1.0 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (IOException closed) {
            // It is over.
        }
    }
}
