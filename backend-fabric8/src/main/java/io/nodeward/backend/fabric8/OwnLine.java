package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.ImpersonatorInterceptor;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient.Redirect;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A client of ours over the JDK's: no redirect (it would carry credentials elsewhere), no retry. */
final class OwnLine implements Line, AutoCloseable {
    /** fabric8's own, there where TRACE is on: it writes tokens, and the Secrets that come back, into the log. */
    private static final String LOGGING = "HttpLogging";

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    private final TrackedHttpClient.Builder jdk;
    private final HttpClient client;

    OwnLine(Access access, Tls tls, Executor executor) {
        this.jdk = new TrackedHttpClient.Builder(java.net.http.HttpClient.newBuilder().executor(executor));
        Config config = access.config();
        HttpClient.Factory factory = new Factory(jdk);
        HttpClient.Builder builder = factory.newBuilder();
        builder.addOrReplaceInterceptor(LOGGING, null);
        builder.tag(config.getRequestConfig());
        builder.connectTimeout(config.getConnectionTimeout(), TimeUnit.MILLISECONDS);
        builder.addOrReplaceInterceptor(
                ImpersonatorInterceptor.NAME, new ImpersonatorInterceptor(config.getRequestConfig()));
        if (access.tls()) {
            builder.sslContext(tls.keys(), tls.trust());
            builder.tlsVersions(config.getTlsVersions());
        } else {
            builder.preferHttp11(); // else each first request asks to switch to h2c
        }
        if (config.getHttpsProxy() == null) {
            jdk.proxy(java.net.http.HttpClient.Builder.NO_PROXY); // not even one that the JVM is set to
        } else {
            URI proxy = URI.create(config.getHttpsProxy());
            builder.proxyAddress(new InetSocketAddress(proxy.getHost(), proxy.getPort()));
        }
        if (access.plugin()) {
            builder.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, plugin(config));
        }
        this.client = builder.build();
    }

    // This one asks the plugin each minute, and sends a call again after a 401 with the new credential.
    private static Interceptor plugin(Config config) {
        return Objects.requireNonNull(HttpClientUtils.createApplicableInterceptors(config, new JdkHttpClientFactory())
                .get(TokenRefreshInterceptor.NAME));
    }

    @Override
    public HttpClient client() {
        return client;
    }

    @Override
    public Runnable givingUp() {
        return jdk.built().givingUp();
    }

    /** Takes no more calls, and ends when those in flight have. */
    void retire() {
        jdk.built().shutdown();
    }

    boolean isOver() {
        return jdk.built().isTerminated();
    }

    @Override
    public void close() {
        jdk.built().shutdownNow();
        client.close();
        try {
            jdk.built().awaitTermination(LONGEST_CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Factory extends JdkHttpClientFactory {
        private final TrackedHttpClient.Builder jdk;

        Factory(TrackedHttpClient.Builder jdk) {
            this.jdk = jdk;
        }

        @Override
        protected java.net.http.HttpClient.Builder createNewHttpClientBuilder() {
            return jdk;
        }

        @Override
        protected void additionalConfig(java.net.http.HttpClient.Builder builder) {
            builder.followRedirects(Redirect.NEVER);
        }
    }
}
