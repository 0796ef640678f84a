package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.core.spi.Request;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The connections of a transport to its server, and the identity that it uses on them.
 *
 * @param <P> a connection pool of the client library
 */
public final class ConnectionPools<P extends ConnectionPool> implements AutoCloseable {
    private static final Identity NOBODY = new Identity(List.of(), Optional.empty());

    private final String server;
    private final Optional<Login> login;
    private final PoolPair<P> pools;

    private ConnectionPools(String server, Optional<Login> login, PoolPair<P> pools) {
        this.server = server;
        this.login = login;
        this.pools = pools;
    }

    /** Logs in as the kubeconfig says. */
    public static <P extends ConnectionPool> ConnectionPools<P> of(
            Access access, String userAgent, InstantSource clock, ConnectionPoolFactory<P> factory) {
        Optional<Login> login = Optional.of(new Login(access, userAgent, clock));
        return new ConnectionPools<>(access.server(), login, new PoolPair<>(access.certificate(), factory));
    }

    /** With the settings of a client that logs calls in by itself. */
    public static <P extends ConnectionPool> ConnectionPools<P> borrowed(String server,
            ConnectionPoolFactory<P> factory) {
        return new ConnectionPools<>(
                server.replaceFirst("/$", ""), Optional.empty(), new PoolPair<>(Optional.empty(), factory));
    }

    /** URL without a slash at its end. */
    String server() {
        return server;
    }

    Identity identity() throws IOException, InterruptedException {
        return login.isPresent() ? login.get().now() : NOBODY;
    }

    /** To be called when the server answered 401. */
    void refused(Identity who) {
        login.ifPresent(with -> with.refused(who));
    }

    P of(Request request, Identity who) {
        return pools.pool(request.streaming(), who.certificate());
    }

    /** To be called when a call got no answer in time. */
    void retire(P pool) {
        pools.retire(pool);
    }

    @Override
    public void close() {
        login.ifPresent(Login::close);
        pools.close();
    }
}
