package io.nodeward.core.rules.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.core.rules.preview.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
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
 * @param wanted the names of the server's rules that were wanted last; after a restart, of those that stood
 * @param kept the server's rules that stand for devices that the rule no longer selects, by their names
 * @param settled whether no rule of the server is left of an earlier spec, so that all that stand after a restart are of this one
 */
public record RecoveringDevices(DeviceTaintRule spec, Set<String> wanted, Map<String, Kept> kept, boolean settled) {
    /** The field of the status that shows the devices. */
    public static final String FIELD = "recovering";
    private static final String GENERATION = "observedGeneration";

    /** @param since when the rule was first seen not to select the device, in nanoseconds since any one moment */
    record Kept(ServerRule rule, long since) {}

    /** Copies what is given. */
    public RecoveringDevices {
        wanted = Set.copyOf(wanted);
        kept = Map.copyOf(kept);
    }

    /**
     * Returns what is known of a rule after a restart. The server's rules prove which devices had the taint, if the
     * status says that none is left of an earlier spec.
     *
     * @param status of the rule
     * @param owned the server's rules that it owns
     */
    public static RecoveringDevices start(
            CustomResource<?> object, DeviceTaintRule rule, Tree status,
            Collection<CustomResource<DeviceTaintRule>> owned) {
        boolean settled = status.at(FIELD).at(GENERATION).integer().orElse(-1) == object.generation();
        return new RecoveringDevices(rule.timeless(), settled ? standing(owned) : Set.of(), Map.of(), settled);
    }

    private static Set<String> standing(Collection<CustomResource<DeviceTaintRule>> owned) {
        return owned.stream().filter(found -> !found.metadata().deleting()).map(found -> found.key().name())
                .collect(Collectors.toSet());
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
            DeviceTaintRule rule, TaintSource source, Collection<CustomResource<DeviceTaintRule>> owned, Instant now,
            long nanos) {
        boolean same = rule.timeless().equals(spec);
        Map<String, Kept> still = new HashMap<>();
        Set<String> names = source.serverRules().keySet();
        if (same && !source.object().metadata().deleting()) {
            owned.stream().filter(found -> isCandidate(found, names))
                    .forEach(found -> of(rule, source, found, now).map(server -> new Kept(server, since(server, nanos)))
                            .filter(server -> left(server, nanos).isPositive())
                            .ifPresent(server -> still.put(server.rule().name(), server)));
        }
        Set<String> left = new HashSet<>(standing(owned));
        left.removeAll(names);
        left.removeAll(still.keySet());
        return new RecoveringDevices(rule.timeless(), names, still, same && settled || left.isEmpty());
    }

    private boolean isCandidate(CustomResource<DeviceTaintRule> found, Set<String> now) {
        String name = found.key().name();
        return (wanted.contains(name) || kept.containsKey(name)) && !now.contains(name)
                && !found.metadata().deleting();
    }

    /** Returns the server's rule for the device of an object; empty if the object says something else. */
    private static Optional<ServerRule> of(
            DeviceTaintRule rule, TaintSource source, CustomResource<DeviceTaintRule> found, Instant now) {
        String uid = source.object().metadata().uid();
        return ServerRule.all(uid, source.object().key().name(), rule,
                found.spec().selector().map(DeviceTaintSelector::name).stream().toList()).stream()
                .filter(server -> server.name().equals(found.key().name()) && server.is(found, uid, now)).findFirst();
    }

    private long since(ServerRule server, long nanos) {
        return Optional.ofNullable(kept.get(server.name())).map(Kept::since).orElse(nanos);
    }

    private Duration left(Kept server, long nanos) {
        return spec.untaintDelay().orElse(Duration.ZERO).minusNanos(nanos - server.since());
    }

    /** Returns the names of the server's rules that are to stay for now; first those that have stayed longest. */
    public List<String> names() {
        return kept.values().stream()
                .sorted(Comparator.comparingLong(Kept::since).thenComparing(server -> server.rule().name()))
                .map(server -> server.rule().name()).toList();
    }

    /**
     * Returns the field of the status.
     *
     * @param generation of the rule
     */
    public Tree tree(long generation) {
        Sample devices = Sample.of(
                kept.values().stream().map(server -> server.rule().selector().name().toString()).toList());
        Map<String, Object> fields = new HashMap<>(Map.of("count", devices.count(), "names", devices.names()));
        if (settled) {
            fields.put(GENERATION, generation);
        }
        return Tree.of(fields);
    }

    /** Returns when the first device is to lose its taint; empty if none is kept. */
    public Optional<Duration> left(long nanos) {
        return kept.values().stream().map(server -> left(server, nanos)).min(Duration::compareTo);
    }
}
