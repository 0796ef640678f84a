package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceModel.selector;
import static io.nodeward.core.rules.device.DeviceModel.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.PublishedTaint;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.device.DeviceModel.Answer;
import io.nodeward.core.rules.device.Pools.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TaintedDevicesLawsTest {
    private static final List<Optional<DeviceTaintSelector>> SELECTORS = List.of(Optional.empty(), selector(),
            selector("driver:d"), selector("pool:p0"), selector("device:x1"), selector("pool:p1", "device:x0", "k=1"),
            selector("k=1"), selector("j=1"), selector("class:c0"), selector("class:c1", "k=1"),
            selector("driver:d", "class:c0"), selector("pool:p1", "class:c1"));
    private static final List<DeviceName> NAMES = List.of(new DeviceName("d", "p0", "x0"),
            new DeviceName("d", "p0", "x1"), new DeviceName("d", "p1", "x0"), new DeviceName("d", "p1", "x1"));

    /** In any order, wherever an evaluation is interrupted, the same answers in the end. */
    @Test
    void the_order_of_events_does_not_matter() {
        DeviceName unseen = new DeviceName("d", "gone", "x9");
        List<Consumer<DeviceModel>> events = List.of(
                model -> model.slice("old", slice("p0", Map.of("x0", Map.of("k", "1"), "x1", Map.of("k", "1")))),
                model -> model.slice("new", new Slice<>("d", "p0", 2, slice("p0",
                        Map.of("x1", Map.of("k", "2"), "x2", Map.of("k", "1"))).devices())),
                model -> model.rule("names", selector("driver:d")),
                model -> model.rule("expression", selector("k=1")),
                model -> model.rule("class", selector("class:c")),
                model -> model.deviceClass("c", Optional.of(List.of("k=2"))),
                model -> model.allocated(unseen));
        DeviceModel expected = new DeviceModel();
        events.forEach(event -> event.accept(expected));
        assertThat(expected.selected("names")).containsExactly("x1", "x2", "x9");
        assertThat(expected.selected("expression")).containsExactly("x2");
        assertThat(expected.selected("class")).containsExactly("x1");

        int run = 0;
        for (List<Consumer<DeviceModel>> order : orders(events)) {
            DeviceModel model = new DeviceModel();
            model.interruptAfter(run++ % 5 == 0 ? Integer.MAX_VALUE : run % 5);
            order.forEach(event -> event.accept(model));
            while (model.tainted.isOpen()) {
                model.evaluate();
            }
            for (String rule : List.of("names", "expression", "class")) {
                assertThat(model.devices(rule)).isEqualTo(expected.devices(rule));
            }
            assertThat(model.rules(unseen)).isEqualTo(expected.rules(unseen));
        }
    }

    /** After each of any events: the answers are those of all rules to all devices, and the rules returned those that changed. */
    @Test
    void after_any_events_answers_are_as_computed_from_scratch() {
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            Scratch scratch = new Scratch();
            for (int step = 0; step < 20; step++) {
                Map<String, List<Object>> before = scratch.all();
                scratch.event(random);
                Set<String> returned = scratch.model.evaluate();
                Map<String, List<Object>> after = scratch.all();

                assertThat(scratch.answered()).as("seed %s, step %s", seed, step).isEqualTo(after);
                assertThat(returned).as("seed %s, step %s", seed, step).containsAll(changed(before, after));
                returned.removeAll(changed(before, after));
                assertThat(returned).as("seed %s, step %s: its selector or a reason is another", seed, step)
                        .allSatisfy(rule -> assertThat(scratch.mayDiffer(rule)).isTrue());
            }
        }
    }

    /** What several events have changed together, whatever lies between. */
    @Test
    void events_that_are_evaluated_together_have_the_same_answers() {
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            Scratch scratch = new Scratch();
            for (int step = 0; step < 6; step++) {
                Map<String, List<Object>> before = scratch.all();
                for (int event = 0; event < 4; event++) {
                    scratch.event(random);
                }
                Set<String> returned = scratch.model.evaluate();

                assertThat(scratch.answered()).as("seed %s, step %s", seed, step).isEqualTo(scratch.all());
                assertThat(returned).as("seed %s, step %s", seed, step).containsAll(changed(before, scratch.all()));
            }
        }
    }

    /** Whoever looks at rules when they are returned, and at no other time, knows all that are not open. */
    @Test
    void what_is_returned_is_right_wherever_evaluations_are_interrupted() {
        int open = 0;
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            Scratch scratch = new Scratch();
            scratch.model.interruptAfter(1 + seed % 4);
            Map<String, List<Object>> known = scratch.all();
            for (int step = 0; step < 4 + 16; step++) {
                for (int event = 0; step < 4 && event < 4; event++) {
                    scratch.event(random);
                }
                Set<String> returned = scratch.model.evaluate();
                Map<String, List<Object>> expected = scratch.all();
                assertThat(returned).as("seed %s, step %s", seed, step).noneMatch(scratch.model.tainted::isOpen);
                returned.forEach(rule -> known.put(rule, scratch.answered(rule)));
                for (String rule : scratch.rules.keySet()) {
                    if (scratch.model.tainted.isOpen(rule)) {
                        open++;
                    } else {
                        assertThat(known.get(rule)).as("seed %s, step %s, %s", seed, step, rule)
                                .isEqualTo(expected.get(rule)).isEqualTo(scratch.answered(rule));
                    }
                }
            }
            assertThat(scratch.model.tainted.isOpen()).as("seed %s: each evaluation asks something", seed).isFalse();
        }
        assertThat(open).isGreaterThan(Cases.COUNT);
    }

    private static Set<String> changed(Map<String, List<Object>> before, Map<String, List<Object>> after) {
        Set<String> changed = new HashSet<>(after.keySet());
        changed.removeIf(rule -> Objects.equals(before.get(rule), after.get(rule)));
        return changed;
    }

    /** All that is known, and the answers that follow, without any index. */
    private static final class Scratch {
        final Map<String, Optional<DeviceTaintSelector>> rules = new TreeMap<>();
        private final DeviceModel model = new DeviceModel();
        private final Map<String, List<String>> classes = new HashMap<>();
        private final Set<DeviceName> allocated = new HashSet<>();
        private String changed = "";
        private final Map<DeviceName, Map<String, String>> seen = new HashMap<>();

        private Scratch() {
            for (int i = 0; i < 4; i++) {
                rules.put("r" + i, Optional.empty());
            }
        }

        void event(Random random) {
            changed = "";
            int kind = random.nextInt(6);
            switch (kind) {
                case 0 -> rule("r" + random.nextInt(4), SELECTORS.get(random.nextInt(SELECTORS.size())));
                case 1 -> deviceClass("c" + random.nextInt(2), random);
                case 2, 3 -> slice("s" + random.nextInt(3), random);
                default -> claim(NAMES.get(random.nextInt(NAMES.size())), random.nextBoolean());
            }
            model.published().forEach((name, device) -> seen.put(name, device.facts()));
            seen.keySet().removeIf(name -> !model.published().containsKey(name) && !allocated.contains(name));
        }

        private void rule(String name, Optional<DeviceTaintSelector> selector) {
            changed = name;
            rules.put(name, selector);
            model.tainted.rule(name, selector);
        }

        private void deviceClass(String name, Random random) {
            Optional<List<String>> now = List.of(Optional.<List<String>>empty(), Optional.of(List.<String>of()),
                    Optional.of(List.of("k=1")), Optional.of(List.of("k=1", "j=1"))).get(random.nextInt(4));
            now.ifPresentOrElse(all -> classes.put(name, all), () -> classes.remove(name));
            model.tainted.deviceClass(name, now);
        }

        private void slice(String name, Random random) {
            Map<String, Map<String, String>> devices = new HashMap<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                devices.put("x" + random.nextInt(2), Map.of("k", "" + random.nextInt(2), "i" + random.nextInt(2), "1"));
            }
            model.publish(name, random.nextInt(3) == 0
                    ? Optional.empty()
                    : Optional.of(new Slice<>("d", "p" + random.nextInt(2), random.nextInt(2),
                            DeviceModel.slice("", devices).devices())));
        }

        private void claim(DeviceName name, boolean has) {
            if (has) {
                allocated.add(name);
            } else {
                allocated.remove(name);
            }
            model.claimed(name, has);
        }

        Map<String, List<Object>> all() {
            Map<String, List<Object>> all = new HashMap<>();
            rules.forEach((rule, selector) -> {
                Map<DeviceName, Answer> answers = new HashMap<>();
                Set<DeviceName> devices = new HashSet<>(seen.keySet());
                devices.addAll(allocated);
                for (DeviceName name : devices) {
                    DeviceMatch match = SelectorMatch.of(selector, name, facts(Optional.ofNullable(seen.get(name))));
                    if (!match.equals(DeviceMatch.NO)) {
                        answers.put(name, new Answer(match, model.published().containsKey(name)));
                    }
                }
                all.put(rule, List.of(answers, selector.flatMap(DeviceTaintSelector::deviceClassName)
                        .filter(name -> !classes.containsKey(name))));
            });
            return all;
        }

        Map<String, List<Object>> answered() {
            Map<String, List<Object>> all = new HashMap<>();
            rules.keySet().forEach(rule -> all.put(rule, answered(rule)));
            return all;
        }

        List<Object> answered(String rule) {
            Map<DeviceName, Answer> answers = new HashMap<>();
            NAMES.forEach(name -> Optional.ofNullable(model.rules(name).get(rule))
                    .ifPresent(answer -> answers.put(name, answer)));
            assertThat(model.devices(rule)).isEqualTo(answers);
            assertThat(model.tainted.count(rule)).isEqualTo(
                    answers.values().stream().filter(answer -> answer.match().equals(DeviceMatch.YES)).count());
            return List.of(answers, model.tainted.missingClass(rule));
        }

        /** Whether it may be returned although its answers are the same. */
        boolean mayDiffer(String rule) {
            return rule.equals(changed) || model.devices(rule).values().stream()
                    .anyMatch(answer -> answer.match() instanceof DeviceMatch.Unknown);
        }

        private SelectorMatch.Facts facts(Optional<Map<String, String>> facts) {
            return new SelectorMatch.Facts() {
                @Override
                public DeviceMatch ofClass(String name) {
                    if (!classes.containsKey(name)) {
                        return DeviceMatch.NO;
                    }
                    DeviceMatch match = classes.get(name).stream().map(this::of)
                            .filter(one -> !one.equals(DeviceMatch.YES)).findFirst().orElse(DeviceMatch.YES);
                    return match instanceof DeviceMatch.Unknown(String why)
                            ? new DeviceMatch.Unknown("DeviceClass " + name + ": " + why)
                            : match;
                }

                @Override
                public DeviceMatch of(PublishedTaint taint) {
                    return DeviceMatch.NO;
                }

                @Override
                public DeviceMatch of(String expression) {
                    return facts.map(known -> DeviceModel.answer(expression, known))
                            .orElse(new DeviceMatch.Unknown("no ResourceSlice publishes the device"));
                }
            };
        }
    }

    private static <T> List<List<T>> orders(List<T> all) {
        if (all.isEmpty()) {
            return List.of(List.of());
        }
        List<List<T>> orders = new ArrayList<>();
        for (T first : all) {
            List<T> rest = new ArrayList<>(all);
            rest.remove(first);
            for (List<T> order : orders(rest)) {
                List<T> one = new ArrayList<>(List.of(first));
                one.addAll(order);
                orders.add(one);
            }
        }
        return orders;
    }
}
