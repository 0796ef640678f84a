package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.PublishedTaint;
import io.nodeward.core.rules.device.SelectorMatch.Obstacle;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Asks devices what selectors say, with the classes that they name. An expression that several rules have, or their class, is
 * asked once of a device. Not safe for several threads.
 *
 * @param <F> what selectors read of a device
 */
final class RuleSelectors<F> {
    /** Expressions whose answers are kept. The one that was asked last is kept longest. */
    private static final int MOST = 1000;

    private final BiFunction<String, F, DeviceMatch> evaluation;
    private final Function<F, List<DeviceTaint>> driverTaints;
    private final Map<String, List<String>> classes = new HashMap<>();
    private final Map<String, Answers> lately = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Answers> eldest) {
            return size() > MOST;
        }
    };

    /** Answers to an expression, by the numbers of devices. */
    private record Answers(BitSet asked, MatchBits bits) {}

    RuleSelectors(BiFunction<String, F, DeviceMatch> evaluation, Function<F, List<DeviceTaint>> driverTaints) {
        this.evaluation = evaluation;
        this.driverTaints = driverTaints;
    }

    /** Returns what the class had before. */
    Optional<List<String>> setClass(String name, Optional<List<String>> now) {
        Optional<List<String>> was = Optional.ofNullable(classes.get(name));
        now.ifPresentOrElse(all -> classes.put(name, List.copyOf(all)), () -> classes.remove(name));
        return was;
    }

    Optional<String> missingClass(DeviceTaintSelector selector) {
        return selector.deviceClassName().filter(name -> !classes.containsKey(name));
    }

    /** Each expression is evaluated once for a device, until {@link #forget}. An answer that is unknown may lack its reason. */
    DeviceMatch match(DeviceTaintSelector selector, DeviceName name, int number, Optional<F> device) {
        return SelectorMatch.of(Optional.of(selector), name, facts(device, (expression, facts) -> {
            Answers known = lately.computeIfAbsent(expression, any -> new Answers(new BitSet(0), new MatchBits()));
            if (!known.asked().get(number)) {
                known.bits().set(number, evaluation.apply(expression, facts));
                known.asked().set(number);
            }
            return known.bits().get(number);
        }));
    }

    /** Returns why the selector does not select the device, or why that is not known; empty if it does. */
    Optional<Obstacle> obstacle(DeviceTaintSelector selector, DeviceName name, Optional<F> device) {
        return SelectorMatch.obstacle(selector, name, facts(device, evaluation));
    }

    private SelectorMatch.Facts facts(Optional<F> device, BiFunction<String, F, DeviceMatch> ask) {
        return new SelectorMatch.Facts() {
            @Override
            public DeviceMatch ofClass(String className) {
                return SelectorMatch.ofClass(className, Optional.ofNullable(classes.get(className)), this);
            }

            @Override
            public DeviceMatch of(PublishedTaint taint) {
                return device.map(facts -> DeviceMatch.of(driverTaints.apply(facts).stream().anyMatch(taint::matches)))
                        .orElse(DeviceMatch.NOT_PUBLISHED);
            }

            @Override
            public DeviceMatch of(String expression) {
                return device.map(facts -> ask.apply(expression, facts)).orElse(DeviceMatch.NOT_PUBLISHED);
            }
        };
    }

    /** Forgets the answers about a number, as its device is another one. */
    void forget(int number) {
        lately.values().forEach(known -> known.asked().clear(number));
    }

    void forgetAll() {
        lately.clear();
    }
}
