package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.PublishedTaint;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.pod.EvictionMode;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.rules.validation.FieldFault.Type;
import io.nodeward.core.rules.validation.NameFaults;
import io.nodeward.core.rules.validation.Quoted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What is wrong with a DeviceTaintRule or a DeviceTaintSlice: all that the schema refuses, for an object that is older than
 * it, and what no schema can see.
 */
public final class RuleFaults {
    /** Of a taint. */
    public static final List<String> EFFECTS = List.of("None", "NoSchedule", "NoExecute");
    /** How pods are evicted. */
    public static final List<String> MODES = List.of(EvictionMode.DELETE, EvictionMode.RESPECT);
    private static final String DEADLINE = "spec.deadlineSeconds";
    private static final String UNTAINT_AFTER = "spec.untaintAfter";
    /** Seconds. */
    private static final long YEAR = 365 * 24 * 3600;
    private static final String SELECTOR = "spec.deviceSelector.";
    private static final String PUBLISHED = SELECTOR + "publishedTaint.";
    private static final String TAINT = "spec.taint.";
    private static final String TAINTS = "spec.taints";
    private static final String RESERVED = "kubernetes.io";
    private static final int MOST_SELECTORS = 32;
    private static final int MOST_TAINTS = 32;
    private static final int LONGEST_DRIVER = 63;
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_DATA = 10 * 1024;
    private static final int LONGEST_DESCRIPTION = 1024;
    /** In a second: more than API servers delete. */
    private static final int MOST_EVICTIONS = 1000;
    /** Of a text that may be long, as much as a message shows. */
    private static final int SHOWN = 200;

    private final List<FieldFault> faults = new ArrayList<>(0);

    private RuleFaults() {}

    /**
     * All faults, in the order of the fields.
     *
     * @param compileError what is wrong with an expression; empty if it can be evaluated
     */
    public static List<FieldFault> of(DeviceTaintRule rule, Function<String, Optional<String>> compileError) {
        RuleFaults all = new RuleFaults();
        rule.selector().ifPresent(selector -> all.selector(selector, compileError));
        all.taint(TAINT, rule.taint());
        all.mode(rule.eviction());
        if (!rule.untaintAfter().isEmpty() && rule.untaintDelay().filter(RuleFaults::isDelay).isEmpty()) {
            all.add(UNTAINT_AFTER, rule.untaintAfter(), List.of("must be a time in hours, minutes and seconds, "
                    + "from 1s to 8760h, such as 10m or 1h30m"));
        }
        return List.copyOf(all.faults);
    }

    private static boolean isDelay(Duration delay) {
        return delay.isPositive() && delay.toSeconds() <= YEAR;
    }

    /** All faults, in the order of the fields. */
    public static List<FieldFault> of(DeviceTaintSlice slice) {
        RuleFaults all = new RuleFaults();
        all.required("spec.driver", slice.driver(), name -> NameFaults.ofSubdomain(name, LONGEST_DRIVER));
        all.required("spec.pool", slice.pool(), RuleFaults::ofPool);
        int size = slice.taints().size();
        if (size > MOST_TAINTS) {
            all.add(TAINTS, size + " items", List.of("must have at most " + MOST_TAINTS + " items"));
            return List.copyOf(all.faults);
        }
        all.mode(slice.eviction());
        Set<String> before = new HashSet<>();
        for (int i = 0; i < size; i++) {
            DeviceTaintSlice.Entry entry = slice.taints().get(i);
            String path = TAINTS + "[" + i + "]";
            all.required(path + ".device", entry.device(), NameFaults::ofLabel);
            all.taint(path + ".taint.", entry.taint());
            if (!before.add(ListedTaints.id(entry))) {
                all.faults.add(new FieldFault(path, Type.DUPLICATE, Quoted.of(shown(ListedTaints.id(entry))), ""));
            }
        }
        return List.copyOf(all.faults);
    }

    /** What is allowed, and not advisable. */
    public static List<String> warnings(DeviceTaintRule rule) {
        List<String> all = new ArrayList<>(warnings(TAINT, rule.taint().key()));
        if (!rule.untaintAfter().isEmpty() && rule.selector().filter(DeviceTaintSelector::isByNames).isPresent()) {
            all.add(UNTAINT_AFTER + ": it has no effect, as the rule selects by driver, pool and device alone");
        }
        return all;
    }

    /** What is allowed, and not advisable. */
    public static List<String> warnings(DeviceTaintSlice slice) {
        return slice.taints().stream().limit(MOST_TAINTS).map(entry -> entry.taint().key()).distinct()
                .flatMap(key -> warnings(TAINTS + "[].taint.", key).stream()).toList();
    }

    private static List<String> warnings(String path, String key) {
        return key.indexOf('/') >= 0 || !NameFaults.ofKey(key).isEmpty()
                ? List.of()
                : List.of(path + "key: " + key + " has no domain, so others may use the same key for another purpose; "
                        + "choose one in a domain of yours, such as example.com/" + key);
    }

    private void selector(DeviceTaintSelector selector, Function<String, Optional<String>> compileError) {
        selector.deviceClassName().ifPresent(
                name -> add(SELECTOR + "deviceClassName", name, NameFaults.ofSubdomain(name, LONGEST_NAME)));
        selector.driver().ifPresent(
                name -> add(SELECTOR + "driver", name, NameFaults.ofSubdomain(name, LONGEST_DRIVER)));
        selector.pool().ifPresent(name -> add(SELECTOR + "pool", name, ofPool(name)));
        selector.device().ifPresent(name -> add(SELECTOR + "device", name, NameFaults.ofLabel(name)));
        selector.publishedTaint().ifPresent(this::published);
        int size = selector.expressions().size();
        if (size > MOST_SELECTORS) {
            add(SELECTOR + "selectors", size + " items", List.of("must have at most " + MOST_SELECTORS + " items"));
            return;
        }
        for (int i = 0; i < size; i++) {
            String expression = selector.expressions().get(i);
            String field = SELECTOR + "selectors[" + i + "].cel.expression";
            compileError.apply(expression).ifPresent(why -> add(field, expression, List.of(shown(why))));
        }
    }

    private void published(PublishedTaint taint) {
        required(PUBLISHED + "key", taint.key(), NameFaults::ofKey);
        taint.value().ifPresent(value -> add(PUBLISHED + "value", value, NameFaults.ofValue(value)));
        taint.effect().filter(effect -> !EFFECTS.contains(effect)).ifPresent(
                effect -> faults.add(FieldFault.notSupported(PUBLISHED + "effect", shown(effect), EFFECTS)));
    }

    private static List<String> ofPool(String name) {
        if (name.length() > LONGEST_NAME) {
            return List.of("must be no more than " + LONGEST_NAME + " bytes");
        }
        List<String> faults = new ArrayList<>(0);
        for (String part : name.split("/", -1)) {
            faults.addAll(NameFaults.ofSubdomain(part, LONGEST_NAME));
        }
        return faults.stream().distinct().toList();
    }

    private void taint(String path, RuleTaint taint) {
        key(path, taint.key());
        add(path + "value", taint.value(), NameFaults.ofValue(taint.value()));
        effect(path, taint.effect());
        if (taint.data().bytes() > LONGEST_DATA) {
            add(path + "data", taint.data().bytes() + " bytes",
                    List.of("must be no more than " + LONGEST_DATA + " bytes as JSON"));
        }
        if (taint.description().codePointCount(0, taint.description().length()) > LONGEST_DESCRIPTION) {
            add(path + "description", taint.description(),
                    List.of("must be no more than " + LONGEST_DESCRIPTION + " characters"));
        }
        if (taint.evictionsPerSecond() < 1) {
            add(path + "evictionsPerSecond", String.valueOf(taint.evictionsPerSecond()),
                    List.of("must be greater than or equal to 1"));
        }
        if (taint.evictionsPerSecond() > MOST_EVICTIONS) {
            add(path + "evictionsPerSecond", String.valueOf(taint.evictionsPerSecond()),
                    List.of("must be less than or equal to " + MOST_EVICTIONS));
        }
    }

    private void mode(EvictionMode mode) {
        if (!MODES.contains(mode.name())) {
            faults.add(FieldFault.notSupported("spec.eviction", shown(mode.name()), MODES));
        }
        mode.deadlineSeconds().ifPresent(seconds -> {
            String text = String.valueOf(seconds);
            if (!mode.respectsBudgets()) {
                add(DEADLINE, text, List.of("may only be set together with eviction: " + EvictionMode.RESPECT));
            }
            if (seconds < 1 || seconds > YEAR) {
                add(DEADLINE, text, List.of("must be between 1 and " + YEAR));
            }
        });
    }

    private void key(String path, String key) {
        if (key.isEmpty()) {
            faults.add(FieldFault.required(path + "key"));
            return;
        }
        add(path + "key", key, NameFaults.ofKey(key));
        int slash = key.indexOf('/');
        if (slash >= 0 && isReserved(key.substring(0, slash))) {
            add(path + "key", key, List.of("keys under " + RESERVED + " are reserved for Kubernetes"));
        }
    }

    private static boolean isReserved(String domain) {
        return domain.equals(RESERVED) || domain.endsWith("." + RESERVED);
    }

    private void effect(String path, String effect) {
        if (effect.isEmpty()) {
            faults.add(FieldFault.required(path + "effect"));
        } else if (!EFFECTS.contains(effect)) {
            faults.add(FieldFault.notSupported(path + "effect", effect, EFFECTS));
        }
    }

    private void required(String field, String value, Function<String, List<String>> details) {
        if (value.isEmpty()) {
            faults.add(FieldFault.required(field));
        } else {
            add(field, value, details.apply(value));
        }
    }

    private void add(String field, String value, List<String> details) {
        details.forEach(detail -> faults.add(new FieldFault(field, Type.INVALID, Quoted.of(shown(value)), detail)));
    }

    private static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, text.offsetByCodePoints(0, SHOWN / 2)) + "...";
    }
}
