package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.core.spi.connect.OwnLines;
import java.net.InetSocketAddress;
import java.net.http.HttpClient.Redirect;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** A client of ours over the JDK's: no redirect (it would carry credentials elsewhere), no retry. */
final class OwnLine implements Line, OwnLines.Line {
    /** fabric8's own, there where TRACE is on: it writes tokens, and the Secrets that come back, into the log. */
    private static final String LOGGING = "HttpLogging";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    private final TrackedHttpClient.Builder jdk;
    private final HttpClient client;

    OwnLine(Access access, X509TrustManager trust, KeyManager @Nullable [] keys, Executor executor) {
        this.jdk = new TrackedHttpClient.Builder(java.net.http.HttpClient.newBuilder().executor(executor));
        HttpClient.Factory factory = new Factory(jdk);
        HttpClient.Builder builder = factory.newBuilder();
        builder.addOrReplaceInterceptor(LOGGING, null);
        builder.tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build()); // retries are core's
        builder.connectTimeout(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        if (access.tls()) {
            builder.sslContext(keys, new TrustManager[]{trust});
            builder.tlsVersions(TlsVersion.TLS_1_3, TlsVersion.TLS_1_2);
        } else {
            builder.preferHttp11(); // else each first request asks to switch to h2c
        }
        if (access.proxy().isEmpty()) {
            jdk.proxy(java.net.http.HttpClient.Builder.NO_PROXY); // not even one that the JVM is set to
        }
        access.proxy().ifPresent(proxy -> builder.proxyAddress(new InetSocketAddress(proxy.host(), proxy.port())));
        this.client = builder.build();
    }

    @Override
    public HttpClient client() {
        return client;
    }

    @Override
    public Runnable givingUp() {
        return jdk.built().givingUp();
    }

    @Override
    public void retire() {
        jdk.built().shutdown();
    }

    @Override
    public boolean isOver() {
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
