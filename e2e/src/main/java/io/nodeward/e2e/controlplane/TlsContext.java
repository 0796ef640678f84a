package io.nodeward.e2e.controlplane;

import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.json.kubeconfig.PemKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS as a kubeconfig asks for it: its own roots and, perhaps, a client certificate. */
public final class TlsContext {
    private TlsContext() {}

    public static SSLContext of(Kubeconfig kubeconfig) {
        try {
            KeyManager[] keys = kubeconfig.credentials() instanceof Kubeconfig.ClientCertificate c ? keys(c) : null;
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust(kubeconfig).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the certificates of this kubeconfig cannot be used", e);
        }
    }

    private static TrustManagerFactory trust(Kubeconfig kubeconfig) throws GeneralSecurityException, IOException {
        KeyStore roots = empty();
        List<X509Certificate> certificates = PemCertificates.read("the authority", bytes(kubeconfig.caPem()));
        for (int i = 0; i < certificates.size(); i++) {
            roots.setCertificateEntry("ca" + i, certificates.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(roots);
        return factory;
    }

    private static KeyManager[] keys(Kubeconfig.ClientCertificate client) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        Certificate[] chain =
                PemCertificates.read("the client certificate", bytes(client.certificatePem()))
                        .toArray(Certificate[]::new);
        store.setKeyEntry("client", PemKey.read("the client key", bytes(client.keyPem())), new char[0], chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private static byte[] bytes(String pem) {
        return pem.getBytes(StandardCharsets.US_ASCII);
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
