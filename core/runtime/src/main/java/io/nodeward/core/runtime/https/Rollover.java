package io.nodeward.core.runtime.https;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * From one key to the next without a lost call: callers get both authorities to trust, then the new key is served,
 * then the old authority is left out; each step when the one before has settled. Safe for many threads.
 */
public final class Rollover {
    /** The rollover replaces a key at once that ends so soon: waiting would lose more calls than it saves. */
    private static final Duration SOON = Duration.ofHours(1);
    /** What API servers need to see a new configuration, and to close connections, takes much less. */
    private static final Duration SETTLING = Duration.ofSeconds(10);

    private @Nullable Certified goal;
    private @Nullable ServerKey shown;
    private List<X509Certificate> trusted = List.of();
    /** Since when callers have known of {@link #trusted} and been shown {@link #shown}. */
    private @Nullable Instant since;

    /**
     * A key and who certified it.
     *
     * @param authorities whom callers must trust; empty if they do already
     */
    public record Certified(ServerKey key, List<X509Certificate> authorities) {
        public Certified {
            authorities = List.copyOf(authorities);
        }
    }

    /** What is to be shown, and who trusted, in the end. */
    public synchronized void aim(Certified next) {
        goal = next;
    }

    /** Makes the steps that can be made, and says which key is to be shown from now on; empty if there is none yet. */
    public synchronized Optional<ServerKey> step(Instant now) {
        Certified aim = goal;
        if (aim == null) {
            return Optional.empty();
        }
        ServerKey last = shown;
        if (last == null) {
            shown = aim.key();
            trust(aim.authorities());
        } else if (!trusted.containsAll(aim.authorities())) {
            trust(both(trusted, aim.authorities()));
        } else if (!last.chain().equals(aim.key().chain())) {
            if (isSettled(now) || isUnusable(last, now)) {
                shown = aim.key();
                since = now;
            }
        } else if (!same(trusted, aim.authorities()) && isSettled(now)) {
            trust(aim.authorities());
        }
        return Optional.ofNullable(shown);
    }

    /** The authorities that callers have to trust now. */
    public synchronized List<X509Certificate> trusted() {
        return trusted;
    }

    /** Callers have got these authorities. */
    public synchronized void told(List<X509Certificate> authorities, Instant now) {
        if (since == null && authorities.equals(trusted)) {
            since = now;
        }
    }

    /** Whether there is no step to make, and the last one has settled. */
    public synchronized boolean isThere(Instant now) {
        return isAtGoal() && isSettled(now);
    }

    /** Whether the key that is shown must be replaced, settled or not. */
    public synchronized boolean isUrgent(Instant now) {
        return shown != null && isUnusable(shown, now);
    }

    /** How long until the last step has settled; empty if it has, or callers have not got it yet. */
    public synchronized Optional<Duration> left(Instant now) {
        Instant from = since(now);
        if (from == null || isSettled(now) && isAtGoal()) {
            return Optional.empty();
        }
        Duration left = Duration.between(now, from.plus(SETTLING));
        return Optional.of(left.isNegative() ? Duration.ZERO : left);
    }

    private boolean isAtGoal() {
        return goal != null && shown != null
                && shown.chain().equals(goal.key().chain()) && same(trusted, goal.authorities());
    }

    private void trust(List<X509Certificate> authorities) {
        trusted = authorities;
        since = null;
    }

    private boolean isSettled(Instant now) {
        Instant from = since(now);
        return from != null && !now.isBefore(from.plus(SETTLING));
    }

    /** Returns since when callers have known. If the clock was set back, the time begins anew. */
    private @Nullable Instant since(Instant now) {
        since = since != null && since.isAfter(now) ? now : since;
        return since;
    }

    private static boolean isUnusable(ServerKey key, Instant now) {
        return key.isEarly(now) || key.expires().isBefore(now.plus(SOON));
    }

    private static boolean same(List<X509Certificate> some, List<X509Certificate> others) {
        return new HashSet<>(some).equals(new HashSet<>(others));
    }

    private static List<X509Certificate> both(List<X509Certificate> some, List<X509Certificate> others) {
        List<X509Certificate> both = new ArrayList<>(some);
        others.stream().filter(other -> !some.contains(other)).forEach(both::add);
        return List.copyOf(both);
    }
}
