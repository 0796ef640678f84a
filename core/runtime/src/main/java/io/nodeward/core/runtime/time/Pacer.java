package io.nodeward.core.runtime.time;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * When each of many may do something, such as evict a pod: token buckets, and one who has to wait has a turn of its own, so
 * that nobody asks again before it is due. Of several buckets the one with the shortest wait counts, and loses the token.
 *
 * @param <K> who asks
 */
public final class Pacer<K> {
    private final LongSupplier ticker;
    private final Map<Object, TokenBucket> buckets = new HashMap<>();
    private final Map<K, Turn> turns = new HashMap<>();
    /** The limit of all together, besides that of each bucket. */
    private final Optional<Limit> overall;
    private final Map<K, Turn> overallTurns = new HashMap<>();

    /** @param ticker nanoseconds since any one moment */
    public Pacer(LongSupplier ticker) {
        this(ticker, Optional.empty());
    }

    /**
     * @param ticker nanoseconds since any one moment
     * @param overall the limit of all together: whoever has its turn in a bucket also takes a token of this one
     */
    public Pacer(LongSupplier ticker, Limit overall) {
        this(ticker, Optional.of(overall));
    }

    private Pacer(LongSupplier ticker, Optional<Limit> overall) {
        this.ticker = ticker;
        this.overall = overall;
        overall.ifPresent(this::bucket);
    }

    /**
     * Of one token bucket.
     *
     * @param bucket by what it is found
     * @param perSecond above 0; when it changes, it counts at once, also for who waits and asks again
     * @param burst how many may go at once at first; later one, or what comes in a tenth of a second if that is more, but never
     *     more than the burst
     * @param full whether it starts with the burst; else it is empty when somebody first asks, as another process may have
     *     taken it
     * @param first how long the first token takes at least, from when somebody first asks, if the bucket starts empty
     */
    public record Limit(Object bucket, double perSecond, int burst, boolean full, Duration first) {
        private static final double MINUTE = 60;

        public Limit(Object bucket, double perSecond, int burst, boolean full) {
            this(bucket, perSecond, burst, full, Duration.ZERO);
        }

        /** Returns a limit whose tokens come at even distances. */
        public static Limit perMinute(Object bucket, int count) {
            return new Limit(bucket, count / MINUTE, 1, false);
        }

        /** Returns the same limit, whose first token takes at least so long. */
        public Limit startingAfter(Duration time) {
            return new Limit(bucket, perSecond, burst, full, time);
        }
    }

    /** @param token its number in the bucket */
    private record Turn(Object name, TokenBucket bucket, double token) {
        long left(Object who) {
            return bucket.left(who, token);
        }
    }

    /**
     * How long it has to wait; zero if it goes now, which takes a token. It keeps its turn until it is {@link #release}d. Who
     * went last may go again without another token, while nobody else has gone.
     *
     * @param limits at least one; it waits for one of them only
     */
    public synchronized Duration left(K who, Collection<Limit> limits) {
        Turn before = turns.get(who);
        Turn turn = limits.stream().map(limit -> turn(who, before, limit))
                .min(Comparator.<Turn>comparingLong(each -> each.left(who))
                        .thenComparingDouble(each -> each.bucket.distance()))
                .orElseThrow(() -> new IllegalArgumentException("no limit for " + who));
        if (!turn.equals(before)) {
            turn.bucket.join(turn.token);
            release(who);
            turns.put(who, turn);
        }
        long left = Math.max(0, turn.left(who));
        if (left == 0) {
            left = overall.map(limit -> takeOverall(who, limit)).orElse(0L);
        }
        if (left == 0) {
            turn.bucket.take(who);
        }
        return Duration.ofNanos(left);
    }

    private long takeOverall(K who, Limit limit) {
        Turn before = overallTurns.get(who);
        Turn turn = turn(who, before, limit);
        if (!turn.equals(before)) {
            leave(overallTurns, who);
            turn.bucket.join(turn.token);
            overallTurns.put(who, turn);
        }
        long left = Math.max(0, turn.left(who));
        if (left == 0) {
            turn.bucket.take(who);
        }
        return left;
    }

    /** Returns whether its turn in its bucket has come, and only the limit of all together holds it back. */
    public synchronized boolean waitsForAll(K who) {
        return Optional.ofNullable(overallTurns.get(who)).filter(turn -> turn.left(who) > 0).isPresent();
    }

    private Turn turn(K who, @Nullable Turn before, Limit limit) {
        TokenBucket bucket = bucket(limit);
        return before != null && before.bucket.equals(bucket) && !bucket.isPast(who, before.token)
                ? before : new Turn(limit.bucket(), bucket, bucket.next());
    }

    /** By what the bucket is found in which it has its turn, or of which it has a token. */
    public synchronized Optional<Object> bucket(K who) {
        return Optional.ofNullable(turns.get(who)).map(Turn::name);
    }

    /** It is through, or need not go any more. When nobody has a turn in a bucket, turns that were not used are free again. */
    public synchronized void release(K who) {
        leave(turns, who);
        leave(overallTurns, who);
    }

    private void leave(Map<K, Turn> from, K who) {
        Turn turn = from.remove(who);
        if (turn != null) {
            turn.bucket.leave();
        }
    }

    /** Nobody will ask for the bucket again: who has a turn in it has none any more. */
    public synchronized void forget(Object bucket) {
        forgetIf(bucket::equals);
    }

    /** Nobody will ask for any other bucket again. */
    public synchronized void forgetAllBut(Collection<?> kept) {
        forgetIf(bucket -> !kept.contains(bucket));
    }

    private void forgetIf(Predicate<Object> gone) {
        buckets.keySet()
                .removeIf(bucket -> gone.test(bucket) && overall.filter(all -> all.bucket().equals(bucket)).isEmpty());
        turns.entrySet().removeIf(turn -> {
            boolean goes = gone.test(turn.getValue().name());
            if (goes) {
                leave(overallTurns, turn.getKey());
            }
            return goes;
        });
    }

    /** How many have a turn. */
    public synchronized int waiting() {
        return turns.size();
    }

    private TokenBucket bucket(Limit limit) {
        long now = ticker.getAsLong();
        TokenBucket bucket = buckets.computeIfAbsent(limit.bucket(), any -> new TokenBucket(limit, now));
        bucket.advance(limit, now);
        return bucket;
    }
}
