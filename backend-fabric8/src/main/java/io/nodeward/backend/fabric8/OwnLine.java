package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.nodeward.core.spi.connect.Line;
import java.net.http.HttpClient.Redirect;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A client of ours over the JDK's: no redirect (it would carry credentials elsewhere), no retry. */
final class OwnLine implements Line {
    /** fabric8's own, there where TRACE is on: it writes tokens, and the Secrets that come back, into the log. */
    private static final String LOGGING = "HttpLogging";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    private final TrackedHttpClient.Builder jdk;
    private final HttpClient client;

    OwnLine(ClientSettings settings, boolean streaming) {
        this.jdk = new TrackedHttpClient.Builder(
                java.net.http.HttpClient.newBuilder().executor(executor(settings, streaming)));
        HttpClient.Builder builder = new Factory(jdk).newBuilder();
        settings.interceptors().forEach(builder::addOrReplaceInterceptor);
        builder.addOrReplaceInterceptor(LOGGING, null);
        builder.tag(settings.requests());
        builder.connectTimeout(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        builder.sslContext(settings.keys(), settings.trust());
        builder.tlsVersions(settings.tlsVersions());
        if (!settings.http2()) {
            builder.preferHttp11(); // without TLS each first request would ask to switch to h2c
        }
        if (settings.proxy().isPresent()) {
            builder.proxyAddress(settings.proxy().get()).proxyAuthorization(settings.proxyAuthorization());
        } else {
            jdk.proxy(java.net.http.HttpClient.Builder.NO_PROXY); // not even one that the JVM is set to
        }
        this.client = builder.build();
    }

    /**
     * The JDK's client never waits in its tasks, and neither do we, so its own thread can run them: TLS and HTTP/2 of an
     * event in one go, where each hand-over to another thread takes longer than the work (docs/decisions/0009). An
     * interceptor is somebody else's, and may wait.
     */
    private static Executor executor(ClientSettings settings, boolean streaming) {
        return streaming && settings.interceptors().isEmpty()
                ? Runnable::run : Executors.newVirtualThreadPerTaskExecutor();
    }

    HttpClient client() {
        return client;
    }

    /** How to give up on the request that the calling thread sent last. */
    Runnable givingUp() {
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
