package io.nodeward.core.rules.toleration;

import io.nodeward.core.rules.toleration.Eviction.After;
import io.nodeward.core.rules.toleration.Eviction.Never;
import io.nodeward.core.rules.toleration.Eviction.Now;
import java.time.Instant;
import java.util.Optional;

/**
 * A deletion that the taint eviction controller has planned for a pod. Once it runs, neither a changed {@code
 * tolerationSeconds} nor a further taint moves it: only an untolerated taint, or that nothing evicts any more.
 *
 * @param started when it was planned
 * @param fires when the pod is deleted
 */
public record EvictionTimer(Instant started, Instant fires) {
    /**
     * What is planned after the taints of the Node or the tolerations of the pod have changed.
     *
     * @param running what was planned before
     * @param eviction what follows from the new taints and tolerations alone
     */
    public static Optional<EvictionTimer> next(Optional<EvictionTimer> running, Eviction eviction, Instant now) {
        return switch (eviction) {
            case Never() -> Optional.empty();
            case Now() -> Optional.of(new EvictionTimer(now, now));
            case After(var time) -> running
                    .filter(timer -> timer.started.isBefore(now))
                    .or(() -> Optional.of(new EvictionTimer(
                            running.map(EvictionTimer::started).orElse(now), now.plus(time))));
        };
    }
}
