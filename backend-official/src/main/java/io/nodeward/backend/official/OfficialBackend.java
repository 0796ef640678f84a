package io.nodeward.backend.official;

import io.kubernetes.client.openapi.ApiClient;
import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.spi.connect.AddressCheck;
import io.nodeward.core.spi.connect.ConnectionPools;
import java.net.Proxy;
import java.time.InstantSource;
import okhttp3.OkHttpClient;

/** Reaches API servers with the official client over OkHttp: HTTP/2 on TLS, HTTP/1.1 without. */
public final class OfficialBackend implements Backend {
    @Override
    public String name() {
        return "official";
    }

    @Override
    public Transport connect(ClusterAccess access) {
        Access read = Access.of(access.kubeconfig(), access.file());
        AddressCheck check = AddressCheck.of(access, read);
        return new OfficialTransport(
                ConnectionPools.of(
                        read, access.userAgent(), InstantSource.system(),
                        (certificate, streaming) -> new OkHttpPool(
                                new HttpLayer(read, certificate, check).getHttpClient(), streaming)),
                (request, call) -> {});
    }

    /**
     * Over a client the caller already has, as it is now: with its server, TLS, proxy, credentials, default headers and
     * interceptors. Connections are our own, retries, redirects and timeouts off for us and unchanged for its owner.
     * Closing the transport ends what it sent and leaves the client open.
     *
     * @throws IllegalArgumentException if it has a setting that not every backend can keep: a SOCKS proxy, a TLS server
     *     name; or if its OkHttp is another one than this is made for
     */
    public static Transport over(ApiClient client) {
        OkHttpClient theirs = client.getHttpClient();
        Proxy proxy = theirs.proxy();
        if (proxy != null && proxy.type() == Proxy.Type.SOCKS) {
            throw new IllegalArgumentException("proxy: SOCKS is not supported");
        }
        if (client.getTlsServerName() != null) {
            throw new IllegalArgumentException("tlsServerName is not supported");
        }
        return new OfficialTransport(
                ConnectionPools.borrowed(client.getBasePath(),
                        (certificate, streaming) -> new OkHttpPool(theirs, streaming)),
                new ClientHeaders(client));
    }

    @Override
    public String toString() {
        return name();
    }
}
