package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.Pools;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.device.TaintedDevices;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of devices and rules, from caches alone. What has changed is remembered while its cache is locked, and worked
 * off later, by one thread at a time: an expression may take long.
 */
final class DeviceScope {
    private final DeviceCaches caches;
    private final DeviceExpressions expressions;
    private final Pools<DeviceFacts> pools = new Pools<>();
    private final TaintedDevices<DeviceFacts> tainted;
    private final Map<String, Rule> known = new HashMap<>();
    private final Map<ObjectKey, Set<DeviceName>> devicesOfClaim = new HashMap<>();
    private final Map<DeviceName, Integer> claimsOfDevice = new HashMap<>();
    private final Unsettled<ObjectKey> rules = new Unsettled<>();
    private final Unsettled<ObjectKey> classes = new Unsettled<>();
    private final Unsettled<ObjectKey> slices = new Unsettled<>();
    /** Of slices that have changed since, what they published before: a device that is gone is as it was last. */
    private final Map<ObjectKey, ResourceSlice> previous = new ConcurrentHashMap<>();
    private final Unsettled<ObjectKey> claims = new Unsettled<>();
    /** Their UIDs. */
    private final Unsettled<String> pods = new Unsettled<>();
    /** Whether all has been seen; written by who settles. */
    private volatile boolean begun;
    private final ReentrantLock settling = new ReentrantLock();
    private final List<Consumer<DeviceScope>> unsettledListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Set<String>>> changedListeners = new CopyOnWriteArrayList<>();

    /** A rule as its devices were matched. */
    private record Rule(DeviceTaintRule declared, List<FieldFault> faults) {}

    /** Of a pod, what decides whether it would be evicted. */
    private record Standing(String uid, String nodeName, boolean deleting, boolean finished) {
        static Standing of(Pod pod) {
            return new Standing(
                    pod.metadata().uid(), pod.nodeName(), pod.metadata().deleting(), pod.isFinished());
        }
    }

    DeviceScope(DeviceCaches caches, DeviceExpressions expressions) {
        this.caches = caches;
        this.expressions = expressions;
        this.tainted = new TaintedDevices<>(expressions::match);
        caches.rules().subscribe((before, after) -> MapFunction.declared(before, after).forEach(
                key -> heard(rules, key)));
        caches.classes().subscribe((before, after) -> {
            if (MapFunction.differs(before, after, DeviceClass::expressions)) {
                heard(classes, MapFunction.latest(before, after).key());
            }
        });
        caches.slices().subscribe((before, after) -> {
            if (before != null && begun) {
                previous.put(before.key(), before);
            }
            heard(slices, MapFunction.latest(before, after).key());
        });
        caches.claims().subscribe((before, after) -> {
            if (MapFunction.differs(before, after, claim -> List.of(claim.allocated(), claim.reservedFor()))) {
                heard(claims, MapFunction.latest(before, after).key());
            }
        });
        caches.pods().subscribe(this::heardOfPod);
    }

    /** A claim that comes to name the pod later is itself a change. */
    private void heardOfPod(@Nullable Pod before, @Nullable Pod after) {
        if (MapFunction.differs(before, after, Standing::of)) {
            MapFunction.both(before, after).map(pod -> pod.metadata().uid()).distinct()
                    .filter(uid -> caches.claims().has(DeviceCaches.OF_POD, uid)).forEach(uid -> heard(pods, uid));
        }
    }

    /** What changes before all has been seen is not remembered: it may last, and all is looked at then. */
    private <K> void heard(Unsettled<K> kind, K key) {
        if (begun) {
            kind.add(key);
        }
        unsettledListeners.forEach(listener -> listener.accept(this));
    }

    /** Told now, and whenever there is something to {@link #settle}. */
    void whenUnsettled(Consumer<DeviceScope> listener) {
        unsettledListeners.add(listener);
        listener.accept(this);
    }

    /** Told of rules of whose status something may have changed. */
    void whenChanged(Consumer<Set<String>> listener) {
        changedListeners.add(listener);
    }

    long evaluations() {
        return expressions.evaluations();
    }

    DeviceCaches caches() {
        return caches;
    }

    void settle() {
        settled(() -> true);
    }

    /** Says something of what the caches hold now; it waits for others who do the same. */
    <T> T settled(Supplier<T> how) {
        settling.lock();
        try {
            begin();
            classes.settle(this::settleClass);
            rules.settle(this::settleRule);
            claims.settle(this::settleClaim); // before slices: a device whose slice goes is kept if a claim has it
            slices.settle(this::settleSlice);
            pods.settle(this::settlePod);
            return how.get();
        } finally {
            settling.unlock();
        }
    }

    private void begin() {
        if (!begun && caches.unseen().isEmpty()) {
            begun = true; // before caches are read: a change from here on is remembered
            addAll(classes, caches.classes());
            addAll(rules, caches.rules());
            addAll(claims, caches.claims());
            addAll(slices, caches.slices());
        }
    }

    private static void addAll(Unsettled<ObjectKey> kind, ObjectCache<?> cache) {
        cache.all().forEach(object -> kind.add(object.key()));
    }

    private void settleClass(ObjectKey key) {
        changed(tainted.deviceClass(key.name(), caches.classes().get(key).map(DeviceClass::expressions)));
    }

    /** A rule that has a fault selects nothing. */
    private void settleRule(ObjectKey key) {
        Optional<Rule> rule = caches.rules().get(key).map(CustomResource::spec)
                .map(declared -> new Rule(declared, RuleFaults.of(declared, expressions::compileError)));
        rule.ifPresentOrElse(now -> known.put(key.name(), now), () -> known.remove(key.name()));
        Optional<DeviceTaintSelector> selector =
                rule.filter(now -> now.faults().isEmpty()).flatMap(now -> now.declared().selector());
        tainted.rule(key.name(), selector);
        changed(Set.of(key.name()));
    }

    private void settleClaim(ObjectKey key) {
        Set<DeviceName> now = caches.claims().get(key).stream().flatMap(claim -> claim.allocated().stream())
                .map(ResourceClaim.Allocated::device).collect(Collectors.toSet());
        Set<DeviceName> before = devicesOfClaim.getOrDefault(key, Set.of());
        if (now.isEmpty()) {
            devicesOfClaim.remove(key);
        } else {
            devicesOfClaim.put(key, now);
        }
        Set<String> changed = new HashSet<>();
        for (DeviceName device : now) {
            if (!before.contains(device) && claimsOfDevice.merge(device, 1, Integer::sum) == 1) {
                changed.addAll(tainted.allocated(device));
            }
        }
        Stream.concat(before.stream(), now.stream()).forEach(device -> changed.addAll(tainted.rules(device).keySet()));
        for (DeviceName device : before) {
            if (!now.contains(device)
                    && claimsOfDevice.computeIfPresent(device, (any, all) -> all == 1 ? null : all - 1) == null) {
                changed.addAll(tainted.released(device));
            }
        }
        changed(changed);
    }

    private void settleSlice(ObjectKey key) {
        Optional.ofNullable(previous.remove(key)).ifPresent(before -> published(key, Optional.of(before)));
        published(key, caches.slices().get(key));
    }

    private void published(ObjectKey key, Optional<ResourceSlice> slice) {
        changed(tainted.devices(pools.slice(key.name(), slice.map(Pools.Slice::of))));
    }

    private void settlePod(String uid) {
        changed(caches.claims().find(DeviceCaches.OF_POD, uid).stream()
                .flatMap(claim -> claim.allocated().stream())
                .flatMap(each -> tainted.rules(each.device()).keySet().stream()).collect(Collectors.toSet()));
    }

    private void changed(Set<String> changed) {
        if (!changed.isEmpty()) {
            changedListeners.forEach(listener -> listener.accept(changed));
        }
    }

    /** What is known of a rule that declares this; empty if the rule was another when its devices were matched. */
    Optional<RuleMatch> match(String name, DeviceTaintRule declared) {
        return settled(() -> Optional.ofNullable(known.get(name)).filter(rule -> rule.declared().equals(declared))
                .map(rule -> match(name, rule)));
    }

    private RuleMatch match(String name, Rule rule) {
        Map<DeviceName, TaintedDevices.Answer> devices = tainted.devices(name);
        return new RuleMatch(rule.faults(), tainted.missingClass(name), devices,
                DevicePreview.of(rule.declared().taint(), devices, caches::claims, caches.pods()::get));
    }
}
