package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.core.spi.Call;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Where a transport's calls go, and who asks.
 *
 * @param <L> a line of the client library
 */
public final class Lines<L extends Line> implements AutoCloseable {
    private static final Identity NOBODY = new Identity(List.of(), Optional.empty());

    private final String server;
    private final Optional<Login> login;
    private final OwnLines<L> lines;

    private Lines(String server, Optional<Login> login, OwnLines<L> lines) {
        this.server = server;
        this.login = login;
        this.lines = lines;
    }

    /** Logs in as the kubeconfig says. */
    public static <L extends Line> Lines<L> of(
            Access access, String userAgent, InstantSource clock, LineMaker<L> maker) {
        Optional<Login> login = Optional.of(new Login(access, userAgent, clock));
        return new Lines<>(access.server(), login, new OwnLines<>(access.certificate(), maker));
    }

    /** With the settings of a client that logs calls in by itself. */
    public static <L extends Line> Lines<L> borrowed(String server, LineMaker<L> maker) {
        return new Lines<>(
                server.replaceFirst("/$", ""), Optional.empty(), new OwnLines<>(Optional.empty(), maker));
    }

    /** URL without a slash at its end. */
    String server() {
        return server;
    }

    Identity identity() throws IOException, InterruptedException {
        return login.isPresent() ? login.get().now() : NOBODY;
    }

    /** To be told when the server answered 401. */
    void refused(Identity who) {
        login.ifPresent(with -> with.refused(who));
    }

    L of(Call call, Identity who) {
        return lines.line(call.streaming(), who.certificate());
    }

    /** To be told when a call got no answer in time. */
    void retire(L line) {
        lines.retire(line);
    }

    @Override
    public void close() {
        login.ifPresent(Login::close);
        lines.close();
    }
}
