package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.Eviction.Cause;
import io.nodeward.core.runtime.time.Pacer.Limit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules that evict pods now, as their reconciler has decided it, and how many each has evicted. Each time that a rule is
 * deleted or declares something else, it evicts nobody until it is decided on anew.
 */
final class EvictingRules {
    private static final int BURST = 10;

    private final DeviceCaches caches;
    private final Map<String, Acting> acting = new ConcurrentHashMap<>();
    private final Map<String, Progress> progress = new ConcurrentHashMap<>();
    private final List<Consumer<Set<ObjectKey>>> listeners = new CopyOnWriteArrayList<>();

    /** @param devices that claims have and the rule selects */
    record Acting(String uid, DeviceTaintRule declared, Set<DeviceName> devices) {}

    /**
     * Of one rule, since the start of the process.
     *
     * @param first whether no process has evicted for it before, so that its burst is left
     */
    private record Progress(String uid, boolean first, long evicted) {}

    EvictingRules(DeviceCaches caches) {
        this.caches = caches;
    }

    /** Told of the pods that use devices of a rule, whenever it is decided that it evicts. */
    void whenActing(Consumer<Set<ObjectKey>> listener) {
        listeners.add(listener);
    }

    /** The status is about to say that the rule evicts; before that is seen, it does not. */
    void announce(CustomResource<DeviceTaintRule> rule, boolean first) {
        String uid = rule.metadata().uid();
        progress.compute(rule.key().name(), (name, before) -> before != null && before.uid().equals(uid)
                ? before : new Progress(uid, first, 0));
    }

    /** It evicts from now on, and who uses these devices. */
    void act(CustomResource<DeviceTaintRule> rule, Set<DeviceName> devices) {
        acting.put(rule.key().name(), new Acting(rule.metadata().uid(), rule.spec(), Set.copyOf(devices)));
        Set<ObjectKey> pods = claims(devices).flatMap(claim -> claim.reservedFor().stream()
                .map(pod -> new ObjectKey(claim.key().namespace(), pod.name()))).collect(Collectors.toSet());
        listeners.forEach(listener -> listener.accept(pods));
    }

    /** Those that have one of the devices. */
    Stream<ResourceClaim> claims(Collection<DeviceName> devices) {
        return devices.stream().flatMap(device -> caches.claims(device).stream());
    }

    void stop(String rule) {
        acting.remove(rule);
    }

    /** There is no such rule. Returns its bucket. */
    Optional<Object> forget(String rule) {
        stop(rule);
        return Optional.ofNullable(progress.remove(rule)).map(Progress::uid);
    }

    /** Those that evict who uses the device, at this moment. */
    Map<String, DeviceTaintRule> of(DeviceName device) {
        Map<String, DeviceTaintRule> all = new HashMap<>();
        acting.forEach((name, rule) -> {
            if (rule.devices().contains(device) && isCurrent(name, rule)) {
                all.put(name, rule.declared());
            }
        });
        return all;
    }

    private boolean isCurrent(String name, Acting rule) {
        return caches.rules().get(ObjectKey.clusterScoped(name))
                .filter(found -> found.metadata().uid().equals(rule.uid()) && found.spec().equals(rule.declared())
                        && !found.metadata().deleting())
                .isPresent();
    }

    /** Of the rules that a pod has to go for. */
    List<Limit> limits(List<Cause> causes) {
        Map<String, Limit> limits = new HashMap<>();
        causes.forEach(cause -> Optional.ofNullable(acting.get(cause.rule())).ifPresent(rule -> limits.put(rule.uid(),
                new Limit(rule.uid(), cause.taint().evictionsPerSecond(), BURST, isFirst(cause.rule(), rule.uid())))));
        return List.copyOf(limits.values());
    }

    private boolean isFirst(String name, String uid) {
        return progress(name, uid).filter(Progress::first).isPresent();
    }

    void evicted(List<Cause> causes) {
        causes.stream().map(Cause::rule).distinct().forEach(name -> progress.computeIfPresent(name,
                (any, rule) -> new Progress(rule.uid(), rule.first(), rule.evicted() + 1)));
    }

    /** How many pods the rule has evicted since the start of the process. */
    long evicted(CustomResource<DeviceTaintRule> rule) {
        return progress(rule.key().name(), rule.metadata().uid()).map(Progress::evicted).orElse(0L);
    }

    private Optional<Progress> progress(String name, String uid) {
        return Optional.ofNullable(progress.get(name)).filter(found -> found.uid().equals(uid));
    }
}
