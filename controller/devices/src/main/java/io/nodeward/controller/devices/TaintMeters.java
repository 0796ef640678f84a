package io.nodeward.controller.devices;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Condition;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.EvictionState;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What the status of each DeviceTaintRule and DeviceTaintSlice counts, as gauges, and how often expressions are evaluated. */
final class TaintMeters {
    private final MeterRegistry registry;
    /** The fields of the status that count, of those without a fault. */
    private final Map<DeviceKey, Tree> counts = new ConcurrentHashMap<>();
    private final Map<DeviceKey, List<Meter>> meters = new ConcurrentHashMap<>();
    private final Map<DeviceKey, State> states = new ConcurrentHashMap<>();

    /** What the taints of an object do, as it was decided last. */
    enum State {
        INVALID("Invalid"), WAITING("Waiting"), PREVIEW("Preview"), NOT_ENFORCED("NotEnforced"), ENFORCED(
                "Enforced"),
        EVICTING("Evicting");

        private final String word;

        State(String word) {
            this.word = word;
        }

        static State of(TaintSource source, Text enforced, EvictionState evicting) {
            if (!source.isValid()) {
                return INVALID;
            }
            if (evicting.isInProgress()) {
                return EVICTING;
            }
            if (!source.facts().keepsPodsOff()) {
                return PREVIEW;
            }
            return enforced.status().equals(Condition.TRUE) ? ENFORCED : NOT_ENFORCED;
        }
    }

    TaintMeters(MeterRegistry registry, Devices devices) {
        this.registry = registry;
        FunctionCounter.builder("nodeward.devices.evaluations", devices, Devices::evaluations)
                .description("Expressions of DeviceTaintRules and their DeviceClasses that were evaluated, each for a"
                        + " device")
                .register(registry);
        registerStates(Kind.RULE, "nodeward.devices.rules", "DeviceTaintRules by what they do");
        registerStates(Kind.TAINT_SLICE, "nodeward.devices.taint.slices", "DeviceTaintSlices by what they do");
        for (String effect : RuleFaults.EFFECTS) {
            Gauge.builder("nodeward.devices.tainted", devices, all -> all.tainted(effect)).tag("effect", effect)
                    .description("Devices that have a taint of this effect, of a DeviceTaintRule or DeviceTaintSlice")
                    .register(registry);
        }
    }

    private void registerStates(Kind kind, String name, String description) {
        for (State state : State.values()) {
            Gauge.builder(name, states, all -> all.entrySet().stream()
                    .filter(each -> each.getKey().kind() == kind && each.getValue() == state).count())
                    .tag("state", state.word).description(description).register(registry);
        }
    }

    /** Counts an object as one of these from now on. */
    void show(DeviceKey key, State state) {
        states.put(key, state);
    }

    /** Shows what an object without a fault would do. */
    void show(TaintSource source) {
        if (source.isValid()) {
            counts.put(source.key(), source.counts());
            meters.computeIfAbsent(source.key(), this::register);
        } else {
            hide(source.key());
        }
    }

    /** Forgets an object that does not exist. */
    void forget(DeviceKey key) {
        states.remove(key);
        hide(key);
    }

    private void hide(DeviceKey key) {
        counts.remove(key);
        Optional.ofNullable(meters.remove(key)).ifPresent(gone -> gone.forEach(registry::remove));
    }

    private List<Meter> register(DeviceKey key) {
        return key.kind() == Kind.RULE
                ? List.of(gauge("nodeward.devices.selected", "Devices that a DeviceTaintRule selects", "rule", key,
                        "devices"),
                        gauge("nodeward.devices.pods", "Pods that the effect NoExecute of a DeviceTaintRule evicts, or"
                                + " would evict; NaN while that is unknown", "rule", key, "pods"))
                : List.of(gauge("nodeward.devices.taint.slice.devices", "Devices that a DeviceTaintSlice names and"
                        + " ResourceSlices publish", "taint_slice", key, "devices"),
                        gauge("nodeward.devices.taint.slice.pods",
                                "Pods that taints of a DeviceTaintSlice with the effect"
                                        + " NoExecute evict",
                                "taint_slice", key, "pods"));
    }

    /** @param field of the counts; absent while its number is unknown */
    private Meter gauge(String name, String description, String tag, DeviceKey key, String field) {
        return Gauge.builder(name, counts, all -> Optional.ofNullable(all.get(key)).stream()
                .flatMapToLong(each -> each.at(field).integer().stream()).asDoubleStream().findFirst()
                .orElse(Double.NaN)).tag(tag, key.object().name()).description(description).register(registry);
    }
}
