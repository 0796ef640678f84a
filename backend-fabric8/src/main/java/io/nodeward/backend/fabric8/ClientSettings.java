package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient.ProxyType;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.core.spi.connect.AddressCheck;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What a pool's client is made with.
 *
 * @param trust null for the JVM's own authorities
 * @param keys null without a client certificate
 * @param http2 whether it is used where the server speaks it
 * @param proxyAuthorization header's value, or null
 * @param check of what names of hosts lead to; empty if they may lead anywhere
 */
record ClientSettings(
        TrustManager @Nullable [] trust,
        KeyManager @Nullable [] keys,
        TlsVersion[] tlsVersions,
        boolean http2,
        Optional<InetSocketAddress> proxy,
        @Nullable String proxyAuthorization,
        Map<String, Interceptor> interceptors,
        RequestConfig requests,
        Optional<AddressCheck> check) {
    private static final TlsVersion[] VERSIONS = {TlsVersion.TLS_1_3, TlsVersion.TLS_1_2};

    static ClientSettings of(Access access, TrustManager trust, KeyManager @Nullable [] keys, AddressCheck check) {
        return new ClientSettings(
                new TrustManager[]{trust}, keys, VERSIONS, access.tls(),
                access.proxy().map(Access.Proxy::unresolved), null, Map.of(),
                once(new RequestConfigBuilder().build()), Optional.of(check));
    }

    /**
     * As its owner set them; nothing is sent again on an interceptor's word.
     *
     * @throws IllegalArgumentException if there is one that the JDK's HTTP client does not have
     */
    static ClientSettings of(KubernetesClient client) {
        if (!(client.getHttpClient().newBuilder() instanceof StandardHttpClientBuilder<?, ?, ?> theirs)) {
            throw new IllegalArgumentException("the client's HttpClient is none of fabric8's own");
        }
        if (theirs.getTlsServerName() != null && !theirs.getTlsServerName().isEmpty()) {
            throw new IllegalArgumentException("tls-server-name is not supported");
        }
        Optional<InetSocketAddress> proxy = Optional.ofNullable(theirs.getProxyAddress());
        if (proxy.isPresent() && theirs.getProxyType() != ProxyType.HTTP) {
            throw new IllegalArgumentException("a proxy of type " + theirs.getProxyType() + " is not supported");
        }
        Map<String, Interceptor> interceptors = new LinkedHashMap<>();
        theirs.getInterceptors().forEach((name, interceptor) -> interceptors.put(name, new SendOnce(interceptor)));
        TlsVersion[] versions = theirs.getTlsVersions();
        return new ClientSettings(
                theirs.getTrustManagers(), theirs.getKeyManagers(), versions == null ? VERSIONS : versions,
                client.getMasterUrl().getProtocol().equals("https") && !theirs.isPreferHttp11(), proxy,
                theirs.getProxyAuthorization(), interceptors, once(client.getConfiguration().getRequestConfig()),
                Optional.empty());
    }

    // fabric8 retries as often as the tag of this type says; retries are core's.
    private static RequestConfig once(RequestConfig theirs) {
        RequestConfig once = new RequestConfigBuilder(theirs).withRequestRetryBackoffLimit(0).build();
        once.setImpersonateUsername(theirs.getImpersonateUsername());
        once.setImpersonateGroups(theirs.getImpersonateGroups());
        once.setImpersonateExtras(theirs.getImpersonateExtras());
        return once;
    }

    /** Never shows credentials. */
    @Override
    public String toString() {
        return "ClientSettings";
    }
}
