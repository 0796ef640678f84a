package io.nodeward.backend.official;

import io.kubernetes.client.openapi.ApiClient;
import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.api.json.kubeconfig.Access.Anyone;
import io.nodeward.api.json.kubeconfig.Access.Authorities;
import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.core.spi.connect.Tls;
import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Optional;
import okhttp3.OkHttpClient;

/**
 * The official client without the codecs of its 800 models, which would cost each start half a second: its HTTP layer
 * is all that is used.
 */
final class HttpLayer extends ApiClient {
    /** Each client made from nothing would read the JVM's authorities. */
    private static final OkHttpClient MODEL = new OkHttpClient();

    /** @throws IllegalArgumentException if there is no use of the certificates */
    HttpLayer(Access access, Optional<ClientCertificate> certificate) {
        super(MODEL);
        setBasePath(access.server());
        setHttpClient(httpClient.newBuilder().proxy(proxy(access)).build());
        if (access.tls()) {
            // The fields, as each setter would make the whole of TLS anew, of an authority that is read already.
            verifyingSsl = !(access.trust() instanceof Anyone);
            if (access.trust() instanceof Authorities authorities) {
                String pem = PemCertificates.written(authorities.certificates());
                sslCaCert = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
            }
            keyManagers = Tls.keys(certificate);
            applySslSettings();
        }
    }

    // Not even one that the JVM is set to, unless the kubeconfig names it.
    private static Proxy proxy(Access access) {
        return access.proxy()
                .map(proxy -> new Proxy(Proxy.Type.HTTP, new InetSocketAddress(proxy.host(), proxy.port())))
                .orElse(Proxy.NO_PROXY);
    }

    @Override
    protected void init() {
        authentications = new HashMap<>();
    }
}
