package io.nodeward.backend.fabric8;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's client, which alone can give up a request and shut down at once; fabric8 hides both. The request's own
 * timeout is no way out: newer JDKs count the body too, and a watch's body has no end.
 */
final class TrackedHttpClient extends HttpClient {
    private final HttpClient client;
    private final ThreadLocal<@Nullable CompletableFuture<?>> lastSent = new ThreadLocal<>();

    private TrackedHttpClient(HttpClient client) {
        this.client = client;
    }

    /** How to give up on the request that the calling thread sent last; it can be asked for once. */
    Runnable givingUp() {
        CompletableFuture<?> sent = Objects.requireNonNull(lastSent.get(), "nothing was sent by this thread");
        lastSent.remove();
        return () -> sent.cancel(true);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        CompletableFuture<HttpResponse<T>> sent = client.sendAsync(request, handler);
        lastSent.set(sent);
        return sent;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> push) {
        CompletableFuture<HttpResponse<T>> sent = client.sendAsync(request, handler, push);
        lastSent.set(sent);
        return sent;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return client.send(request, handler);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public void shutdown() {
        client.shutdown();
    }

    @Override
    public void shutdownNow() {
        client.shutdownNow();
    }

    @Override
    public boolean isTerminated() {
        return client.isTerminated();
    }

    @Override
    public boolean awaitTermination(Duration longest) throws InterruptedException {
        return client.awaitTermination(longest);
    }

    /** Builds one {@link TrackedHttpClient} and remembers it, as fabric8 does not hand it out. */
    static final class Builder implements HttpClient.Builder {
        private final HttpClient.Builder builder;
        private @Nullable TrackedHttpClient built;

        Builder(HttpClient.Builder builder) {
            this.builder = builder;
        }

        TrackedHttpClient built() {
            return Objects.requireNonNull(built, "nothing was built");
        }

        @Override
        public HttpClient build() {
            built = new TrackedHttpClient(builder.build());
            return built;
        }

        @Override
        public HttpClient.Builder cookieHandler(CookieHandler cookieHandler) {
            builder.cookieHandler(cookieHandler);
            return this;
        }

        @Override
        public HttpClient.Builder connectTimeout(Duration duration) {
            builder.connectTimeout(duration);
            return this;
        }

        @Override
        public HttpClient.Builder sslContext(SSLContext sslContext) {
            builder.sslContext(sslContext);
            return this;
        }

        @Override
        public HttpClient.Builder sslParameters(SSLParameters sslParameters) {
            builder.sslParameters(sslParameters);
            return this;
        }

        @Override
        public HttpClient.Builder executor(Executor executor) {
            builder.executor(executor);
            return this;
        }

        @Override
        public HttpClient.Builder followRedirects(Redirect policy) {
            builder.followRedirects(policy);
            return this;
        }

        @Override
        public HttpClient.Builder version(Version version) {
            builder.version(version);
            return this;
        }

        @Override
        public HttpClient.Builder priority(int priority) {
            builder.priority(priority);
            return this;
        }

        @Override
        public HttpClient.Builder proxy(ProxySelector proxySelector) {
            builder.proxy(proxySelector);
            return this;
        }

        @Override
        public HttpClient.Builder authenticator(Authenticator authenticator) {
            builder.authenticator(authenticator);
            return this;
        }
    }
}
