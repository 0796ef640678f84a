package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.rules.device.Pools.Device;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Which rules select which devices, while slices, rules, classes and allocations change. A change is noted at once;
 * {@link #evaluate} works off all of them together. It asks only what they can change: a device is asked by the rules that
 * its names allow, a rule of the devices that its names allow. Not safe for several threads.
 *
 * <p>A device that no slice publishes any more is as it was last, for as long as a claim has it. Of one that was never seen,
 * after a restart, only its names are known.
 *
 * <p>All rules together select no more than {@link #MOST} devices. A rule that would go above it selects nothing until
 * others select fewer.
 *
 * @param <F> what expressions read of a device; if it is equal, they have the same answer
 */
public final class TaintedDevices<F> {
    /** A rule and a device that it selects take 64 bytes: all of them together a quarter of the usual heap of 256 MB. */
    public static final long MOST = 1_000_000;

    /** So many rules are asked again in vain in one evaluation; the others with the next change. */
    static final int MOST_FAILED = 100;

    private final RuleSelectors<F> rules;
    private final long most;
    private final NameIndex index = new NameIndex();
    private final Set<DeviceName> allocated = new HashSet<>();
    private final Map<DeviceName, Seen<F>> devices = new HashMap<>();
    private final RuleDevices answers = new RuleDevices();
    /** Rules that select nothing, as there would be too many. */
    private final Map<String, TooMany> stopped = new HashMap<>();
    /** To be asked of all devices that their names allow. */
    private final Set<String> changedRules = new HashSet<>();
    /** To be asked by all rules that their names allow. */
    private final Set<DeviceName> changedDevices = new HashSet<>();
    /** Rules of which something is not as it was at the last evaluation. */
    private final Set<String> changed = new HashSet<>();

    /**
     * Of no rules and devices.
     *
     * @param evaluation whether an expression holds for a device; it throws nothing
     * @param most devices that all rules together select, such as {@link #MOST}
     */
    public TaintedDevices(BiFunction<String, F, DeviceMatch> evaluation, long most) {
        this.rules = new RuleSelectors<>(evaluation);
        this.most = most;
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

    /** Of a rule and a device: it is selected, or nobody knows whether it is. */
    public record Answer(DeviceMatch match, Publication publication) {}

    /**
     * Why a rule selects nothing: all rules together would select too many devices.
     *
     * @param devices that it selects at least
     * @param most that all rules together may select
     * @param needed so much room at least, where an unknown answer counts more
     * @param candidates devices that its names allow
     */
    public record TooMany(int devices, long most, long needed, int candidates) {}

    private record Seen<F>(Optional<F> facts, Publication publication) {}

    /** The devices that a rule selects or may select. */
    public void forEachDevice(String rule, BiConsumer<DeviceName, Answer> action) {
        answers.devices(rule).forEach((name, match) -> action.accept(name,
                new Answer(match, seen(name).publication())));
    }

    /** How much of {@link #MOST} is taken. */
    long size() {
        return answers.size();
    }

    /** The rules that select a device or may select it. */
    public Set<String> rules(DeviceName device) {
        return answers.rules(device);
    }

    /** The class that a rule names, if there is none of this name: the rule selects nothing. */
    public Optional<String> missingClass(String rule) {
        return rules.missingClass(rule);
    }

    /** Why a rule selects nothing, if all rules together would select too many devices. */
    public Optional<TooMany> tooMany(String rule) {
        return Optional.ofNullable(stopped.get(rule));
    }

    /** Devices came, went or changed, as {@link Pools#slice} says. */
    public void devices(Map<DeviceName, Optional<Device<F>>> changes) {
        changes.forEach((name, device) -> device.ifPresentOrElse(
                now -> see(name, new Seen<>(Optional.of(now.facts()), Publication.PUBLISHED)), () -> gone(name)));
    }

    /** A claim has the device. */
    public void allocated(DeviceName name) {
        if (allocated.add(name) && !devices.containsKey(name)) {
            see(name, new Seen<>(Optional.empty(), Publication.NEVER_SEEN));
        }
    }

    /** No claim has the device any more. */
    public void released(DeviceName name) {
        if (allocated.remove(name) && devices.containsKey(name)
                && seen(name).publication() != Publication.PUBLISHED) {
            forget(name);
        }
    }

    /** A rule has been added, changed or removed: it is empty if the rule is gone or has no selector. */
    public void rule(String rule, Optional<DeviceTaintSelector> now) {
        Optional<String> missing = missingClass(rule);
        Optional<DeviceTaintSelector> was = rules.set(rule, now);
        if (!was.equals(now)) {
            was.ifPresent(selector -> index.remove(rule, selector));
            now.ifPresent(selector -> index.add(rule, selector));
            changed(rule, !missing.equals(missingClass(rule)));
        }
    }

    /**
     * A class has been added, changed or removed.
     *
     * @param now its expressions, all of which have to hold; empty if it is gone
     */
    public void deviceClass(String name, Optional<List<String>> now) {
        Optional<List<String>> was = rules.setClass(name, now);
        if (!was.equals(now)) {
            rules.ofClass(name).forEach(rule -> changed(rule, was.isPresent() != now.isPresent()));
        }
    }

    private void changed(String rule, boolean certainly) {
        changedRules.add(rule);
        if (stopped.remove(rule) != null || certainly) {
            changed.add(rule);
        }
    }

    private void see(DeviceName name, Seen<F> now) {
        Seen<F> was = devices.put(name, now);
        index.add(name);
        if (was == null || !was.facts().equals(now.facts())) {
            changedDevices.add(name);
        }
        if (was != null && was.publication() != now.publication()) {
            changed.addAll(answers.rules(name));
        }
    }

    private Seen<F> seen(DeviceName name) {
        return Objects.requireNonNull(devices.get(name));
    }

    private void gone(DeviceName name) {
        if (devices.containsKey(name) && allocated.contains(name)) {
            see(name, new Seen<>(seen(name).facts(), Publication.GONE));
        } else {
            forget(name);
        }
    }

    private void forget(DeviceName name) {
        devices.remove(name);
        index.remove(name);
        changedDevices.remove(name);
        changed.addAll(answers.removeDevice(name));
    }

    /** Works off all changes. Returns the rules of which something is no longer as it was. */
    public Set<String> evaluate() {
        changedRules.forEach(this::leave);
        ask(changedRules, this::candidates);
        Set<String> others = new HashSet<>();
        changedDevices.forEach(name -> others.addAll(index.rules(name)));
        others.removeAll(changedRules);
        ask(others, any -> changedDevices);
        changedRules.clear();
        changedDevices.clear();
        askStopped();
        Set<String> all = Set.copyOf(changed);
        changed.clear();
        return all;
    }

    /** Devices that the names of the rule do not allow any more. */
    private void leave(String rule) {
        Collection<DeviceName> allowed = candidates(List.of(rule));
        List.copyOf(answers.devices(rule).keySet()).stream().filter(name -> !allowed.contains(name))
                .forEach(name -> set(rule, name, DeviceMatch.NO));
    }

    private Collection<DeviceName> candidates(Collection<String> some) {
        return index.devices(some.stream().flatMap(rule -> rules.of(rule).stream()));
    }

    /** @param names of the devices that a group of rules is to be asked of */
    private void ask(Collection<String> all, Function<List<String>, Collection<DeviceName>> names) {
        for (List<String> group : rules.groups(all)) {
            NameIndex ofGroup = new NameIndex();
            group.forEach(rule -> rules.of(rule).ifPresent(selector -> ofGroup.add(rule, selector)));
            for (DeviceName name : names.apply(group)) {
                SelectorMatch.Facts facts = rules.facts(seen(name).facts());
                ofGroup.rules(name).forEach(rule -> ask(rule, name, facts));
            }
        }
    }

    private void ask(String rule, DeviceName name, SelectorMatch.Facts facts) {
        if (!stopped.containsKey(rule)) {
            set(rule, name, SelectorMatch.of(rules.of(rule), name, facts));
        }
    }

    private void set(String rule, DeviceName name, DeviceMatch now) {
        if (answers.set(rule, name, now)) {
            changed.add(rule);
        }
        if (answers.size() > most) {
            stop(rule);
        }
    }

    private void stop(String rule) {
        long before = answers.size();
        int selected = answers.devices(rule).size();
        answers.removeRule(rule);
        stopped.put(rule,
                new TooMany(selected, most, before - answers.size(), candidates(List.of(rule)).size()));
        changed.add(rule);
    }

    /** Those first that need least: rules that select few devices fit, and each other one costs as much as there is room. */
    private void askStopped() {
        int failed = 0;
        for (String rule : stopped.keySet().stream().sorted(Comparator.comparing(this::needed)).toList()) {
            if (failed < MOST_FAILED && mayFit(rule)) {
                stopped.remove(rule);
                changed.add(rule);
                ask(List.of(rule), this::candidates);
                failed += stopped.containsKey(rule) ? 1 : 0;
            }
        }
    }

    private long needed(String rule) {
        return Objects.requireNonNull(stopped.get(rule)).needed();
    }

    private boolean mayFit(String rule) {
        return needed(rule) <= most - answers.size()
                || candidates(List.of(rule)).size() <= Objects.requireNonNull(stopped.get(rule)).candidates() / 2;
    }
}
