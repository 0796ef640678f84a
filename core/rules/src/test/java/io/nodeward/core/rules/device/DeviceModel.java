package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.PublishedTaint;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.Pools.Slice;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** Slices, rules and classes in the tests of {@link TaintedDevices}, which counts evaluations here. */
final class DeviceModel {
    final TaintedDevices<Map<String, String>> tainted;
    private final Pools<Map<String, String>> pools = new Pools<>();
    private final Set<DeviceName> claimed = new HashSet<>();
    private final Map<String, Boolean> compiled = new LinkedHashMap<>(16, 0.75f, true);
    private int questions = Integer.MAX_VALUE;
    private int text;
    private int compilations;
    private int evaluations;

    DeviceModel() {
        tainted = new TaintedDevices<>(this::evaluate, facts -> List.of());
    }

    /** Of a rule and a device, with the reason. */
    record Answer(DeviceMatch match, boolean published) {}

    /** {@code key=value} of an attribute; of a device without the attribute it has no answer. */
    private DeviceMatch evaluate(String expression, Map<String, String> facts) {
        evaluations++;
        compile(expression);
        return answer(expression, facts);
    }

    static DeviceMatch answer(String expression, Map<String, String> facts) {
        int equals = expression.indexOf('=');
        String key = expression.substring(0, equals);
        return facts.containsKey(key)
                ? DeviceMatch.of(expression.substring(equals + 1).equals(facts.get(key)))
                : new DeviceMatch.Unknown("no such key: " + key);
    }

    /** So much text of expressions is kept compiled, as in the controller. */
    private void compile(String expression) {
        if (compiled.put(expression, true) == null) {
            compilations++;
            text += expression.length();
        }
        Iterator<String> eldest = compiled.keySet().iterator();
        while (text > 1 << 20) {
            text -= eldest.next().length();
            eldest.remove();
        }
    }

    int compilations() {
        int count = compilations;
        compilations = 0;
        return count;
    }

    /** How many there were since this was asked last. */
    int evaluations() {
        int count = evaluations;
        evaluations = 0;
        return count;
    }

    /** Without evaluating. */
    void publish(String name, Optional<Slice<Map<String, String>>> slice) {
        pools.slice(name, slice).keySet().forEach(this::look);
    }

    /** Without evaluating: whether a claim has the device from now on. */
    void claimed(DeviceName name, boolean isClaimed) {
        if (isClaimed ? claimed.add(name) : claimed.remove(name)) {
            look(name);
        }
    }

    private void look(DeviceName name) {
        tainted.device(name, pools.published(name).map(Device::facts), claimed.contains(name));
    }

    /** From now on, an evaluation is over after so many questions of a rule to a device. */
    void interruptAfter(int count) {
        questions = count;
    }

    Set<String> evaluate() {
        AtomicInteger left = new AtomicInteger(questions);
        return tainted.evaluate(() -> left.decrementAndGet() == 0);
    }

    Set<String> slice(String name, Slice<Map<String, String>> slice) {
        publish(name, Optional.of(slice));
        return evaluate();
    }

    Set<String> remove(String slice) {
        publish(slice, Optional.empty());
        return evaluate();
    }

    Set<String> rule(String rule, Optional<DeviceTaintSelector> selector) {
        tainted.rule(rule, selector);
        return evaluate();
    }

    Set<String> deviceClass(String name, Optional<List<String>> expressions) {
        tainted.deviceClass(name, expressions);
        return evaluate();
    }

    Set<String> allocated(DeviceName name) {
        claimed(name, true);
        return evaluate();
    }

    Set<String> released(DeviceName name) {
        claimed(name, false);
        return evaluate();
    }

    Map<DeviceName, Answer> devices(String rule) {
        Map<DeviceName, Answer> devices = new HashMap<>();
        tainted.forEachDevice(rule, (name, answer) -> devices.put(name, new Answer(
                answer.selected() ? DeviceMatch.YES : tainted.ask(rule, name), answer.published())));
        return devices;
    }

    Map<String, Answer> rules(DeviceName device) {
        Map<String, Answer> rules = new HashMap<>();
        tainted.rules(device).forEach(rule -> rules.put(rule, Objects.requireNonNull(devices(rule).get(device))));
        return rules;
    }

    Map<DeviceName, Device<Map<String, String>>> published() {
        return pools.published();
    }

    /** Names of the devices that a rule selects. */
    Set<String> selected(String rule) {
        Set<String> names = new TreeSet<>();
        devices(rule).forEach((name, answer) -> {
            if (answer.match().equals(DeviceMatch.YES)) {
                names.add(name.device());
            }
        });
        return names;
    }

    static Slice<Map<String, String>> slice(String pool, Map<String, Map<String, String>> devices) {
        return new Slice<>("d", pool, 1, devices.entrySet().stream()
                .map(device -> new Device<>(device.getKey(), device.getValue(), List.of())).toList());
    }

    /** Each part is {@code taint:EFFECT}, {@code class:c}, {@code driver:d}, {@code pool:p}, {@code device:x} or an expression. */
    static Optional<DeviceTaintSelector> selector(String... parts) {
        return Optional.of(new DeviceTaintSelector(part("class:", parts), part("driver:", parts), part("pool:", parts),
                part("device:", parts), List.of(parts).stream().filter(part -> part.contains("=")).toList(),
                part("taint:", parts).map(effect -> new PublishedTaint("drv", Optional.empty(), Optional.of(effect)))));
    }

    private static Optional<String> part(String prefix, String... parts) {
        return List.of(parts).stream().filter(part -> part.startsWith(prefix)).findFirst()
                .map(part -> part.substring(prefix.length()));
    }
}
