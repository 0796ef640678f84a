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
 * Decides which rules and DeviceTaintSlices may have rules of the server, of which there may be so many in all: each gets all that
 * it needs, or no more than it has. The oldest come first, so that a new one takes nothing from another, and neither does an edited
 * one. Not safe for several threads, but for {@link #within}.
 */
final class ServerRuleLimit {
    private final int most;
    private final Map<DeviceKey, Need> needs = new HashMap<>();
    private volatile Set<DeviceKey> within = Set.of();
    private boolean decided = true;

    /** @param created when the object was */
    private record Need(DeviceKey object, Instant created, int count) {
        static final Comparator<Need> ORDER = Comparator.comparing(Need::created)
                .thenComparing(need -> need.object().kind()).thenComparing(need -> need.object().object());
    }

    /** @param most rules of the server */
    ServerRuleLimit(int most) {
        this.most = most;
    }

    /** Notes how many an object needs: none if it is gone or has no effect. */
    void need(DeviceKey object, Instant created, int count) {
        Need now = new Need(object, created, count);
        Need before = count == 0 ? needs.remove(object) : needs.put(object, now);
        decided &= count == 0 ? before == null : now.equals(before);
    }

    /** Decides anew if a need has changed; returns the objects for which it is no longer as it was. */
    Set<DeviceKey> decide() {
        if (decided) {
            return Set.of();
        }
        decided = true;
        Set<DeviceKey> before = within;
        Set<DeviceKey> now = new HashSet<>();
        int left = most;
        List<Need> sorted = needs.values().stream().sorted(Need.ORDER).toList();
        for (Need need : sorted) {
            if (need.count() <= left) {
                left -= need.count();
                now.add(need.object());
            }
        }
        within = Set.copyOf(now);
        Set<DeviceKey> changed = new HashSet<>(before);
        changed.addAll(now);
        changed.removeIf(object -> before.contains(object) && now.contains(object));
        return changed;
    }

    /** Returns the objects that may have what they need. */
    Set<DeviceKey> within() {
        return within;
    }

    TaintSource.Share share(DeviceKey object) {
        return new TaintSource.Share(
                Optional.ofNullable(needs.get(object)).map(Need::count).orElse(0), within.contains(object));
    }
}
