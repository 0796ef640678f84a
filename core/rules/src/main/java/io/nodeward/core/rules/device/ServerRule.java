package io.nodeward.core.rules.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Sha256;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * A DeviceTaintRule of Kubernetes, by which the scheduler learns of devices that a rule of Nodeward selects. It selects by
 * names alone. Its own name follows from all that it says: what says something else is another object, since a server that
 * sees an effect edited takes that for a new taint, and evicts at once.
 *
 * @param name of the object
 * @param selector the names of one device, or those that the rule itself declares
 * @param effect {@code NoSchedule} or {@code NoExecute}
 */
public record ServerRule(String name, DeviceTaintSelector selector, String key, String value, String effect) {
    /** Kubernetes counts tolerated time in nanoseconds of 64 bits: what wraps round reaches back by 292.3 years. */
    private static final Duration FAR = Duration.ofDays(300L * 365 + 75);
    private static final Duration FAR_ENOUGH = FAR.minus(Duration.ofDays(5L * 365));
    private static final int LONGEST_PREFIX = 200;
    private static final int DIGITS = 16;
    /** The condition that the controller of the server sets on each of its rules. */
    private static final String REPORT = "EvictionInProgress";

    /**
     * Returns those that stand for a rule: one if it selects by names alone, which is for devices to come as well, or else one for
     * each device. Names that are common to several devices would be those of other devices too, now or later.
     *
     * @param uid of the rule
     * @param devices that it selects
     */
    public static List<ServerRule> all(
            String uid, String rule, DeviceTaintRule declared, Collection<DeviceName> devices) {
        return declared.selector().map(selector -> selector.isByNames()
                ? List.of(of(uid, rule, selector, declared.taint()))
                : devices.stream().map(device -> of(uid, rule, only(device), declared.taint())).toList())
                .orElse(List.of());
    }

    /**
     * Returns how many these are.
     *
     * @param devices that it selects, counted if it depends on them
     */
    public static int count(DeviceTaintRule declared, IntSupplier devices) {
        return declared.selector().map(selector -> selector.isByNames() ? 1 : devices.getAsInt()).orElse(0);
    }

    private static DeviceTaintSelector only(DeviceName device) {
        return new DeviceTaintSelector(Optional.empty(), Optional.of(device.driver()), Optional.of(device.pool()),
                Optional.of(device.device()), List.of());
    }

    private static ServerRule of(String uid, String rule, DeviceTaintSelector selector, RuleTaint taint) {
        String content = String.join("\n", uid, text(selector.driver()), text(selector.pool()),
                text(selector.device()), taint.key(), taint.value(), taint.effect());
        String prefix = rule.length() <= LONGEST_PREFIX ? rule : rule.substring(0, LONGEST_PREFIX);
        return new ServerRule(
                "nodeward-" + prefix.replaceFirst("[-.]+$", "") + "-" + Sha256.hex(content).substring(0, DIGITS),
                selector,
                taint.key(), taint.value(), taint.effect());
    }

    /** Returns the name, or a slash, which is no name. */
    private static String text(Optional<String> name) {
        return name.orElse("/");
    }

    /** Returns the time that its taint gets: so late that Kubernetes evicts no pod, however long a claim tolerates it. */
    public Optional<Instant> timeAdded(Instant now) {
        return evicts(effect) ? Optional.of(now.plus(FAR)) : Optional.empty();
    }

    /** Returns the spec of the object. */
    public Tree spec(Instant now) {
        Map<String, Object> taint = new HashMap<>(Map.of("key", key, "effect", effect));
        if (!value.isEmpty()) {
            taint.put("value", value);
        }
        timeAdded(now).ifPresent(time -> taint.put("timeAdded", time.toString()));
        Map<String, Object> names = new HashMap<>();
        selector.driver().ifPresent(driver -> names.put("driver", driver));
        selector.pool().ifPresent(pool -> names.put("pool", pool));
        selector.device().ifPresent(device -> names.put("device", device));
        return Tree.of(Map.of("deviceSelector", names, "taint", taint));
    }

    /** Returns whether an object says what this says, and is of this owner. */
    boolean is(CustomResource<DeviceTaintRule> found, String owner, Instant now) {
        RuleTaint taint = found.spec().taint();
        return found.spec().selector().equals(Optional.of(selector)) && isOf(taint) && isHarmless(taint, now)
                && found.metadata().owners().stream().anyMatch(each -> each.uid().equals(owner));
    }

    /** Returns whether it is of this taint, whenever that was added. */
    boolean isOf(RuleTaint taint) {
        return taint.key().equals(key) && taint.value().equals(value) && taint.effect().equals(effect);
    }

    /** Returns whether Kubernetes has reported on a rule of the server, as it is. */
    static boolean isReported(CustomResource<DeviceTaintRule> found) {
        return found.conditions().stream().anyMatch(
                condition -> condition.type().equals(REPORT) && condition.observedGeneration() == found.generation());
    }

    /** Returns whether Kubernetes evicts no pod for the taint. */
    static boolean isHarmless(RuleTaint taint, Instant now) {
        return !evicts(taint.effect())
                || taint.timeAdded().filter(time -> time.isAfter(now.plus(FAR_ENOUGH))).isPresent();
    }

    private static boolean evicts(String effect) {
        return effect.equals(DeviceVerdict.NO_EXECUTE);
    }
}
