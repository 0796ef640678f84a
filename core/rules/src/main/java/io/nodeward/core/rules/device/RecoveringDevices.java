package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.core.rules.preview.Sample;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The devices that a rule with {@code untaintAfter} no longer selects, and that the server's rules still keep from new pods. No pod is
 * evicted for them. An edit of the rule ends this at once.
 *
 * @param spec of the rule; the time of its taint does not matter
 * @param wanted the names of the server's rules that stand, or are to stand, for devices that the spec selects
 * @param kept the server's rules that stand for devices that it no longer selects, by their names
 */
public record RecoveringDevices(DeviceTaintRule spec, Set<String> wanted, Map<String, Kept> kept) {
    /** @param since when the rule was first seen not to select its device, in nanoseconds since any one moment */
    record Kept(ServerRule rule, long since) {}

    /** Copies what is given. */
    public RecoveringDevices {
        wanted = Set.copyOf(wanted);
        kept = Map.copyOf(kept);
    }

    /**
     * Returns what is known of a rule after a restart.
     *
     * @param standing the server's rules that are known to stand for this spec; none if some may stand for an earlier one
     */
    public static RecoveringDevices start(
            DeviceTaintRule rule, Collection<CustomResource<DeviceTaintRule>> standing) {
        return new RecoveringDevices(rule.timeless(),
                standing.stream().map(found -> found.key().name()).collect(Collectors.toSet()), Map.of());
    }

    /**
     * Returns what is known once the rule selects these devices.
     *
     * @param rule without a fault
     * @param source of the rule
     * @param owned the server's rules that it owns
     * @param nanos since any one moment
     */
    public RecoveringDevices next(
            DeviceTaintRule rule, TaintSource source, Collection<CustomResource<DeviceTaintRule>> owned, long nanos) {
        Map<String, Kept> still = new HashMap<>();
        if (rule.timeless().equals(spec) && !source.object().metadata().deleting()) {
            Set<String> before = new HashSet<>(wanted);
            before.addAll(kept.keySet());
            before.removeAll(source.serverRules().keySet());
            owned.stream().filter(found -> before.contains(found.key().name()) && !found.metadata().deleting())
                    .forEach(found -> standing(rule, source, found).ifPresent(server -> still.put(server.name(),
                            new Kept(server, Optional.ofNullable(kept.get(server.name())).map(Kept::since)
                                    .orElse(nanos)))));
            still.values().removeIf(server -> !left(server, nanos).isPositive());
        }
        return new RecoveringDevices(rule.timeless(), source.serverRules().keySet(), still);
    }

    /** Returns the server's rule for the device of an object; empty if another client has edited the object. */
    private static Optional<ServerRule> standing(
            DeviceTaintRule rule, TaintSource source, CustomResource<DeviceTaintRule> found) {
        List<DeviceName> device = found.spec().selector().map(DeviceTaintSelector::name).stream().toList();
        return ServerRule.all(source.object().metadata().uid(), source.object().key().name(), rule, device).stream()
                .filter(server -> server.name().equals(found.key().name())).findFirst();
    }

    private Duration left(Kept server, long nanos) {
        return spec.untaintDelay().orElse(Duration.ZERO).minusNanos(nanos - server.since());
    }

    /** Returns the server's rules that are to stay for now. */
    public List<ServerRule> serverRules() {
        return kept.values().stream().map(Kept::rule).toList();
    }

    /** Returns the names of the devices that these stand for. */
    public Sample sample() {
        return Sample.of(kept.values().stream().map(server -> server.rule().selector().name().toString()).toList());
    }

    /** Returns when the first device is to lose its taint; empty if none is kept. */
    public Optional<Duration> left(long nanos) {
        return kept.values().stream().map(server -> left(server, nanos)).min(Duration::compareTo);
    }
}
