package io.nodeward.core.runtime.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an owner's condition says: the first and the end of it at once, in other words no more often than so, as each member
 * that comes or goes may change them and every change is a write.
 */
final class Debounce {
    private final Duration every;
    private @Nullable Blocked said;
    private Instant since = Instant.EPOCH;

    Debounce(Duration every) {
        this.every = every;
    }

    synchronized Optional<Blocked> of(Optional<Blocked> current, Instant now) {
        Blocked before = said;
        // Before that time somebody has set the clock back, which must not keep the words.
        if (current.isPresent() && before != null && !now.isBefore(since) && now.isBefore(since.plus(every))) {
            return Optional.of(before);
        }
        if (!current.equals(Optional.ofNullable(before))) {
            since = now;
            said = current.orElse(null);
        }
        return current;
    }

    /** How long what was said stands, should it be another than {@code current}. */
    synchronized Duration left(Optional<Blocked> current, Instant now) {
        return current.isEmpty() || current.equals(Optional.ofNullable(said))
                ? Duration.ZERO
                : Duration.between(now, since.plus(every));
    }
}
