package io.nodeward.core.spi.connect;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.spi.connect.Identity.Header;
import io.nodeward.core.spi.connect.InFlightRequest.Failed;
import io.nodeward.core.spi.connect.InFlightRequest.Head;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * What a transport does over any client library: logs each request in, sends it once, gives up on it in time, and ends all
 * that is in flight when it is closed.
 *
 * @param <P> a connection pool of the client library
 */
public abstract class PooledTransport<P extends ConnectionPool> implements Transport {
    private static final String CLOSED = "the transport was closed";
    private static final int UNAUTHORIZED = 401;
    /** Pools that a read is tried in, at most: others may fill one, or retire it, between two tries. */
    private static final int MOST_POOLS = 10;

    private final ConnectionPools<P> pools;
    private final LongSupplier nanoTime;
    private final Set<Future<?>> waiting = ConcurrentHashMap.newKeySet();
    private final Set<BodyStream> arriving = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param nanoTime as {@link System#nanoTime} */
    protected PooledTransport(ConnectionPools<P> pools, LongSupplier nanoTime) {
        this.pools = pools;
        this.nanoTime = nanoTime;
    }

    /**
     * Sends the request on its way, and returns at once.
     *
     * @param url of the server and the request's path
     * @param headers besides the request's own
     * @param body where the answer's will arrive
     */
    protected abstract InFlightRequest send(P pool, Request request, String url, List<Header> headers, BodyStream body)
            throws IOException;

    @Override
    public final Response exchange(Request request) {
        long end = nanoTime.getAsLong() + request.timeout().toNanos();
        try {
            return answer(request, end, 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(request, "interrupted", e);
        } catch (TimeoutException e) {
            throw unreachable(request, "no answer within " + request.timeout().toMillis() + " ms", e);
        } catch (ExecutionException | IOException | RuntimeException e) {
            throw unreachable(request, closed ? CLOSED : Failures.words(e), e);
        }
    }

    /** @param tries with this one */
    private Response answer(Request request, long end, int tries)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        if (closed) {
            throw new IOException(CLOSED);
        }
        if (Thread.interrupted()) { // the wait for an answer that has arrived by then would not notice
            throw new InterruptedException();
        }
        Identity who = pools.identity();
        P pool = pools.of(request, who);
        BodyStream body = new BodyStream(arriving::remove);
        if (!request.streaming()) {
            LongSupplier clock = nanoTime; // not this: see BodyStream
            body.endWhen(() -> end - clock.getAsLong(), () -> pools.retire(pool));
        }
        InFlightRequest inFlight = send(pool, request, pools.server() + request.path(), who.headers(), body);
        try {
            Head head = head(inFlight, end, body);
            if (head.status() == UNAUTHORIZED) {
                pools.refused(who);
            }
            return answer(head, body);
        } catch (TimeoutException e) {
            pools.retire(pool);
            throw e;
        } catch (ExecutionException e) {
            if (closed || !isRepeated(request, inFlight.failed().get(), tries)) {
                throw e;
            }
            pools.retire(pool); // its other connections may be closed or full too; what is in flight on them goes on
        }
        return answer(request, end, tries + 1);
    }

    /** Servers close idle connections whenever they like, and a read is safe to repeat. */
    private static boolean isRepeated(Request request, Failed failed, int tries) {
        return request.method().equals("GET") && switch (failed) {
            case SENT -> false;
            case UNANSWERED -> tries == 1;
            case UNSENT -> tries < MOST_POOLS;
        };
    }

    private Head head(InFlightRequest inFlight, long end, BodyStream body)
            throws InterruptedException, ExecutionException, TimeoutException {
        waiting.add(inFlight.head());
        boolean answered = false;
        try {
            if (closed) {
                inFlight.head().cancel(true);
            }
            Head head = inFlight.head().get(end - nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
            answered = true;
            return head;
        } finally {
            waiting.remove(inFlight.head());
            if (!answered) {
                inFlight.head().cancel(true);
                inFlight.giveUp().run();
                body.close();
            }
        }
    }

    private Response answer(Head head, BodyStream body) {
        arriving.add(body);
        body.start(head.body());
        if (closed) {
            body.close(CLOSED);
        }
        return new Response(head.status(), head.retryAfter(), head.decoding().apply(body));
    }

    private static ApiFailure unreachable(Request request, String why, Exception cause) {
        return ApiFailure.unreachable(request.method() + " " + request.path(), why, Failures.withoutSecrets(cause));
    }

    @Override
    public final void close() {
        closed = true;
        waiting.forEach(head -> head.cancel(true));
        arriving.forEach(body -> body.close(CLOSED));
        pools.close();
    }

    /** Never shows credentials. */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[" + pools.server() + "]";
    }
}
