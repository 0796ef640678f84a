package io.nodeward.backend.official;

import io.kubernetes.client.openapi.ApiClient;
import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.api.json.kubeconfig.Access.Anyone;
import io.nodeward.api.json.kubeconfig.Access.Authorities;
import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.core.spi.connect.AddressCheck;
import io.nodeward.core.spi.connect.Tls;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import okhttp3.Dns;
import okhttp3.OkHttpClient;

/**
 * The official client without the codecs of its 800 models, which would cost each start half a second: its HTTP layer
 * is all that is used.
 */
final class HttpLayer extends ApiClient {
    /** Each client made from nothing would read the JVM's authorities. */
    private static final OkHttpClient MODEL = new OkHttpClient();

    /**
     * @param check of what the names of hosts lead to
     * @throws IllegalArgumentException if there is no use of the certificates
     */
    HttpLayer(Access access, Optional<ClientCertificate> certificate, AddressCheck check) {
        super(MODEL);
        setBasePath(access.server());
        setHttpClient(httpClient.newBuilder().proxy(proxy(access)).dns(dns(check)).build());
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

    /** OkHttp connects to the very addresses that this returns, and asks it for all hosts but addresses. */
    private static Dns dns(AddressCheck check) {
        return host -> {
            List<InetAddress> addresses = Dns.SYSTEM.lookup(host);
            check.require(addresses);
            return addresses;
        };
    }

    // Not even one that the JVM is set to, unless the kubeconfig names it. OkHttp resolves its name each time it connects.
    private static Proxy proxy(Access access) {
        return access.proxy()
                .map(proxy -> new Proxy(Proxy.Type.HTTP, proxy.unresolved()))
                .orElse(Proxy.NO_PROXY);
    }

    @Override
    protected void init() {
        authentications = new HashMap<>();
    }
}
