package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whom a server must be certified by, and what we show it.
 *
 * @param trust null for the JVM's own authorities
 * @param keys null without a client certificate
 */
record Tls(TrustManager @Nullable [] trust, KeyManager @Nullable [] keys) {
    static Tls of(Config config) {
        try {
            return new Tls(trust(config), SSLUtils.keyManagers(ClientKey.readable(config)));
        } catch (GeneralSecurityException | IOException | KubernetesClientException | ClassCastException e) {
            // Not kept as the cause: a decoder's message may quote a key.
            throw new IllegalArgumentException("client-certificate or client-key cannot be read");
        }
    }

    // fabric8 adds the cluster's authority to the JVM's; then any public authority could vouch for the server.
    private static TrustManager @Nullable [] trust(Config config) {
        try {
            if (config.isTrustCerts()) {
                return SSLUtils.trustManagers(null, null, true, null, null);
            }
            byte[] pem = data(config.getCaCertData(), config.getCaCertFile());
            return pem == null ? null : authorities(pem);
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            throw new IllegalArgumentException("certificate-authority cannot be read", e);
        }
    }

    private static TrustManager[] authorities(byte[] pem) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (Certificate certificate : PemCertificates.read("certificate-authority", pem)) {
            store.setCertificateEntry(Integer.toString(store.size()), certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** Base64 data, which wins, or a file's content; null if neither is given. */
    static byte @Nullable [] data(@Nullable String base64, @Nullable String file) throws IOException {
        if (base64 != null && base64.startsWith("-----BEGIN")) {
            return base64.getBytes(StandardCharsets.US_ASCII); // an exec plugin gives PEM
        }
        if (base64 != null && !base64.isEmpty()) {
            return Base64.getMimeDecoder().decode(base64.getBytes(StandardCharsets.US_ASCII));
        }
        return file == null || file.isEmpty() ? null : Files.readAllBytes(Path.of(file));
    }
}
