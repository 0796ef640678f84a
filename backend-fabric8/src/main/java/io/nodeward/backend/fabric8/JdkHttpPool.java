package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.nodeward.core.spi.connect.AddressCheck;
import io.nodeward.core.spi.connect.ConnectionPool;
import java.net.http.HttpClient.Redirect;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A client of ours over the JDK's: no redirect (it would carry credentials elsewhere), no retry. */
final class JdkHttpPool implements ConnectionPool {
    /** fabric8's own, there where TRACE is on: it writes tokens, and the Secrets that come back, into the log. */
    private static final String LOGGING = "HttpLogging";

    /** End of the name of a client's thread that reads; should it change, all is handed over. */
    private static final String SELECTOR = "-SelectorManager";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    private final TrackedHttpClient.Builder jdk;
    private final HttpClient client;
    private final Optional<AddressCheck> check;

    /** @param handsOver whether what arrives is always worked on in another thread than it was read in */
    JdkHttpPool(ClientSettings settings, boolean handsOver) {
        this.check = settings.check();
        Executor executor = executor(handsOver);
        this.jdk = new TrackedHttpClient.Builder(java.net.http.HttpClient.newBuilder()
                .executor(check.map(by -> by.over(executor)).orElse(executor)));
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
     * Where the JDK's client runs its tasks. For watches of our own settings the thread that has read from the socket goes
     * on with TLS and HTTP/2, as each hand-over takes longer than the work (docs/decisions/0009). Tasks of other threads
     * may wait for a name to be resolved, and what is somebody else's for anything.
     */
    private static Executor executor(boolean handsOver) {
        Executor threads =
                Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("nodeward-fabric8").factory());
        return handsOver ? threads : task -> {
            if (Thread.currentThread().getName().endsWith(SELECTOR)) {
                task.run();
            } else {
                threads.execute(task);
            }
        };
    }

    HttpClient client() {
        return client;
    }

    /** Returns why a request failed: the JDK's client does not keep what the resolver of names has thrown. */
    Throwable explain(Throwable failure) {
        boolean unresolved = Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(UnresolvedAddressException.class::isInstance);
        return unresolved && check.isPresent() ? check.get().explain(failure) : failure;
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
