package io.nodeward.e2e.controlplane;

import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.json.kubeconfig.PemKey;
import io.nodeward.core.spi.connect.Tls;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** TLS as a kubeconfig asks for it: its own roots and, perhaps, a client certificate. */
public final class TlsContext {
    private TlsContext() {}

    public static SSLContext of(Kubeconfig kubeconfig) {
        Optional<Access.ClientCertificate> client =
                kubeconfig.credentials() instanceof Kubeconfig.ClientCertificate(var chain, var key)
                        ? Optional.of(new Access.ClientCertificate(certificates("the client certificate", chain),
                                PemKey.read("the client key", bytes(key))))
                        : Optional.empty();
        TrustManager trust =
                Tls.trust(new Access.Authorities(certificates("the authority", kubeconfig.caPem())));
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(Tls.keys(client), new TrustManager[]{trust}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<X509Certificate> certificates(String what, String pem) {
        return PemCertificates.read(what, bytes(pem));
    }

    private static byte[] bytes(String pem) {
        return pem.getBytes(StandardCharsets.US_ASCII);
    }
}
