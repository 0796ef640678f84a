package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Asks devices what selectors say, with the classes that they name. Not safe for several threads.
 *
 * @param <F> what expressions read of a device
 */
final class RuleSelectors<F> {
    private final BiFunction<String, F, DeviceMatch> evaluation;
    private final Map<String, List<String>> classes = new HashMap<>();
    private final Map<String, Set<String>> rulesOfClass = new HashMap<>();
    private final ExpressionAnswers lately = new ExpressionAnswers();

    RuleSelectors(BiFunction<String, F, DeviceMatch> evaluation) {
        this.evaluation = evaluation;
    }

    void add(String rule, DeviceTaintSelector selector) {
        selector.deviceClassName().ifPresent(
                name -> rulesOfClass.computeIfAbsent(name, any -> new HashSet<>()).add(rule));
    }

    void remove(String rule, DeviceTaintSelector selector) {
        selector.deviceClassName().ifPresent(name -> rulesOfClass.computeIfPresent(name,
                (any, all) -> all.remove(rule) && all.isEmpty() ? null : all));
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

    Optional<String> missingClass(DeviceTaintSelector selector) {
        return selector.deviceClassName().filter(name -> !classes.containsKey(name));
    }

    /** Each expression is evaluated once for a device, until {@link #forget}. An answer that is unknown may lack its reason. */
    DeviceMatch match(DeviceTaintSelector selector, DeviceName name, int number, Optional<F> device) {
        return SelectorMatch.of(Optional.of(selector), name, new Facts(device) {
            @Override
            DeviceMatch ask(String expression, F facts) {
                return lately.of(expression, number, () -> super.ask(expression, facts));
            }
        });
    }

    /** With the reason, if it is unknown. */
    DeviceMatch match(DeviceTaintSelector selector, DeviceName name, Optional<F> device) {
        return SelectorMatch.of(Optional.of(selector), name, new Facts(device));
    }

    /** The device of this number is another one. */
    void forget(int number) {
        lately.forget(number);
    }

    void forgetAll() {
        lately.clear();
    }

    private class Facts implements SelectorMatch.Facts {
        private final Optional<F> device;

        private Facts(Optional<F> device) {
            this.device = device;
        }

        @Override
        public DeviceMatch ofClass(String className) {
            return SelectorMatch.ofClass(className, Optional.ofNullable(classes.get(className)), this);
        }

        @Override
        public DeviceMatch of(String expression) {
            return device.map(facts -> ask(expression, facts)).orElse(DeviceMatch.NOT_PUBLISHED);
        }

        DeviceMatch ask(String expression, F facts) {
            return evaluation.apply(expression, facts);
        }
    }
}
