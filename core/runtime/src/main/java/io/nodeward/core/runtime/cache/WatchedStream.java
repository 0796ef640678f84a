package io.nodeward.core.runtime.cache;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Response;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The body of an answer that is cut when no byte came for too long: a half-open connection says nothing for ever. */
public final class WatchedStream extends FilterInputStream {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedStream.class);

    private final Response response;
    private volatile long patience;
    private final ScheduledFuture<?> watchdog;
    private final Timers timers;
    private volatile long lastByte;
    private volatile boolean cut;
    private volatile boolean halted;

    public WatchedStream(Response response, Duration patience, Timers timers) {
        super(response.body());
        this.response = response;
        this.patience = patience.toNanos();
        this.timers = timers;
        this.lastByte = timers.nanoTime();
        this.watchdog = timers.every(patience.dividedBy(4), this::check);
    }

    /** Changes how long a silence may be. */
    void patience(Duration longer) {
        patience = longer.toNanos();
    }

    /** Lets the next read fail. */
    void halt() {
        halted = true;
    }

    private void check() {
        if (timers.nanoTime() - lastByte > patience) {
            cut = true;
            watchdog.cancel(false);
            Thread.ofVirtual().name("nodeward-silence").start(this::close); // it may block; the timers must not
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (halted) {
            throw new IOException("no more is wanted");
        }
        try {
            int count = super.read(bytes, offset, length);
            if (!cut) {
                lastByte = timers.nanoTime();
                return count;
            }
        } catch (IOException e) {
            if (!cut) {
                throw e;
            }
        }
        throw new Silent(Duration.ofNanos(patience));
    }

    /** Fails for nobody: who closes it goes on to close other things. */
    @Override
    public void close() {
        watchdog.cancel(false);
        try {
            response.close();
        } catch (UncheckedIOException e) {
            LOG.debug("a stream failed to close", e);
        }
    }

    /** It was cut because nothing came. */
    static final class Silent extends IOException {
        Silent(Duration silence) {
            super("no byte for " + silence.toMillis() + " ms");
        }
    }
}
