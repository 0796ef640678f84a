package io.nodeward.e2e.machine;

import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/**
 * Keeps each worker of the controller where it says of a write that it is acknowledged, from a number of such writes on:
 * however fast the controller is and however late a test comes, it is in the middle of its work then.
 */
final class HeldWriters extends UnsynchronizedAppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.nodeward");
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger told = new AtomicInteger();
    private final int from;

    private HeldWriters(int from) {
        this.from = from;
    }

    /** From this write on, those of canaries not counted. */
    static HeldWriters from(int write) {
        HeldWriters held = new HeldWriters(write);
        held.setContext(held.logger.getLoggerContext());
        held.start();
        held.logger.setLevel(Level.INFO);
        held.logger.setAdditive(false);
        held.logger.addAppender(held);
        return held;
    }

    @Override
    protected void append(ILoggingEvent event) {
        boolean isWrite = event.getFormattedMessage().equals("propagated");
        if (isWrite && !event.getKeyValuePairs().toString().contains("canary") && told.incrementAndGet() >= from) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void awaitHeld() {
        await("a worker to be held").atMost(MachineSuite.PATIENCE).until(() -> told.get() >= from);
    }

    void release() {
        released.countDown();
    }

    /** Acknowledged writes so far. */
    int told() {
        return told.get();
    }

    @Override
    public void close() {
        release();
        logger.detachAppender(this);
        logger.setAdditive(true);
        logger.setLevel(null);
    }
}
