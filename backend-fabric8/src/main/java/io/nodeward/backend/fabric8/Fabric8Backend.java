package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.spi.connect.AddressCheck;
import io.nodeward.core.spi.connect.ConnectionPools;
import io.nodeward.core.spi.connect.Tls;
import java.time.InstantSource;
import javax.net.ssl.X509TrustManager;

/** Reaches API servers with fabric8's client over the JDK's HTTP client: HTTP/2 on TLS, HTTP/1.1 without. */
public final class Fabric8Backend implements Backend {
    @Override
    public String name() {
        return "fabric8";
    }

    @Override
    public Transport connect(ClusterAccess access) {
        Access read = Access.of(access.kubeconfig(), access.file());
        AddressCheck check = AddressCheck.of(access, read);
        X509TrustManager trust = Tls.trust(read.trust());
        return new Fabric8Transport(ConnectionPools.of(
                read, access.userAgent(), InstantSource.system(),
                (certificate, streaming) -> new JdkHttpPool(
                        ClientSettings.of(read, trust, Tls.keys(certificate), check), !streaming)));
    }

    /**
     * Over a client the caller already has, as it is now: with its server, TLS, proxy, credentials and interceptors,
     * whichever HTTP client of fabric8's it uses. Connections are our own, over the JDK's client; retries, redirects and
     * timeouts are off for us and unchanged for its owner, and no interceptor's word sends a call again. Closing the
     * transport ends what it sent and leaves the client open.
     *
     * @throws IllegalArgumentException if it has a setting that the JDK's client does not have: a SOCKS proxy, a
     *     {@code tls-server-name}, an HTTP client that is none of fabric8's own
     */
    public static Transport over(KubernetesClient client) {
        ClientSettings settings = ClientSettings.of(client);
        return new Fabric8Transport(
                ConnectionPools.borrowed(client.getConfiguration().getMasterUrl(),
                        (certificate, streaming) -> new JdkHttpPool(settings, true)));
    }

    @Override
    public String toString() {
        return name();
    }
}
