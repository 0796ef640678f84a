package io.nodeward.core.spi.connect;

import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.spi.connect.Identity.Header;
import io.nodeward.core.spi.connect.Sent.Head;
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
 * What a transport does over any client library: logs each call in, sends it once, gives up on it in time, and ends all
 * that is in flight when it is closed.
 *
 * @param <L> a line of the client library
 */
public abstract class LineTransport<L extends Line> implements Transport {
    private static final String CLOSED = "the transport was closed";
    private static final int UNAUTHORIZED = 401;

    private final Lines<L> lines;
    private final LongSupplier nanoTime;
    private final Set<Future<?>> waiting = ConcurrentHashMap.newKeySet();
    private final Set<BodyStream> arriving = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param nanoTime as {@link System#nanoTime} */
    protected LineTransport(Lines<L> lines, LongSupplier nanoTime) {
        this.lines = lines;
        this.nanoTime = nanoTime;
    }

    /**
     * Sends the call on its way, and returns at once.
     *
     * @param url of the server and the call's path
     * @param headers besides the call's own
     * @param body where the answer's will arrive
     */
    protected abstract Sent send(L line, Call call, String url, List<Header> headers, BodyStream body)
            throws IOException;

    @Override
    public final Answer exchange(Call call) {
        long end = nanoTime.getAsLong() + call.timeout().toNanos();
        try {
            // Servers close idle connections whenever they like, and a read is safe to repeat.
            return answer(call, end, call.method().equals("GET"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(call, "interrupted", e);
        } catch (TimeoutException e) {
            throw unreachable(call, "no answer within " + call.timeout().toMillis() + " ms", e);
        } catch (ExecutionException | IOException | RuntimeException e) {
            throw unreachable(call, closed ? CLOSED : Failures.words(e), e);
        }
    }

    private Answer answer(Call call, long end, boolean repeatable)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        if (closed) {
            throw new IOException(CLOSED);
        }
        Identity who = lines.identity();
        L line = lines.of(call, who);
        BodyStream body = new BodyStream(arriving::remove);
        if (!call.streaming()) {
            LongSupplier clock = nanoTime; // not this: see BodyStream
            body.endWhen(() -> end - clock.getAsLong(), () -> lines.retire(line));
        }
        Sent sent = send(line, call, lines.server() + call.path(), who.headers(), body);
        try {
            Head head = head(sent, end, body);
            if (head.status() == UNAUTHORIZED) {
                lines.refused(who);
            }
            return answer(head, body);
        } catch (TimeoutException e) {
            lines.retire(line);
            throw e;
        } catch (ExecutionException e) {
            if (closed || !repeatable || !sent.unread().getAsBoolean()) {
                throw e;
            }
        }
        return answer(call, end, false);
    }

    private Head head(Sent sent, long end, BodyStream body)
            throws InterruptedException, ExecutionException, TimeoutException {
        waiting.add(sent.head());
        boolean answered = false;
        try {
            if (closed) {
                sent.head().cancel(true);
            }
            Head head = sent.head().get(end - nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
            answered = true;
            return head;
        } finally {
            waiting.remove(sent.head());
            if (!answered) {
                sent.head().cancel(true);
                sent.giveUp().run();
                body.close();
            }
        }
    }

    private Answer answer(Head head, BodyStream body) {
        arriving.add(body);
        body.start(head.body());
        if (closed) {
            body.close(CLOSED);
        }
        return new Answer(head.status(), head.retryAfter(), head.decoding().apply(body));
    }

    private static ApiFailure unreachable(Call call, String why, Exception cause) {
        return ApiFailure.unreachable(call.method() + " " + call.path(), why, Failures.withoutSecrets(cause));
    }

    @Override
    public final void close() {
        closed = true;
        waiting.forEach(head -> head.cancel(true));
        arriving.forEach(body -> body.close(CLOSED));
        lines.close();
    }

    /** Never shows credentials. */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[" + lines.server() + "]";
    }
}
