package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceTaintSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * The selectors of rules, with the classes that they name. Not safe for several threads.
 *
 * @param <F> what expressions read of a device
 */
final class RuleSelectors<F> {
    /**
     * So much text of expressions is evaluated together. With what one rule and its class may have besides, it is less than
     * what is kept of compiled expressions: each is compiled once, however many devices there are.
     */
    private static final int TOGETHER = 1 << 18;

    private final BiFunction<String, F, DeviceMatch> evaluation;
    private final Map<String, DeviceTaintSelector> selectors = new HashMap<>();
    private final Map<String, List<String>> classes = new HashMap<>();
    private final Map<String, Set<String>> rulesOfClass = new HashMap<>();

    RuleSelectors(BiFunction<String, F, DeviceMatch> evaluation) {
        this.evaluation = evaluation;
    }

    Optional<DeviceTaintSelector> of(String rule) {
        return Optional.ofNullable(selectors.get(rule));
    }

    /** Returns what the rule had before. */
    Optional<DeviceTaintSelector> set(String rule, Optional<DeviceTaintSelector> now) {
        Optional<DeviceTaintSelector> was = of(rule);
        was.flatMap(DeviceTaintSelector::deviceClassName).ifPresent(
                name -> rulesOfClass.computeIfPresent(name,
                        (any, all) -> all.remove(rule) && all.isEmpty() ? null : all));
        now.flatMap(DeviceTaintSelector::deviceClassName).ifPresent(
                name -> rulesOfClass.computeIfAbsent(name, any -> new HashSet<>()).add(rule));
        now.ifPresentOrElse(selector -> selectors.put(rule, selector), () -> selectors.remove(rule));
        return was;
    }

    /** Returns what the class had before. */
    Optional<List<String>> setClass(String name, Optional<List<String>> now) {
        Optional<List<String>> was = Optional.ofNullable(classes.get(name));
        now.ifPresentOrElse(all -> classes.put(name, List.copyOf(all)), () -> classes.remove(name));
        return was;
    }

    Set<String> ofClass(String name) {
        return rulesOfClass.getOrDefault(name, Set.of());
    }

    Optional<String> missingClass(String rule) {
        return of(rule).flatMap(DeviceTaintSelector::deviceClassName).filter(name -> !classes.containsKey(name));
    }

    /** Rules in groups, each of which has so much text that it can be evaluated device by device. */
    List<List<String>> groups(Collection<String> rules) {
        List<List<String>> groups = new ArrayList<>();
        List<String> group = new ArrayList<>();
        Set<String> expressions = new HashSet<>();
        int text = 0;
        for (String rule : rules) {
            group.add(rule);
            text += expressions(rule).filter(expressions::add).mapToInt(String::length).sum();
            if (text >= TOGETHER) {
                groups.add(group);
                group = new ArrayList<>();
                expressions.clear();
                text = 0;
            }
        }
        if (!group.isEmpty()) {
            groups.add(group);
        }
        return groups;
    }

    private Stream<String> expressions(String rule) {
        return of(rule).stream().flatMap(selector -> Stream.concat(selector.expressions().stream(),
                selector.deviceClassName().map(name -> classes.getOrDefault(name, List.of())).stream()
                        .flatMap(List::stream)));
    }

    /** What is known about a device. Each expression is evaluated once, as long as this is kept. */
    SelectorMatch.Facts facts(Optional<F> device) {
        return new Facts(device);
    }

    private final class Facts implements SelectorMatch.Facts {
        private final Optional<F> device;
        private final Map<String, DeviceMatch> known = new HashMap<>();

        private Facts(Optional<F> device) {
            this.device = device;
        }

        @Override
        public DeviceMatch ofClass(String className) {
            return SelectorMatch.ofClass(className, Optional.ofNullable(classes.get(className)), this);
        }

        @Override
        public DeviceMatch of(String expression) {
            return device
                    .map(facts -> known.computeIfAbsent(expression, any -> evaluation.apply(expression, facts)))
                    .orElse(DeviceMatch.NOT_PUBLISHED);
        }
    }
}
