package io.nodeward.core.runtime.time;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Token buckets that decide when each key may do something, such as evict a pod. A key that has to wait has a turn of its own, so
 * that it need not ask before it is due. Of several buckets the one with the shortest wait counts, and loses the token. With
 * a limit of all together, one key of each bucket waits for that, and the others of the bucket wait behind it: they go in the order of
 * their turns, and no faster than the bucket allows.
 *
 * @param <K> the keys that ask
 */
public final class Pacer<K> {
    /** How late a key may ask that waits for the limit of all together. */
    private static final Duration MISSED = Duration.ofSeconds(1);
    private static final Duration LATELY = Duration.ofSeconds(10);

    private final LongSupplier ticker;
    private final Map<Object, TokenBucket> buckets = new HashMap<>();
    private final Map<K, Turn> turns = new HashMap<>();
    /** The limit of all together, besides that of each bucket. */
    private final Optional<Limit> overall;
    private final Map<K, Turn> overallTurns = new HashMap<>();
    /** The key of each bucket that waits for the limit of all together. */
    private final Map<Object, Head> heads = new HashMap<>();
    /** The keys that wait longer than their bucket asks for. */
    private final Set<K> late = new HashSet<>();
    /** The time until which each bucket counts as held back. */
    private final Map<Object, Long> heldBack = new HashMap<>();

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
     * The limit of one token bucket.
     *
     * @param bucket the name of the bucket
     * @param perSecond above 0; a change counts at once, also for keys that wait and ask again
     * @param burst how many may go at once at first; later one, and what comes in a tenth of a second, but never more than the
     *     burst
     * @param full whether it starts with the burst; else it is empty when a key first asks, as another process may have
     *     taken it
     * @param first how long the first token takes at least, from when a key first asks, if the bucket starts empty
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
     * The key of a bucket that waits for the limit of all together.
     *
     * @param token its number in the bucket
     * @param overall its turn of all together
     */
    private record Head(Object who, double token, Turn overall) {
        /** Returns whether it has missed its turn: the others do not wait for a key that asks no more. */
        boolean isGone() {
            return overall.left(who) < -MISSED.toNanos();
        }

        /** Returns the wait of a key behind this one, at the pace of the bucket, or of all together if that is slower. */
        long leftBehind(Turn turn, double distance) {
            double places = Math.max(1, turn.token - token);
            return Math.max(0, overall.left(who)) + Math.round(places * Math.max(turn.bucket.distance(), distance));
        }
    }

    /**
     * Returns how long the key has to wait; zero if it goes now, which takes a token. It keeps its turn until it is
     * {@link #release}d. The key that went last may go again without another token, while no other has gone.
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
        long longer = overall.map(limit -> leftOverall(who, turn, left, limit)).orElse(left);
        if (longer == 0 && turn.bucket.take(who, turn.token) && late.contains(who)) {
            heldBack.put(turn.name, ticker.getAsLong() + LATELY.toNanos());
        }
        return Duration.ofNanos(longer);
    }

    /** @param left how long it has to wait in its bucket */
    private long leftOverall(K who, Turn turn, long left, Limit limit) {
        double distance = bucket(limit).distance();
        heads.computeIfPresent(turn.name, (name, head) -> head.who.equals(who) || head.isGone() ? null : head);
        Optional<Head> head = Optional.ofNullable(heads.get(turn.name));
        if (head.isPresent() || left > 0) {
            leave(overallTurns, who);
        }
        long longer = head.map(before -> Math.max(left, before.leftBehind(turn, distance)))
                .orElseGet(() -> left > 0 ? left : takeOverall(who, turn, limit));
        if (longer > left) {
            late.add(who);
        }
        return longer;
    }

    private long takeOverall(K who, Turn own, Limit limit) {
        Turn before = overallTurns.get(who);
        Turn turn = turn(who, before, limit);
        if (!turn.equals(before)) {
            leave(overallTurns, who);
            turn.bucket.join(turn.token);
            overallTurns.put(who, turn);
        }
        long left = Math.max(0, turn.left(who));
        if (left == 0) {
            turn.bucket.take(who, turn.token);
            return 0;
        }
        heads.put(own.name, new Head(who, own.token, turn));
        if (left >= own.bucket.distance()) {
            heldBack.put(own.name, ticker.getAsLong() + left + LATELY.toNanos());
        }
        return left;
    }

    /** Returns whether the limit of all together has lately kept those of the bucket below its own pace. */
    public synchronized boolean isHeldBack(Object bucket) {
        return Optional.ofNullable(heldBack.get(bucket)).filter(until -> until - ticker.getAsLong() > 0).isPresent();
    }

    private Turn turn(K who, @Nullable Turn before, Limit limit) {
        TokenBucket bucket = bucket(limit);
        return before != null && before.bucket.equals(bucket) && !bucket.isPast(who, before.token)
                ? before : new Turn(limit.bucket(), bucket, bucket.next());
    }

    /** Returns the name of the bucket in which the key has its turn, or of which it has a token. */
    public synchronized Optional<Object> bucket(K who) {
        return Optional.ofNullable(turns.get(who)).map(Turn::name);
    }

    /** Gives up the turn of a key that is through, or need not go. When no key has a turn in a bucket, unused turns are free again. */
    public synchronized void release(K who) {
        Optional.ofNullable(turns.get(who)).ifPresent(turn -> heads
                .computeIfPresent(turn.name, (name, head) -> head.who.equals(who) ? null : head));
        late.remove(who);
        leave(turns, who);
        leave(overallTurns, who);
    }

    /** Releases a key that went, and did nothing: its tokens are for the next. */
    public synchronized void giveBack(K who) {
        Stream.of(turns, overallTurns).flatMap(all -> Optional.ofNullable(all.get(who)).stream())
                .forEach(turn -> turn.bucket.giveBack(who));
        release(who);
    }

    private void leave(Map<K, Turn> from, K who) {
        Turn turn = from.remove(who);
        if (turn != null) {
            turn.bucket.leave();
        }
    }

    /** Gives up all turns and tokens, and starts as a new pacer. */
    public synchronized void restart() {
        List.of(buckets, turns, overallTurns, heads, heldBack).forEach(Map::clear);
        late.clear();
        overall.ifPresent(this::bucket);
    }

    /** Forgets the bucket, with the turns in it. */
    public synchronized void forget(Object bucket) {
        forgetIf(bucket::equals);
    }

    /** Forgets all other buckets. */
    public synchronized void forgetAllBut(Collection<?> kept) {
        forgetIf(bucket -> !kept.contains(bucket));
    }

    private void forgetIf(Predicate<Object> gone) {
        buckets.keySet()
                .removeIf(bucket -> gone.test(bucket) && overall.filter(all -> all.bucket().equals(bucket)).isEmpty());
        heads.keySet().removeIf(gone);
        heldBack.keySet().removeIf(gone);
        turns.entrySet().removeIf(turn -> {
            boolean goes = gone.test(turn.getValue().name());
            if (goes) {
                leave(overallTurns, turn.getKey());
                late.remove(turn.getKey());
            }
            return goes;
        });
    }

    /** Returns how many keys have a turn. */
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
