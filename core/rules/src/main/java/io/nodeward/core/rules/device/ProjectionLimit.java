package io.nodeward.core.rules.device;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which rules may have rules of the server, of which there may be so many in all: a rule gets all that it needs, or no more
 * than it has. The oldest come first, so that a new rule takes nothing from another, and neither does an edited one. Not safe for
 * several threads, but for {@link #within}.
 */
public final class ProjectionLimit {
    private final int most;
    private final Map<String, Need> needs = new HashMap<>();
    private volatile Set<String> within = Set.of();
    private boolean decided = true;

    /** @param created when the rule was */
    private record Need(String rule, Instant created, int count) {
        static final Comparator<Need> ORDER = Comparator.comparing(Need::created).thenComparing(Need::rule);
    }

    /** @param most rules of the server */
    public ProjectionLimit(int most) {
        this.most = most;
    }

    /** A rule needs so many; none if it is gone or has no effect. */
    public void need(String rule, Instant created, int count) {
        Need now = new Need(rule, created, count);
        Need before = count == 0 ? needs.remove(rule) : needs.put(rule, now);
        decided &= count == 0 ? before == null : now.equals(before);
    }

    /** Decides anew if a need has changed; returns the rules for which it is no longer as it was. */
    public Set<String> decide() {
        if (decided) {
            return Set.of();
        }
        decided = true;
        Set<String> before = within;
        Set<String> now = new HashSet<>();
        int left = most;
        List<Need> sorted = needs.values().stream().sorted(Need.ORDER).toList();
        for (Need need : sorted) {
            if (need.count() <= left) {
                left -= need.count();
                now.add(need.rule());
            }
        }
        within = Set.copyOf(now);
        Set<String> changed = new HashSet<>(before);
        changed.addAll(now);
        changed.removeIf(rule -> before.contains(rule) && now.contains(rule));
        return changed;
    }

    /** The rules that may have what they need. */
    public Set<String> within() {
        return within;
    }

    /** Whether the rule may have what it needs. */
    public boolean isWithin(String rule) {
        return within.contains(rule);
    }

    /** How many the rule needs. */
    public int needed(String rule) {
        return Optional.ofNullable(needs.get(rule)).map(Need::count).orElse(0);
    }
}
