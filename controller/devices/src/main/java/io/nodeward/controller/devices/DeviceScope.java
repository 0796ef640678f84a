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
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.Pools;
import io.nodeward.core.rules.device.ProjectionLimit;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.device.ServerRule;
import io.nodeward.core.rules.device.TaintedDevices;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import java.time.Instant;
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
    private final ProjectionLimit limit;
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
    /** Rules of whose status something may have changed, and devices whose rules are such. */
    private final Set<String> changedRules = new HashSet<>();
    private final Set<DeviceName> changedDevices = new HashSet<>();
    /** Whether all has been seen; written by who settles. */
    private volatile boolean begun;
    private final ReentrantLock settling = new ReentrantLock();
    private final List<Consumer<DeviceScope>> unsettledListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Set<String>>> changedListeners = new CopyOnWriteArrayList<>();

    /** A rule as its devices were matched. */
    private record Rule(DeviceTaintRule declared, List<FieldFault> faults) {}

    /** Of a pod, what decides whether it would be evicted. */
    private record PodState(String uid, String nodeName, boolean deleting, boolean finished) {
        static PodState of(Pod pod) {
            return new PodState(
                    pod.metadata().uid(), pod.nodeName(), pod.metadata().deleting(), pod.isFinished());
        }
    }

    /**
     * Needs nothing but what is given.
     *
     * @param most devices that all rules together select
     * @param limit of the server's rules that stand for rules
     */
    DeviceScope(DeviceCaches caches, DeviceExpressions expressions, long most, ProjectionLimit limit) {
        this.caches = caches;
        this.limit = limit;
        this.expressions = expressions;
        this.tainted = new TaintedDevices<>(expressions::match, most);
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
        if (MapFunction.differs(before, after, PodState::of)) {
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

    /** The rules that may have rules of the server; for any thread. */
    Set<String> granted() {
        return limit.within();
    }

    long evaluations() {
        return expressions.evaluations();
    }

    DeviceCaches caches() {
        return caches;
    }

    /** @throws RuntimeException the first failure, after all else has been settled; what has failed is tried again */
    void settle() {
        settling.lock();
        try {
            settleAll().ifPresent(failure -> {
                throw failure;
            });
        } finally {
            settling.unlock();
        }
    }

    /** Says something of what the caches hold now; it waits for others who do the same. What fails is thrown by {@link #settle}. */
    <T> T settled(Supplier<T> how) {
        settling.lock();
        try {
            settleAll();
            return how.get();
        } finally {
            settling.unlock();
        }
    }

    /** First what has changed is noted, kind by kind, then all of it is evaluated together. */
    private Optional<RuntimeException> settleAll() {
        begin();
        List<Optional<RuntimeException>> failures = List.of(
                classes.settle(this::settleClass),
                rules.settle(this::settleRule),
                claims.settle(this::settleClaim), // before slices: a device whose slice goes is kept if a claim has it
                slices.settle(this::settleSlice),
                pods.settle(this::settlePod));
        changedRules.addAll(tainted.evaluate());
        changedDevices.forEach(device -> changedRules.addAll(tainted.rules(device)));
        changedRules.forEach(this::need);
        changedRules.addAll(limit.decide());
        Set<String> changed = Set.copyOf(changedRules);
        changedRules.clear();
        changedDevices.clear();
        if (!changed.isEmpty()) {
            changedListeners.forEach(listener -> listener.accept(changed));
        }
        return failures.stream().flatMap(Optional::stream).findFirst();
    }

    private void need(String name) {
        Optional<DeviceTaintRule> acting = Optional.ofNullable(known.get(name)).filter(rule -> rule.faults().isEmpty())
                .map(Rule::declared).filter(rule -> rule.taint().keepsPodsOff() && tainted.tooMany(name).isEmpty());
        limit.need(name, acting.flatMap(rule -> rule.taint().timeAdded()).orElse(Instant.MAX),
                acting.map(rule -> ServerRule.count(rule, () -> selected(name).size())).orElse(0));
    }

    private Set<DeviceName> selected(String rule) {
        Set<DeviceName> selected = new HashSet<>();
        tainted.forEachDevice(rule, (name, answer) -> {
            if (answer.match().equals(DeviceMatch.YES)) {
                selected.add(name);
            }
        });
        return selected;
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
        tainted.deviceClass(key.name(), caches.classes().get(key).map(DeviceClass::expressions));
    }

    /** A rule that has a fault selects nothing. */
    private void settleRule(ObjectKey key) {
        Optional<Rule> rule = caches.rules().get(key).map(CustomResource::spec)
                .map(declared -> new Rule(declared, RuleFaults.of(declared, expressions::compileError)));
        rule.ifPresentOrElse(now -> known.put(key.name(), now), () -> known.remove(key.name()));
        Optional<DeviceTaintSelector> selector =
                rule.filter(now -> now.faults().isEmpty()).flatMap(now -> now.declared().selector());
        tainted.rule(key.name(), selector);
        changedRules.add(key.name());
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
        changedDevices.addAll(before);
        changedDevices.addAll(now);
        now.stream().filter(device -> !before.contains(device)
                && claimsOfDevice.merge(device, 1, Integer::sum) == 1).forEach(tainted::allocated);
        before.stream().filter(device -> !now.contains(device)
                && claimsOfDevice.computeIfPresent(device, (any, all) -> all == 1 ? null : all - 1) == null)
                .forEach(tainted::released);
    }

    private void settleSlice(ObjectKey key) {
        Optional.ofNullable(previous.get(key)).ifPresent(before -> {
            published(key, Optional.of(before));
            previous.remove(key, before); // unless there has been another since
        });
        published(key, caches.slices().get(key));
    }

    private void published(ObjectKey key, Optional<ResourceSlice> slice) {
        tainted.devices(pools.slice(key.name(), slice.map(Pools.Slice::of)));
    }

    private void settlePod(String uid) {
        caches.claims().find(DeviceCaches.OF_POD, uid).stream().flatMap(claim -> claim.allocated().stream())
                .map(ResourceClaim.Allocated::device).forEach(changedDevices::add);
    }

    /** What is known of a rule that declares this; empty if the rule was another when its devices were matched. */
    Optional<RuleMatch> match(String name, DeviceTaintRule declared) {
        return settled(() -> Optional.ofNullable(known.get(name)).filter(rule -> rule.declared().equals(declared))
                .map(rule -> match(name, rule)));
    }

    private RuleMatch match(String name, Rule rule) {
        return new RuleMatch(rule.faults(), tainted.missingClass(name), tainted.tooMany(name),
                DevicePreview.of(rule.declared().taint(), each -> tainted.forEachDevice(name, each), caches::claims,
                        caches.pods()::get),
                projected(name));
    }

    private RuleMatch.Projected projected(String name) {
        boolean granted = limit.isWithin(name);
        return new RuleMatch.Projected(limit.needed(name), granted, granted ? selected(name) : Set.of());
    }
}
