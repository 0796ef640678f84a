package io.nodeward.core.runtime.https;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.sun.net.httpserver.HttpExchange;
import io.nodeward.core.runtime.https.InFlightLimiter.Request;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the body of a request without keeping it. */
final class RequestBody {
    private static final Logger LOG = LoggerFactory.getLogger(RequestBody.class);
    /** Bytes: more than an API server sends of an object of 3 MiB in which every character is escaped. */
    private static final long MOST = 64L << 20;
    /** Bytes after which a body pauses: more than most have. */
    private static final int BETWEEN_PAUSES = 64 << 10;
    /** Bodies that pause now, in the whole process, whose processors they share. */
    private static final AtomicInteger PAUSING = new AtomicInteger();

    private RequestBody() {}

    /** The length that the request states; {@code otherwise} if it states none. */
    static int length(HttpExchange exchange, int otherwise) {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        try {
            return length == null ? otherwise : (int) Math.min(Long.parseLong(length), Integer.MAX_VALUE);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** Reads as much of the start as tells what the request is about. */
    static byte[] start(HttpExchange exchange) {
        try {
            return exchange.getRequestBody().readNBytes(Request.START);
        } catch (IOException e) {
            LOG.debug("the caller has gone", e);
            return new byte[0];
        }
    }

    /**
     * Reads the body to its end, or one byte more than it may have. Looks into its start once, however slowly that comes.
     *
     * @return false if the request had to make room for others
     */
    static boolean read(HttpExchange exchange, int most, Request into, Answering answering) throws IOException {
        byte[] buffer = new byte[Request.START];
        InputStream body = exchange.getRequestBody();
        boolean isKnown = false;
        int read = 0;
        while (read >= 0 && into.length() <= most) {
            read = body.read(buffer, 0, Math.min(buffer.length, most + 1 - into.length()));
            if (read > 0 && !into.add(buffer, read)) {
                return false;
            }
            if (!isKnown && (read < 0 || into.length() >= Request.START)) {
                into.belongsTo(answering.account(into.start()));
                isKnown = true;
            }
            pauseAt(into.length(), read);
        }
        return true;
    }

    /**
     * Reads it and throws it away: a connection that is closed with a part unread is reset, and the caller may never see the
     * answer.
     */
    static void drain(HttpExchange exchange) {
        byte[] buffer = new byte[Request.START];
        try {
            InputStream body = exchange.getRequestBody();
            long left = MOST;
            for (int read = body.read(buffer); read >= 0 && left > 0; read = body.read(buffer)) {
                left -= read;
                pauseAt(left, read);
            }
        } catch (IOException e) {
            LOG.debug("the caller has gone", e);
        }
    }

    /**
     * Lets others go first when the count has passed a multiple, for as many milliseconds as bodies pause, 16 at most: so up to
     * 16 take 64 MiB a second together. With a yield in its place, requests beside 16 endless bodies were seen to wait for
     * seconds.
     */
    private static void pauseAt(long count, int read) {
        if (count % BETWEEN_PAUSES < read) {
            LockSupport.parkNanos(MILLISECONDS.toNanos(Math.min(PAUSING.incrementAndGet(), 16)));
            PAUSING.decrementAndGet();
        }
    }
}
