package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.rules.device.SeenDevices.Seen;
import io.nodeward.core.rules.device.SelectorMatch.Obstacle;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which rules select which devices, while slices, rules, classes and allocations change. A change is noted at once;
 * {@link #evaluate} asks what it can change: a device is asked by the rules that its names allow, a rule of the devices that
 * its names allow. Rules take turns, so that one that takes long holds up no other. Not safe for several threads.
 *
 * <p>A device that no slice publishes any more is as it was last, for as long as a claim has it. Of one that was never seen,
 * after a restart, only its names are known.
 *
 * <p>A rule and a device take two bits, or four as sets of bits double when they grow: 10,000 rules of 10,000 devices take
 * 25 MB, or 50. Reasons are not kept: {@link #ask} asks for them again.
 *
 * @param <F> what selectors read of a device, with the taints of its driver; if it is equal, they have the same answer
 */
public final class TaintedDevices<F> {
    private final RuleSelectors<F> selectors;
    private final Function<F, List<DeviceTaint>> driverTaints;
    private final NameIndex<RuleDevices, Seen<F>> index = new NameIndex<>();
    private final Map<String, RuleDevices> rules = new HashMap<>();
    private final SeenDevices<F> devices = new SeenDevices<>();
    /** The devices that all rules have to ask whose names allow it. */
    private final Set<DeviceName> changedDevices = new HashSet<>();
    /** Rules that may not have asked all their devices. The first is the next to ask. */
    private final SequencedSet<RuleDevices> open = new LinkedHashSet<>();
    /** Rules of which something is not as it was when they were returned last. */
    private final Set<String> changed = new HashSet<>();

    /**
     * Creates one without rules and devices.
     *
     * @param evaluation whether an expression holds for a device; it throws nothing
     * @param driverTaints gives the taints that the driver of a device has published
     */
    public TaintedDevices(
            BiFunction<String, F, DeviceMatch> evaluation, Function<F, List<DeviceTaint>> driverTaints) {
        this.selectors = new RuleSelectors<>(evaluation, driverTaints);
        this.driverTaints = driverTaints;
    }

    /** A rule with its answers about the devices that it has asked. */
    private static final class RuleDevices {
        private final String name;
        private final DeviceTaintSelector selector;
        private final MatchBits answers = new MatchBits();
        /** It has asked all devices that its names allow and that have not changed since then; 0 if none. */
        private long asked;

        RuleDevices(String name, DeviceTaintSelector selector) {
            this.name = name;
            this.selector = selector;
        }

        /** Returns whether it selects the device or may select it. */
        boolean has(int device) {
            return !answers.get(device).equals(DeviceMatch.NO);
        }
    }

    /**
     * What a rule says of a device that it selects or may select.
     *
     * @param selected otherwise nobody knows whether it is
     * @param published by a slice; otherwise a claim has it
     */
    public record Answer(boolean selected, boolean published) {}

    /** Returns whether the rule has still devices to ask, so that its answers may be outdated. */
    public boolean isOpen(String rule) {
        return find(rule).filter(open::contains).isPresent();
    }

    /** Returns whether {@link #evaluate} was over before all had been asked. */
    public boolean isOpen() {
        return !open.isEmpty();
    }

    /** Gives the devices that a rule selects or may select. */
    public void forEachDevice(String rule, BiConsumer<DeviceName, Answer> action) {
        find(rule).ifPresent(found -> index.devices(found.selector, 0).stream()
                .filter(device -> found.has(device.number()))
                .forEach(device -> action.accept(device.name(),
                        new Answer(found.answers.get(device.number()).equals(DeviceMatch.YES),
                                device.isPublished()))));
    }

    /** Returns how many devices a rule selects. */
    public int count(String rule) {
        return find(rule).map(found -> found.answers.holding()).orElse(0);
    }

    /** Returns how many devices at least one of the rules selects, or are among these others. */
    public int count(Predicate<String> ofThese, Stream<DeviceName> others) {
        BitSet all = new BitSet();
        rules.values().stream().filter(rule -> ofThese.test(rule.name)).forEach(rule -> rule.answers.addTo(all));
        others.forEach(name -> devices.get(name).ifPresent(device -> all.set(device.number())));
        return all.cardinality();
    }

    /** Returns whether a rule selects a device, as it was answered last. */
    public boolean selects(String rule, DeviceName name) {
        return find(rule).flatMap(found -> devices.get(name)
                .map(device -> found.answers.get(device.number()).equals(DeviceMatch.YES))).orElse(false);
    }

    /** Asks again whether a rule selects a device; returns the reason, too, if that is not known. */
    public DeviceMatch ask(String rule, DeviceName name) {
        return find(rule).filter(found -> devices.get(name).isPresent())
                .map(found -> obstacle(found.selector, name).map(Obstacle::match).orElse(DeviceMatch.YES))
                .orElse(DeviceMatch.NO);
    }

    /** Asks why a selector does not select a device, or why that is not known; empty if it does. */
    public Optional<Obstacle> obstacle(DeviceTaintSelector selector, DeviceName name) {
        return selectors.obstacle(selector, name, devices.get(name).flatMap(Seen::facts));
    }

    /** Returns the rules that select a device or may select it. */
    public Set<String> rules(DeviceName name) {
        return devices.get(name).map(this::rules).orElse(Set.of());
    }

    private Set<String> rules(Seen<F> device) {
        return index.rules(List.of(device.name())).filter(rule -> rule.has(device.number())).map(rule -> rule.name)
                .collect(Collectors.toSet());
    }

    /** Returns the class that a rule names, if there is none of this name: the rule selects nothing. */
    public Optional<String> missingClass(String rule) {
        return find(rule).flatMap(found -> selectors.missingClass(found.selector));
    }

    private Optional<RuleDevices> find(String rule) {
        return Optional.ofNullable(rules.get(rule));
    }

    /** Returns how much memory all answers take, in words of 64 bits. */
    long words() {
        return rules.values().stream().mapToLong(rule -> rule.answers.words()).sum();
    }

    /**
     * Folds in what there is of a device now.
     *
     * @param published what expressions read of it, if a slice publishes it
     */
    public void device(DeviceName name, Optional<F> published, boolean isClaimed) {
        Optional<Seen<F>> was = devices.get(name);
        devices.set(name, published, isClaimed);
        Optional<Seen<F>> now = devices.get(name);
        if (!was.map(Seen::isPublished).equals(now.map(Seen::isPublished))
                || !driverTaints(was).equals(driverTaints(now))) {
            was.ifPresent(device -> changed.addAll(rules(device)));
        }
        if (!was.map(Seen::changed).equals(now.map(Seen::changed))) {
            was.ifPresent(device -> replaced(device, now.isPresent()));
            now.ifPresent(device -> changedDevices.add(name));
        }
        now.ifPresent(device -> index.put(name, device.changed(), device));
    }

    private List<DeviceTaint> driverTaints(Optional<Seen<F>> device) {
        return device.flatMap(Seen::facts).map(driverTaints).orElse(List.of());
    }

    private void replaced(Seen<F> device, boolean isKnown) {
        index.remove(device.name(), device.changed());
        selectors.forget(device.number());
        if (!isKnown) {
            changedDevices.remove(device.name());
            index.rules(List.of(device.name()))
                    .forEach(rule -> rule.answers.set(device.number(), DeviceMatch.NO));
        }
    }

    /** Notes a rule that has been added, changed or removed: it is empty if the rule is gone or has no selector. */
    public void rule(String name, Optional<DeviceTaintSelector> now) {
        Optional<RuleDevices> was = find(name);
        if (!was.map(rule -> rule.selector).equals(now)) {
            was.ifPresent(this::remove);
            now.ifPresent(selector -> add(new RuleDevices(name, selector)));
            changed.add(name);
        }
    }

    private void add(RuleDevices rule) {
        rules.put(rule.name, rule);
        index.add(rule, rule.selector);
        open.add(rule);
    }

    private void remove(RuleDevices rule) {
        rules.remove(rule.name);
        index.remove(rule, rule.selector);
        open.remove(rule);
    }

    /**
     * A class has been added, changed or removed.
     *
     * @param now its expressions, all of which have to hold; empty if it is gone
     */
    public void deviceClass(String name, Optional<List<String>> now) {
        Optional<List<String>> was = selectors.setClass(name, now);
        List<RuleDevices> concerned = was.equals(now) ? List.of()
                : rules.values().stream().filter(rule -> rule.selector.deviceClassName().equals(Optional.of(name)))
                        .toList();
        for (RuleDevices rule : concerned) {
            rule.asked = 0;
            open.add(rule);
            if (was.isPresent() != now.isPresent()) {
                changed.add(rule.name);
            }
        }
    }

    /**
     * Asks what changes have left open, at least one rule of one device.
     *
     * @param over asked after each of them; then the others are left, and the rule whose turn it is is the last to go on
     * @return the rules of which something is no longer as it was, but for those that are open
     */
    public Set<String> evaluate(BooleanSupplier over) {
        index.rules(changedDevices).forEach(open::add);
        changedDevices.clear();
        boolean isOver = false;
        while (!isOver && isOpen()) {
            RuleDevices rule = open.getFirst();
            isOver = ask(rule, over);
            open.remove(rule);
            if (!index.devices(rule.selector, rule.asked).isEmpty()) {
                open.add(rule);
            }
        }
        if (!isOpen()) {
            selectors.forgetAll();
        }
        Set<String> left = open.stream().map(rule -> rule.name).collect(Collectors.toSet());
        Set<String> complete = changed.stream().filter(rule -> !left.contains(rule)).collect(Collectors.toSet());
        changed.clear();
        changed.addAll(left);
        return complete;
    }

    private boolean ask(RuleDevices rule, BooleanSupplier over) {
        for (Seen<F> device : index.devices(rule.selector, rule.asked)) {
            if (rule.answers.set(device.number(),
                    selectors.match(rule.selector, device.name(), device.number(), device.facts()))) {
                changed.add(rule.name);
            }
            rule.asked = device.changed();
            if (over.getAsBoolean()) {
                return true;
            }
        }
        return false;
    }
}
