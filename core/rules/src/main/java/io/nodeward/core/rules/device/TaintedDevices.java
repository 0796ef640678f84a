package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.SeenDevices.Seen;
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
 * @param <F> what expressions read of a device; if it is equal, they have the same answer
 */
public final class TaintedDevices<F> {
    private final RuleSelectors<F> selectors;
    private final NameIndex<RuleDevices, Seen<F>> index = new NameIndex<>();
    private final Map<String, RuleDevices> rules = new HashMap<>();
    private final SeenDevices<F> devices = new SeenDevices<>();
    /** To be asked by all rules that their names allow. */
    private final Set<DeviceName> changedDevices = new HashSet<>();
    /** Rules that may not have asked all their devices. The first is the next to ask. */
    private final SequencedSet<RuleDevices> open = new LinkedHashSet<>();
    /** Rules of which something is not as it was when they were returned last. */
    private final Set<String> changed = new HashSet<>();

    /**
     * Of no rules and devices.
     *
     * @param evaluation whether an expression holds for a device; it throws nothing
     */
    public TaintedDevices(BiFunction<String, F, DeviceMatch> evaluation) {
        this.selectors = new RuleSelectors<>(evaluation);
    }

    /** What slices say about a device. */
    public enum Publication {
        /** A slice publishes it. */
        PUBLISHED,
        /** A claim has it, and the slice is gone that published it. */
        GONE,
        /** A claim has it, and no slice has published it while this looked. */
        NEVER_SEEN,
    }

    /**
     * Of a rule and a device that it selects or may select.
     *
     * @param selected otherwise nobody knows whether it is
     */
    public record Answer(boolean selected, Publication publication) {}

    /** Whether the rule has still devices to ask: what is said of its devices is not to be relied on. */
    public boolean isOpen(String rule) {
        return find(rule).filter(open::contains).isPresent();
    }

    /** Whether {@link #evaluate} was over before all had been asked. */
    public boolean isOpen() {
        return !open.isEmpty();
    }

    /** The devices that a rule selects or may select. */
    public void forEachDevice(String rule, BiConsumer<DeviceName, Answer> action) {
        find(rule).ifPresent(found -> index.devices(found.selector(), 0).stream()
                .filter(device -> found.has(device.number()))
                .forEach(device -> action.accept(device.name(),
                        new Answer(found.answers().get(device.number()).equals(DeviceMatch.YES),
                                device.publication()))));
    }

    /** How many devices a rule selects. */
    public int count(String rule) {
        return find(rule).map(found -> found.answers().holding()).orElse(0);
    }

    /** How many devices at least one of the rules selects. */
    public int count(Stream<String> names) {
        BitSet all = new BitSet();
        names.forEach(name -> find(name).ifPresent(rule -> rule.answers().addTo(all)));
        return all.cardinality();
    }

    /** Whether a rule selects a device, as it was answered last. */
    public boolean selects(String rule, DeviceName name) {
        return find(rule).flatMap(found -> devices.get(name)
                .map(device -> found.answers().get(device.number()).equals(DeviceMatch.YES))).orElse(false);
    }

    /** Whether one of these rules selects a device; only those that its names allow are looked at. */
    public boolean isSelected(DeviceName name, Predicate<String> ofThese) {
        return devices.get(name).filter(device -> index.rules(List.of(name))
                .filter(rule -> ofThese.test(rule.name()))
                .anyMatch(rule -> rule.answers().get(device.number()).equals(DeviceMatch.YES))).isPresent();
    }

    /** Whether a rule selects a device, asked again: with the reason, if nobody knows. */
    public DeviceMatch ask(String rule, DeviceName name) {
        return find(rule).flatMap(found -> devices.get(name)
                .map(device -> selectors.match(found.selector(), name, device.facts()))).orElse(DeviceMatch.NO);
    }

    /** The rules that select a device or may select it. */
    public Set<String> rules(DeviceName name) {
        return devices.get(name).map(this::rules).orElse(Set.of());
    }

    private Set<String> rules(Seen<F> device) {
        return index.rules(List.of(device.name())).filter(rule -> rule.has(device.number())).map(RuleDevices::name)
                .collect(Collectors.toSet());
    }

    /** The class that a rule names, if there is none of this name: the rule selects nothing. */
    public Optional<String> missingClass(String rule) {
        return find(rule).flatMap(found -> selectors.missingClass(found.selector()));
    }

    private Optional<RuleDevices> find(String rule) {
        return Optional.ofNullable(rules.get(rule));
    }

    /** Of the memory of all answers, of 64 bits each. */
    long words() {
        return rules.values().stream().mapToLong(rule -> rule.answers().words()).sum();
    }

    /** Devices came, went or changed, as {@link Pools#slice} says. */
    public void devices(Map<DeviceName, Optional<Device<F>>> changes) {
        changes.forEach((name, device) -> device.ifPresentOrElse(
                now -> change(name, () -> devices.published(name, now.facts())),
                () -> change(name, () -> devices.gone(name))));
    }

    /** A claim has the device. */
    public void allocated(DeviceName name) {
        change(name, () -> devices.allocated(name));
    }

    /** No claim has the device any more. */
    public void released(DeviceName name) {
        change(name, () -> devices.released(name));
    }

    private void change(DeviceName name, Runnable how) {
        Optional<Seen<F>> was = devices.get(name);
        how.run();
        Optional<Seen<F>> now = devices.get(name);
        if (!was.map(Seen::publication).equals(now.map(Seen::publication))) {
            was.ifPresent(device -> changed.addAll(rules(device)));
        }
        if (!was.map(Seen::changed).equals(now.map(Seen::changed))) {
            was.ifPresent(device -> replaced(device, now.isPresent()));
            now.ifPresent(device -> changedDevices.add(name));
        }
        now.ifPresent(device -> index.put(name, device.changed(), device));
    }

    private void replaced(Seen<F> device, boolean isKnown) {
        index.remove(device.name(), device.changed());
        selectors.forget(device.number());
        if (!isKnown) {
            changedDevices.remove(device.name());
            index.rules(List.of(device.name()))
                    .forEach(rule -> rule.answers().set(device.number(), DeviceMatch.NO));
        }
    }

    /** A rule has been added, changed or removed: it is empty if the rule is gone or has no selector. */
    public void rule(String name, Optional<DeviceTaintSelector> now) {
        Optional<RuleDevices> was = find(name);
        if (!was.map(RuleDevices::selector).equals(now)) {
            was.ifPresent(this::remove);
            now.ifPresent(selector -> add(new RuleDevices(name, selector)));
            changed.add(name);
        }
    }

    private void add(RuleDevices rule) {
        rules.put(rule.name(), rule);
        index.add(rule, rule.selector());
        selectors.add(rule.name(), rule.selector());
        open.add(rule);
    }

    private void remove(RuleDevices rule) {
        rules.remove(rule.name());
        index.remove(rule, rule.selector());
        selectors.remove(rule.name(), rule.selector());
        open.remove(rule);
    }

    /**
     * A class has been added, changed or removed.
     *
     * @param now its expressions, all of which have to hold; empty if it is gone
     */
    public void deviceClass(String name, Optional<List<String>> now) {
        Optional<List<String>> was = selectors.setClass(name, now);
        if (!was.equals(now)) {
            selectors.ofClass(name).stream().flatMap(rule -> find(rule).stream()).forEach(rule -> {
                rule.asked(0);
                open.add(rule);
            });
            if (was.isPresent() != now.isPresent()) {
                changed.addAll(selectors.ofClass(name));
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
            if (!index.devices(rule.selector(), rule.asked()).isEmpty()) {
                open.add(rule);
            }
        }
        if (!isOpen()) {
            selectors.forgetAll();
        }
        Set<String> left = open.stream().map(RuleDevices::name).collect(Collectors.toSet());
        Set<String> complete = changed.stream().filter(rule -> !left.contains(rule)).collect(Collectors.toSet());
        changed.clear();
        changed.addAll(left);
        return complete;
    }

    private boolean ask(RuleDevices rule, BooleanSupplier over) {
        for (Seen<F> device : index.devices(rule.selector(), rule.asked())) {
            if (rule.answers().set(device.number(),
                    selectors.match(rule.selector(), device.name(), device.number(), device.facts()))) {
                changed.add(rule.name());
            }
            rule.asked(device.changed());
            if (over.getAsBoolean()) {
                return true;
            }
        }
        return false;
    }
}
