package io.nodeward.core.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManagerFactory;

/** Certified for 127.0.0.1, and answers each request with the name of who asks. */
final class TlsServer implements AutoCloseable {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final HttpsServer server;
    private final AtomicInteger requests = new AtomicInteger();

    TlsServer() throws IOException, GeneralSecurityException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context()) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = getSSLContext().getDefaultSSLParameters();
                ssl.setWantClientAuth(true);
                parameters.setSSLParameters(ssl);
            }
        });
        server.createContext("/", this::answer);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    int requests() {
        return requests.get();
    }

    /** A file of the kit's certificates and keys, as kubeconfigs hold it. */
    static String base64(String name) throws IOException {
        try (InputStream in = file(name)) {
            return Base64.getEncoder().encodeToString(in.readAllBytes());
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        byte[] who = who((HttpsExchange) exchange).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, who.length);
        exchange.getResponseBody().write(who);
        exchange.close();
    }

    private static String who(HttpsExchange exchange) {
        try {
            return exchange.getSSLSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return "anonymous";
        }
    }

    private static SSLContext context() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        try (InputStream own = file("server.p12");
                InputStream authority = file("authority.crt")) {
            keys.load(own, PASSWORD);
            CertificateFactory certificates = CertificateFactory.getInstance("X.509");
            authorities.setCertificateEntry("authority", certificates.generateCertificate(authority));
        }
        KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        shown.init(keys, PASSWORD);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private static InputStream file(String name) {
        return Objects.requireNonNull(TlsServer.class.getResourceAsStream("tls/" + name), name);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
