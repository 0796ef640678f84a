package io.nodeward.core.runtime.time;

import io.nodeward.core.runtime.time.Pacer.Limit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One bucket of a {@link Pacer}. Tokens have numbers, so that a number stands for a time at whatever rate they come. The burst is there
 * once. After it the bucket keeps one token, and those that come in the tenth of a second in which the next key may ask late, so that a
 * late question takes nothing from the rate. The rest are lost, and all who wait go later by as much.
 */
final class TokenBucket {
    private static final double SECOND = Duration.ofSeconds(1).toNanos();
    /** So late may be who has a turn. */
    private static final double LATE = Duration.ofMillis(100).toNanos();

    private int burst;
    /** Nanoseconds from token to token. */
    private double distance;
    private long at;
    /** How many tokens have come since somebody first asked, without the lost ones: those below this number, and parts of the next. */
    private double come;
    /** The number of the token that went last. */
    private double taken;
    /** How many are left of those with which it started. */
    private double first;
    /** The last number that was given to somebody. */
    private double given;
    private int turns;
    private @Nullable Object last;

    /** @param now nanoseconds since any one moment */
    TokenBucket(Limit limit, long now) {
        burst = limit.burst();
        distance = SECOND / limit.perSecond();
        at = now;
        first = limit.full() ? burst : 0;
        taken = limit.full() ? -first : Math.max(0, limit.first().toNanos() / distance - 1);
        given = taken;
    }

    void advance(Limit limit, long now) {
        come += (now - at) / distance;
        at = now;
        distance = SECOND / limit.perSecond();
        burst = limit.burst();
    }

    double distance() {
        return distance;
    }

    /** The number for one more. */
    double next() {
        return Math.max(given, taken) + 1;
    }

    private boolean isFree(Object who) {
        return who.equals(last) || nanos(taken + 1) <= 0;
    }

    /** Whether its turn has passed, and somebody else has the token: all whose turns have passed do not ask together. */
    boolean isPast(Object who, double token) {
        return come - token >= 1 && !isFree(who);
    }

    /** Nanoseconds; not above 0 if it goes now. */
    long left(Object who, double token) {
        return nanos(isFree(who) ? token : Math.max(token, taken + 1));
    }

    /** Until the token comes. */
    private long nanos(double token) {
        return Math.round((token - come) * distance);
    }

    void join(double token) {
        given = token;
        turns++;
    }

    void leave() {
        if (--turns == 0) {
            given = taken;
        }
    }

    /**
     * It goes now. What came before its own token and was not taken is lost, and so is what came too long after it.
     *
     * @return whether any came too long after it
     */
    boolean take(Object who, double token) {
        int again = who.equals(last) ? 1 : 0;
        taken = Math.max(taken + 1 - again, token);
        double latest = taken + Math.max(first + again, kept()) - 1;
        boolean lost = come > latest;
        come = Math.min(come, latest);
        first = Math.clamp(come - taken, 0, first);
        last = who;
        return lost;
    }

    /** It has not gone: the next goes in its place, and it needs another token. */
    void giveBack(Object who) {
        come++;
        first = Math.min(burst, first + 1);
        last = who.equals(last) ? null : last;
    }

    private double kept() {
        return Math.clamp(1 + LATE / distance, 1, burst);
    }
}
