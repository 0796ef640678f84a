package io.nodeward.cli.live;

import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;

/** What a command that waits knows of time; tests have their own. */
public interface Time {
    /** That of this machine. */
    Time SYSTEM = new Time() {
        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public void sleep(Duration duration) {
            try {
                Thread.sleep(duration.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UncheckedIOException(new InterruptedIOException("interrupted"));
            }
        }
    };

    Instant now();

    void sleep(Duration duration);
}
