package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.Pools;
import io.nodeward.core.rules.device.ProjectionLimit;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.device.ServerRule;
import io.nodeward.core.rules.device.TaintedDevices;
import io.nodeward.core.rules.validation.FieldFault;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is known of devices and rules, from caches alone. What has changed is worked off later, by one thread at a time: an
 * expression may take long. Nothing is said of a rule before all its devices have been asked.
 */
final class DeviceScope {
    /** So long at most, and one expression more, somebody waits for another who settles. */
    static final Duration SLICE = Duration.ofMillis(100);

    private final DeviceCaches caches;
    private final DeviceChanges changes;
    private final DeviceExpressions expressions;
    private final LongSupplier ticker;
    private final Pools<DeviceFacts> pools;
    private final TaintedDevices<DeviceFacts> tainted;
    private final ProjectionLimit limit;
    private final TaintSlices taintSlices;
    private final Map<String, Rule> known = new HashMap<>();
    private final Map<ObjectKey, Set<DeviceName>> devicesOfClaim = new HashMap<>();
    /** Rules of whose status something may have changed, and devices whose rules are such. */
    private final Set<String> changedRules = new HashSet<>();
    private final Set<DeviceName> changedDevices = new HashSet<>();
    /** Whether something could not be settled without which devices or pods may be missing. */
    private boolean failed;
    /** Fair, so that whoever settles slice by slice lets others in between. */
    private final ReentrantLock settling = new ReentrantLock(true);
    private final List<Consumer<Set<String>>> changedListeners = new CopyOnWriteArrayList<>();

    /** A rule as its devices were matched. */
    private record Rule(DeviceTaintRule declared, Instant created, List<FieldFault> faults) {}

    /**
     * Needs nothing but what is given.
     *
     * @param limit of the server's rules that stand for rules
     * @param ticker nanoseconds since any one moment
     */
    DeviceScope(DeviceCaches caches, DeviceExpressions expressions, ProjectionLimit limit, LongSupplier ticker) {
        this.caches = caches;
        this.changes = new DeviceChanges(caches);
        this.pools = new Pools<>(caches.slices()::charge);
        this.limit = limit;
        this.taintSlices = new TaintSlices(caches, limit);
        this.expressions = expressions;
        this.ticker = ticker;
        this.tainted = new TaintedDevices<>(expressions::match);
    }

    /** Told now, and whenever there is something to {@link #settle}. */
    void whenUnsettled(Consumer<DeviceScope> listener) {
        changes.whenChanged(() -> listener.accept(this));
        listener.accept(this);
    }

    /** Told of rules of whose status something may have changed. */
    void whenChanged(Consumer<Set<String>> listener) {
        changedListeners.add(listener);
    }

    /** The rules that may have rules of the server; for any thread. */
    Set<String> granted() {
        return limit.within().stream().filter(name -> !TaintSlices.isTaintSlice(name)).collect(Collectors.toSet());
    }

    TaintSlices taintSlices() {
        return taintSlices;
    }

    long evaluations() {
        return expressions.evaluations();
    }

    /** How many devices have a taint of this effect, as far as rules have been evaluated. */
    int tainted(String effect) {
        settling.lock();
        try {
            Set<String> rules = known.entrySet().stream()
                    .filter(rule -> rule.getValue().declared().taint().effect().equals(effect)).map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            return tainted.count(rules.stream()) + (int) taintSlices.tainted(effect).stream()
                    .filter(device -> pools.published(device).isPresent())
                    .filter(device -> !tainted.isSelected(device, rules::contains)).count();
        } finally {
            settling.unlock();
        }
    }

    DeviceCaches caches() {
        return caches;
    }

    /**
     * Settles what has changed, for one slice of time.
     *
     * @return whether there is more to do
     * @throws RuntimeException the first failure, after all else has been settled; what has failed is tried again
     */
    boolean settle() {
        settling.lock();
        try {
            Optional<RuntimeException> failure = settleAll(() -> false);
            if (!tainted.isOpen()) {
                failure.ifPresent(first -> {
                    throw first;
                });
            }
            return tainted.isOpen();
        } finally {
            settling.unlock();
        }
    }

    /**
     * Says something of what the caches hold now; it waits for others who do the same. What fails is thrown by {@link #settle}.
     *
     * @param enough whether no more devices have to be asked for it
     */
    <T> T settled(BooleanSupplier enough, Supplier<T> how) {
        settling.lock();
        try {
            settleAll(enough);
            return how.get();
        } finally {
            settling.unlock();
        }
    }

    /** First what has changed is noted, kind by kind, then it is evaluated for one slice of time. */
    private Optional<RuntimeException> settleAll(BooleanSupplier enough) {
        long begin = ticker.getAsLong();
        changes.begin();
        Optional<RuntimeException> ofRules = Stream.of(
                changes.rules.settle(this::settleRule),
                changes.taintSlices.settle(taintSlices::settle)).flatMap(Optional::stream).findFirst();
        Optional<RuntimeException> failure = Stream.of(
                changes.classes.settle(this::settleClass),
                changes.claims.settle(this::settleClaim), // before slices: a device whose slice goes is kept if a claim has it
                changes.slices.settle(key -> changes.published(key, slice -> settleSlice(key, slice))),
                changes.pods.settle(this::settlePod)).flatMap(Optional::stream).findFirst();
        if (failed && failure.isEmpty()) {
            changedRules.addAll(known.keySet()); // which have waited for it
            taintSlices.allChanged();
        }
        failed = failure.isPresent();
        changedRules.addAll(tainted.evaluate(
                () -> enough.getAsBoolean() || ticker.getAsLong() - begin >= SLICE.toNanos()));
        tell();
        return ofRules.or(() -> failure);
    }

    /** Rules that are open are told later, when all their devices have been asked: until then they keep what they have. */
    private void tell() {
        changedDevices.forEach(device -> changedRules.addAll(tainted.rules(device)));
        changedRules.removeIf(tainted::isOpen);
        changedRules.forEach(this::need);
        taintSlices.changed(changedDevices);
        Set<String> changedTaintSlices = taintSlices.need();
        Set<String> limited = limit.decide();
        limited.stream().filter(name -> !TaintSlices.isTaintSlice(name)).forEach(changedRules::add);
        Set<String> changed = Set.copyOf(changedRules);
        changedRules.clear();
        changedDevices.clear();
        if (!changed.isEmpty()) {
            changedListeners.forEach(listener -> listener.accept(changed));
        }
        taintSlices.tell(changedTaintSlices, limited);
    }

    private void need(String name) {
        Optional<Rule> acting = Optional.ofNullable(known.get(name)).filter(rule -> rule.faults().isEmpty())
                .filter(rule -> rule.declared().taint().keepsPodsOff());
        limit.need(name, acting.map(Rule::created).orElse(Instant.MAX),
                acting.map(rule -> ServerRule.count(rule.declared(), () -> tainted.count(name))).orElse(0));
    }

    private Set<DeviceName> selected(String rule) {
        Set<DeviceName> selected = new HashSet<>();
        tainted.forEachDevice(rule, (name, answer) -> {
            if (answer.selected()) {
                selected.add(name);
            }
        });
        return selected;
    }

    /**
     * Those of the devices that a rule which declares this selects, by what the caches hold now; none as long as its devices
     * have not all been asked since the last change. When they have, {@link #whenChanged} tells.
     */
    Set<DeviceName> selected(String name, DeviceTaintRule declared, Set<DeviceName> some) {
        return settled(name, declared, rule -> some.stream().filter(device -> tainted.selects(name, device))
                .collect(Collectors.toSet())).orElse(Set.of());
    }

    /** Says something of a rule that declares this, if all that it may select is known. */
    private <T> Optional<T> settled(String name, DeviceTaintRule declared, Function<Rule, T> how) {
        return settled(() -> !tainted.isOpen(name),
                () -> Optional.ofNullable(known.get(name)).filter(rule -> rule.declared().equals(declared))
                        .filter(rule -> !failed && !tainted.isOpen(name)).map(how));
    }

    private void settleClass(ObjectKey key) {
        tainted.deviceClass(key.name(), caches.classes().get(key).map(DeviceClass::expressions));
    }

    /** A rule that has a fault selects nothing. */
    private void settleRule(ObjectKey key) {
        Optional<Rule> rule = caches.rules().get(key).map(found -> new Rule(
                found.spec(), found.created(), RuleFaults.of(found.spec(), expressions::compileError)));
        rule.ifPresentOrElse(now -> known.put(key.name(), now), () -> known.remove(key.name()));
        Optional<DeviceTaintSelector> selector =
                rule.filter(now -> now.faults().isEmpty()).flatMap(now -> now.declared().selector());
        tainted.rule(key.name(), selector);
        changedRules.add(key.name());
    }

    private void settleClaim(ObjectKey key) {
        Set<DeviceName> now = caches.claims().get(key).stream().flatMap(claim -> claim.allocated().stream())
                .map(ResourceClaim.Allocated::device).collect(Collectors.toSet());
        Set<DeviceName> concerned = new HashSet<>(devicesOfClaim.getOrDefault(key, Set.of()));
        concerned.addAll(now);
        for (DeviceName device : concerned) {
            if (caches.claims(device).isEmpty()) {
                tainted.released(device);
            } else {
                tainted.allocated(device);
            }
        }
        changedDevices.addAll(concerned);
        devicesOfClaim.put(key, now); // when nothing of it can fail any more
        devicesOfClaim.remove(key, Set.of());
    }

    private void settleSlice(ObjectKey key, Optional<ResourceSlice> slice) {
        Map<DeviceName, Optional<Pools.Device<DeviceFacts>>> devices =
                pools.slice(key.name(), slice.map(Pools.Slice::of));
        tainted.devices(devices);
        taintSlices.changed(devices.keySet());
    }

    private void settlePod(String uid) {
        caches.claims().find(DeviceCaches.OF_POD, uid).stream().flatMap(claim -> claim.allocated().stream())
                .map(ResourceClaim.Allocated::device).forEach(changedDevices::add);
    }

    /**
     * What is known of a rule that declares this; empty as long as its devices have not all been asked since the last change.
     * When they have, {@link #whenChanged} tells.
     *
     * @param standing devices for each of which the server has a rule that stands for this one
     */
    Optional<RuleMatch> match(String name, DeviceTaintRule declared, Set<DeviceName> standing) {
        return settled(name, declared, rule -> match(name, rule, standing));
    }

    /** What is known of a DeviceTaintSlice that declares this; if it is empty, {@link TaintSlices#whenChanged} tells. */
    Optional<TaintSliceMatch> match(String name, DeviceTaintSlice declared) {
        return settled(() -> true, () -> failed ? Optional.empty()
                : taintSlices.match(name, declared, device -> pools.published(device).isPresent()));
    }

    private RuleMatch match(String name, Rule rule, Set<DeviceName> standing) {
        boolean keepsPodsOff = rule.declared().taint().keepsPodsOff();
        Set<DeviceName> selected = keepsPodsOff ? selected(name) : Set.of();
        Set<DeviceName> unknown = keepsPodsOff && rule.faults().isEmpty()
                ? standing.stream().filter(pools::mayBeUnknown).collect(Collectors.toSet())
                : Set.of();
        return new RuleMatch(rule.faults(), tainted.missingClass(name),
                DevicePreview.of(rule.declared().taint(), each -> tainted.forEachDevice(name, each),
                        device -> why(name, device), caches::claims, caches.pods()::get),
                projected(name, selected, standing, unknown),
                selected.stream().filter(device -> !caches.claims(device).isEmpty()).collect(Collectors.toSet()));
    }

    private String why(String rule, DeviceName device) {
        return tainted.ask(rule, device) instanceof DeviceMatch.Unknown(String why) ? why : "";
    }

    private RuleMatch.Projected projected(
            String name, Set<DeviceName> selected, Set<DeviceName> standing, Set<DeviceName> unknown) {
        boolean granted = limit.isWithin(name);
        return new RuleMatch.Projected(limit.needed(name), granted, granted ? selected
                : standing.stream().filter(selected::contains).collect(Collectors.toSet()), unknown);
    }
}
