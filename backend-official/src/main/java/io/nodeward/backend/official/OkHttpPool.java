package io.nodeward.backend.official;

import io.nodeward.core.spi.connect.ConnectionPool;
import io.nodeward.core.spi.connect.ConnectionPoolFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.Authenticator;
import okhttp3.Call;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** An OkHttp client with connections of its own: no redirect (it would carry credentials elsewhere), no retry. */
final class OkHttpPool implements ConnectionPool {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final OkHttpClient client;
    private final okhttp3.ConnectionPool pool;
    private final TrackedSockets sockets;
    private final Set<Call> inFlight = ConcurrentHashMap.newKeySet();
    private volatile boolean retired;
    private volatile boolean over;

    /**
     * Connects to nothing yet.
     *
     * @param model whose TLS, proxy, interceptors and the like are taken
     * @param streaming see {@link ConnectionPoolFactory}
     */
    OkHttpPool(OkHttpClient model, boolean streaming) {
        this.sockets = new TrackedSockets(model.socketFactory());
        OkHttpClient.Builder builder = model.newBuilder();
        builder.retryOnConnectionFailure(false).fastFallback(false).followRedirects(false).followSslRedirects(false);
        builder.cache(null).authenticator(Authenticator.NONE).dispatcher(new Dispatcher());
        // Calls are given up from outside: a timer of OkHttp's would be a thread for the whole JVM.
        builder.callTimeout(Duration.ZERO).readTimeout(Duration.ZERO).writeTimeout(Duration.ZERO);
        builder.pingInterval(Duration.ZERO).connectTimeout(CONNECT_TIMEOUT);
        builder.socketFactory(sockets);
        builder.addNetworkInterceptor(new Attempt.Watcher());
        this.pool = ownConnections(builder, streaming);
        this.client = builder.build();
    }

    private static okhttp3.ConnectionPool ownConnections(OkHttpClient.Builder builder, boolean streaming) {
        try {
            return Tasks.ownConnections(builder, streaming);
        } catch (LinkageError e) {
            throw new IllegalArgumentException("the OkHttp on the class path is not of the 5.4 that this is made for",
                    e);
        }
    }

    /** A call that has not been sent yet. */
    Call call(Request request) throws IOException {
        Call call = client.newCall(request);
        inFlight.add(call);
        if (over) {
            inFlight.remove(call);
            throw new IOException("the connection pool was closed");
        }
        return call;
    }

    /** Called when a call has failed, or its answer has been read or closed. */
    void ended(Call call) {
        inFlight.remove(call);
        if (retired && inFlight.isEmpty()) {
            shut();
        }
    }

    @Override
    public void retire() {
        retired = true;
        if (inFlight.isEmpty()) {
            shut();
        }
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void close() {
        shut();
        inFlight.forEach(Call::cancel);
        pool.evictAll();
    }

    private void shut() {
        over = true;
        sockets.closeAll();
        pool.evictAll();
    }
}
