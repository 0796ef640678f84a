package io.nodeward.core.runtime.https;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Keys of the contract's TLS server and clients. */
final class TestKeys {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private TestKeys() {}

    static byte[] file(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                TestKeys.class.getResourceAsStream("/io/nodeward/core/testkit/tls/" + name), name)) {
            return in.readAllBytes();
        }
    }

    /** Certified for 127.0.0.1. */
    static ServerKey server() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = new ByteArrayInputStream(file("server.p12"))) {
            store.load(in, PASSWORD);
        }
        String alias = store.aliases().nextElement();
        return new ServerKey((PrivateKey) store.getKey(alias, PASSWORD),
                Arrays.stream(store.getCertificateChain(alias)).map(X509Certificate.class::cast).toList());
    }

    /** Certified for nobody's server, but readable. */
    static ServerKey other() throws IOException {
        return ServerKey.read(file("ec.crt"), file("ec-pkcs8.key"));
    }

    /** Trusts who certified {@link #server()}. */
    static SSLContext trusting() throws IOException, GeneralSecurityException {
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        try (InputStream in = new ByteArrayInputStream(file("authority.crt"))) {
            authorities.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusted.getTrustManagers(), null);
        return context;
    }

    /** Trusts everybody, to see what is shown. */
    static SSLContext trustingAll() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[]{new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        }}, null);
        return context;
    }
}
