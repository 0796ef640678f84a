package io.nodeward.core.runtime.cache;

import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** How long a reflector waits after failures in a row, and what it logs of them. */
final class RetryPauses {
    private final Logger log;
    private final ListWatch<?> listWatch;
    private final Backoff backoff;
    private final Timers timers;
    /** Counted down, it ends a pause, or the next one. */
    private volatile CountDownLatch awake = new CountDownLatch(1);
    /** Since a watch last stood for a while. A list alone proves nothing: what it says may be too old to watch from. */
    private int failures;
    /** Of what sort the last failure was that was logged as a warning; one that stays is not logged so again. */
    private Class<?> warned = Void.class;

    /** @param log the reflector's */
    RetryPauses(Logger log, ListWatch<?> listWatch, Backoff backoff, Timers timers) {
        this.log = log;
        this.listWatch = listWatch;
        this.backoff = backoff;
        this.timers = timers;
    }

    int failures() {
        return failures;
    }

    void failed() {
        failures++;
    }

    /** A watch stood for a while. */
    void succeeded() {
        failures = 0;
    }

    /** A watch stands: a failure after it is logged as a warning again. */
    void following() {
        warned = Void.class;
    }

    /** For as long as the server asked, at least; it may ask for nothing, and is not hammered all the same. */
    void waitOut(ApiFailure failure) throws InterruptedException {
        Duration asked = failure instanceof ApiFailure.Throttled throttled
                ? Timers.jittered(throttled.retryAfter().orElse(Duration.ZERO))
                : Duration.ZERO;
        Duration delay = backoff.delay(failures).plus(asked);
        Level level = warned == failure.getClass() ? Level.DEBUG : Level.WARN;
        warned = failure.getClass();
        String remedy = listWatch.remedy(failure);
        log.atLevel(level).log("{}: {}{}; again in {} ms", listWatch.name(), failure.getMessage(),
                remedy.isEmpty() ? "" : "; " + remedy, delay.toMillis());
        sleep(delay);
    }

    void sleep() throws InterruptedException {
        sleep(backoff.delay(failures));
    }

    private void sleep(Duration delay) throws InterruptedException {
        timers.sleep(delay, awake);
        awake = new CountDownLatch(1);
    }

    /** Ends the pause, or the next one. */
    void wake() {
        awake.countDown();
    }
}
