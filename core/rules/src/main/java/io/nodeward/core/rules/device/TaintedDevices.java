package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.rules.device.Pools.Device;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Which rules select which devices, kept true while slices, rules, classes and allocations change. Each event asks only what
 * it can change: a device is asked by the rules that its names allow, a rule of the devices that its names allow. What an
 * event returns are the rules of which something is no longer as it was. Not safe for several threads.
 *
 * <p>A device that no slice publishes any more is as it was last, for as long as a claim has it. Of one that was never seen,
 * after a restart, only its names are known.
 *
 * @param <F> what expressions read of a device; what is equal is the same to them
 */
public final class TaintedDevices<F> {
    private static final DeviceMatch NEVER_SEEN = new DeviceMatch.Unknown("no ResourceSlice publishes the device");

    private final BiFunction<String, F, DeviceMatch> evaluation;
    private final NameIndex index = new NameIndex();
    private final Map<String, DeviceTaintSelector> rules = new HashMap<>();
    private final Map<String, List<String>> classes = new HashMap<>();
    private final Map<String, Set<String>> rulesOfClass = new HashMap<>();
    private final Set<DeviceName> allocated = new HashSet<>();
    private final Map<DeviceName, Seen<F>> devices = new HashMap<>();
    private final Map<DeviceName, Map<String, Answer>> answers = new HashMap<>();
    private final Map<String, Set<DeviceName>> devicesOfRule = new HashMap<>();

    /** @param evaluation whether an expression holds for a device; it throws nothing */
    public TaintedDevices(BiFunction<String, F, DeviceMatch> evaluation) {
        this.evaluation = evaluation;
    }

    /** What slices say about a device. */
    public enum Standing {
        /** A slice publishes it. */
        PUBLISHED,
        /** A claim has it, and the slice is gone that published it. */
        GONE,
        /** A claim has it, and no slice has published it while this looked. */
        NEVER_SEEN,
    }

    /** Of a rule and a device: it is selected, or nobody knows whether it is. */
    public record Answer(DeviceMatch match, Standing standing) {}

    private record Seen<F>(Optional<F> facts, Standing standing) {}

    /** The devices that a rule selects or may select. */
    public Map<DeviceName, Answer> devices(String rule) {
        Map<DeviceName, Answer> found = new HashMap<>();
        for (DeviceName name : devicesOfRule.getOrDefault(rule, Set.of())) {
            Optional.ofNullable(rules(name).get(rule)).ifPresent(answer -> found.put(name, answer));
        }
        return found;
    }

    /** The rules that select a device or may select it. */
    public Map<String, Answer> rules(DeviceName device) {
        return Map.copyOf(answers.getOrDefault(device, Map.of()));
    }

    /** The class that a rule names, if there is none of this name: the rule selects nothing. */
    public Optional<String> missingClass(String rule) {
        return Optional.ofNullable(rules.get(rule)).flatMap(DeviceTaintSelector::deviceClassName)
                .filter(name -> !classes.containsKey(name));
    }

    /** Devices came, went or changed, as {@link Pools#slice} says. */
    public Set<String> devices(Map<DeviceName, Optional<Device<F>>> changes) {
        Set<String> changed = new HashSet<>();
        changes.forEach((name, device) -> changed.addAll(device
                .map(now -> see(name, new Seen<>(Optional.of(now.facts()), Standing.PUBLISHED)))
                .orElseGet(() -> gone(name))));
        return changed;
    }

    /** A claim has the device. */
    public Set<String> allocated(DeviceName name) {
        return allocated.add(name) && !devices.containsKey(name)
                ? see(name, new Seen<>(Optional.empty(), Standing.NEVER_SEEN))
                : Set.of();
    }

    /** No claim has the device any more. */
    public Set<String> released(DeviceName name) {
        Seen<F> seen = devices.get(name);
        return allocated.remove(name) && seen != null && seen.standing() != Standing.PUBLISHED
                ? forget(name)
                : Set.of();
    }

    /** A rule has been added, changed or removed: it is empty if the rule is gone or has no selector. */
    public Set<String> rule(String rule, Optional<DeviceTaintSelector> now) {
        Optional<DeviceTaintSelector> was = Optional.ofNullable(rules.get(rule));
        if (was.equals(now)) {
            return Set.of();
        }
        Optional<String> missing = missingClass(rule);
        was.ifPresent(selector -> {
            rules.remove(rule);
            index.remove(rule, selector);
            selector.deviceClassName().ifPresent(name -> rulesOfClass.computeIfPresent(name, (any, all) -> {
                all.remove(rule);
                return all.isEmpty() ? null : all;
            }));
        });
        now.ifPresent(selector -> {
            rules.put(rule, selector);
            index.add(rule, selector);
            selector.deviceClassName().ifPresent(
                    name -> rulesOfClass.computeIfAbsent(name, any -> new HashSet<>()).add(rule));
        });
        return ask(rule, new HashMap<>()) || !missing.equals(missingClass(rule)) ? Set.of(rule) : Set.of();
    }

    /**
     * A class has been added, changed or removed.
     *
     * @param now its expressions, all of which have to hold; empty if it is gone
     */
    public Set<String> deviceClass(String name, Optional<List<String>> now) {
        Optional<List<String>> was = Optional.ofNullable(classes.get(name));
        if (was.equals(now)) {
            return Set.of();
        }
        now.ifPresentOrElse(all -> classes.put(name, List.copyOf(all)), () -> classes.remove(name));
        Set<String> changed = new HashSet<>();
        Map<DeviceName, Facts> event = new HashMap<>();
        for (String rule : rulesOfClass.getOrDefault(name, Set.of())) {
            if (ask(rule, event) || was.isPresent() != now.isPresent()) {
                changed.add(rule);
            }
        }
        return changed;
    }

    /** What an expression says is not what it was: rules that ask it, or whose class does, are asked again. */
    public Set<String> expression(String text) {
        Set<String> changed = new HashSet<>();
        Map<DeviceName, Facts> event = new HashMap<>();
        rules.forEach((rule, selector) -> {
            boolean asks = selector.expressions().contains(text) || selector.deviceClassName()
                    .filter(name -> classes.getOrDefault(name, List.of()).contains(text)).isPresent();
            if (asks && ask(rule, event)) {
                changed.add(rule);
            }
        });
        return changed;
    }

    private Set<String> gone(DeviceName name) {
        Seen<F> was = devices.get(name);
        return was != null && allocated.contains(name)
                ? see(name, new Seen<>(was.facts(), Standing.GONE))
                : forget(name);
    }

    private Set<String> forget(DeviceName name) {
        devices.remove(name);
        index.remove(name);
        Set<String> before = rules(name).keySet();
        before.forEach(rule -> set(rule, name, Optional.empty()));
        return before;
    }

    private Set<String> see(DeviceName name, Seen<F> now) {
        Seen<F> was = devices.put(name, now);
        index.add(name);
        Set<String> changed = new HashSet<>();
        if (was != null && was.facts().equals(now.facts())) {
            rules(name).forEach((rule, answer) -> {
                if (set(rule, name, Optional.of(new Answer(answer.match(), now.standing())))) {
                    changed.add(rule);
                }
            });
            return changed;
        }
        Facts facts = new Facts(now);
        for (String rule : index.rules(name)) {
            if (ask(rule, name, facts)) {
                changed.add(rule);
            }
        }
        return changed;
    }

    /** Whether an answer changed of a rule and any device. An event asks the same about a device once. */
    private boolean ask(String rule, Map<DeviceName, Facts> event) {
        Set<DeviceName> all = new HashSet<>(devicesOfRule.getOrDefault(rule, Set.of()));
        Optional.ofNullable(rules.get(rule)).ifPresent(selector -> all.addAll(index.devices(selector)));
        boolean changed = false;
        for (DeviceName name : all) {
            Seen<F> seen = devices.get(name);
            changed |= seen != null && ask(rule, name, event.computeIfAbsent(name, any -> new Facts(seen)));
        }
        return changed;
    }

    private boolean ask(String rule, DeviceName name, Facts facts) {
        DeviceMatch match = SelectorMatch.of(Optional.ofNullable(rules.get(rule)), name, facts);
        return set(rule, name, match.equals(DeviceMatch.NO)
                ? Optional.empty()
                : Optional.of(new Answer(match, facts.device.standing())));
    }

    private boolean set(String rule, DeviceName name, Optional<Answer> now) {
        Optional<Answer> was = Optional.ofNullable(answers.getOrDefault(name, Map.of()).get(rule));
        if (was.equals(now)) {
            return false;
        }
        Map<String, Answer> ofDevice = answers.computeIfAbsent(name, any -> new HashMap<>());
        Set<DeviceName> ofRule = devicesOfRule.computeIfAbsent(rule, any -> new HashSet<>());
        now.ifPresentOrElse(answer -> {
            ofDevice.put(rule, answer);
            ofRule.add(name);
        }, () -> {
            ofDevice.remove(rule);
            ofRule.remove(name);
        });
        if (ofDevice.isEmpty()) {
            answers.remove(name);
        }
        if (ofRule.isEmpty()) {
            devicesOfRule.remove(rule);
        }
        return true;
    }

    /** What is known about a device, while one event is worked off. */
    private final class Facts implements SelectorMatch.Facts {
        private final Seen<F> device;
        private final Map<String, DeviceMatch> known = new HashMap<>();

        private Facts(Seen<F> device) {
            this.device = device;
        }

        @Override
        public DeviceMatch ofClass(String className) {
            DeviceMatch match = DeviceMatch.of(classes.containsKey(className));
            List<String> expressions = classes.getOrDefault(className, List.of());
            for (int i = 0; i < expressions.size() && match.equals(DeviceMatch.YES); i++) {
                match = of(expressions.get(i));
            }
            return match instanceof DeviceMatch.Unknown(String why)
                    ? new DeviceMatch.Unknown("DeviceClass " + className + ": " + why)
                    : match;
        }

        @Override
        public DeviceMatch of(String expression) {
            return device.facts()
                    .map(facts -> known.computeIfAbsent(expression, any -> evaluation.apply(expression, facts)))
                    .orElse(NEVER_SEEN);
        }
    }
}
