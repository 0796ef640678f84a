package io.nodeward.training;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockResponseBody;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import okio.BufferedSink;

/** HTTP/2 over TLS in front of a server that has neither, as an API server is met: it asks for client certificates. */
final class TlsFront implements AutoCloseable {
    private static final int BUFFER = 16 * 1024;
    /** What both sides say about the connection, not about the request. */
    private static final Set<String> OF_THE_CONNECTION =
            Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade", "http2-settings");

    private final HeldCertificate authority = new HeldCertificate.Builder().certificateAuthority(0).build();
    private final HeldCertificate client =
            new HeldCertificate.Builder().commonName("controller").signedBy(authority).build();
    private final MockWebServer front = new MockWebServer();
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String behind;

    /** @param behind URL without a slash at the end */
    TlsFront(String behind) throws IOException {
        this.behind = behind;
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        HeldCertificate server = new HeldCertificate.Builder().addSubjectAlternativeName(loopback.getHostAddress())
                .signedBy(authority).build();
        front.useHttps(new HandshakeCertificates.Builder().heldCertificate(server)
                .addTrustedCertificate(authority.certificate()).build().sslSocketFactory());
        front.requestClientAuth();
        front.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) throws InterruptedException {
                return passedOn(request);
            }
        });
        front.start(loopback, 0);
    }

    private MockResponse passedOn(RecordedRequest request) throws InterruptedException {
        HttpRequest.Builder passed = HttpRequest.newBuilder(URI.create(behind + request.getTarget()));
        byte[] body = request.getBody() == null ? new byte[0] : request.getBody().toByteArray();
        passed.method(request.getMethod(),
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        request.getHeaders().forEach(header -> {
            if (!isOfTheConnection(header.getFirst())) {
                passed.header(header.getFirst(), header.getSecond());
            }
        });
        try {
            return answer(http.send(passed.build(), BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException("no answer to " + request.getTarget(), e);
        }
    }

    private static boolean isOfTheConnection(String header) {
        return header.startsWith(":") || OF_THE_CONNECTION.contains(header.toLowerCase(java.util.Locale.ROOT));
    }

    private static MockResponse answer(HttpResponse<InputStream> answer) {
        MockResponse.Builder passed = new MockResponse.Builder().code(answer.statusCode()).clearHeaders();
        answer.headers().map().forEach((name, values) -> {
            if (!isOfTheConnection(name)) {
                values.forEach(value -> passed.addHeader(name, value));
            }
        });
        return passed.body(new Streamed(answer.body())).build();
    }

    /** Sends on what has come, as a watch needs it. */
    private record Streamed(InputStream from) implements MockResponseBody {
        @Override
        public long getContentLength() {
            return -1;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            byte[] buffer = new byte[BUFFER];
            try (from) {
                for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                    sink.write(buffer, 0, read);
                    sink.flush();
                }
            }
        }
    }

    /** Leads here, with a client certificate. */
    String kubeconfig() {
        return """
                {"apiVersion": "v1", "kind": "Config", "current-context": "training",
                 "clusters": [{"name": "training", "cluster": {
                   "server": "https://127.0.0.1:%d", "certificate-authority-data": "%s"}}],
                 "users": [{"name": "training", "user": {
                   "client-certificate-data": "%s", "client-key-data": "%s"}}],
                 "contexts": [{"name": "training", "context": {"cluster": "training", "user": "training"}}]}
                """.formatted(front.getPort(), base64(authority.certificatePem()), base64(client.certificatePem()),
                base64(client.privateKeyPkcs8Pem()));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        http.shutdownNow(); // first, as the front waits for what it passes on
        front.close();
    }
}
