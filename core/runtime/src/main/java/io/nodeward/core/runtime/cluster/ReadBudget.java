package io.nodeward.core.runtime.cluster;

import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** So many reads per second on average, and a burst of twice as many: what conflicts and relists may cost a server. */
final class ReadBudget {
    private final long interval;
    private final long burst;
    /** When the budget will have been earned back: the time of the generic cell rate algorithm. */
    private long earned;
    private final Timers timers;

    /** @param perSecond 0 for no limit */
    ReadBudget(int perSecond, Timers timers) {
        this.timers = timers;
        this.earned = timers.nanoTime();
        this.interval = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.burst = 2L * perSecond * interval;
    }

    /** Waits until one more read is due. */
    void take() throws InterruptedException {
        long wait = reserve(timers.nanoTime());
        if (wait > 0) {
            timers.sleep(Duration.ofNanos(wait));
        }
    }

    /** Returns for how many nanoseconds after {@code now} the read has to wait. */
    synchronized long reserve(long now) {
        earned = Math.max(earned, now) + interval;
        return Math.max(0, earned - now - burst);
    }
}
