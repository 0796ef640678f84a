package io.nodeward.controller.devices;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.Condition;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.EvictionState;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** What the status of each rule counts, as gauges, and how often expressions are evaluated. */
final class RuleMeters {
    private final MeterRegistry registry;
    private final Map<String, DevicePreview> previews = new ConcurrentHashMap<>();
    private final Map<String, List<Meter>> meters = new ConcurrentHashMap<>();
    private final Map<String, State> states = new ConcurrentHashMap<>();

    /** What a rule does, as it was decided last. */
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

    RuleMeters(MeterRegistry registry, Devices devices) {
        this.registry = registry;
        FunctionCounter.builder("nodeward.devices.evaluations", devices, Devices::evaluations)
                .description("Expressions of DeviceTaintRules and their DeviceClasses that were evaluated, each for a"
                        + " device")
                .register(registry);
        for (State state : State.values()) {
            Gauge.builder("nodeward.devices.rules", states, all -> Collections.frequency(all.values(), state))
                    .tag("state", state.word).description("DeviceTaintRules by what they do").register(registry);
        }
        for (String effect : RuleFaults.EFFECTS) {
            Gauge.builder("nodeward.devices.tainted", devices, all -> all.tainted(effect)).tag("effect", effect)
                    .description("Devices that have a taint of this effect, of a DeviceTaintRule or DeviceTaintSlice")
                    .register(registry);
        }
    }

    /** Counts a rule as one of these from now on. */
    void show(DeviceKey key, State state) {
        if (key.kind() == Kind.RULE) {
            states.put(key.object().name(), state);
        }
    }

    /** Shows what a rule without a fault would do. */
    void show(TaintSource source) {
        String name = source.object().key().name();
        source.preview().ifPresent(preview -> {
            if (source.isValid()) {
                previews.put(name, preview);
                meters.computeIfAbsent(name, this::register);
            } else {
                hide(name);
            }
        });
    }

    /** Forgets a rule that does not exist. */
    void forget(DeviceKey key) {
        if (key.kind() == Kind.RULE) {
            states.remove(key.object().name());
            hide(key.object().name());
        }
    }

    private void hide(String rule) {
        previews.remove(rule);
        Optional.ofNullable(meters.remove(rule)).ifPresent(gone -> gone.forEach(registry::remove));
    }

    private List<Meter> register(String rule) {
        return List.of(
                gauge("nodeward.devices.selected", "Devices that a DeviceTaintRule selects", rule,
                        preview -> preview.devices().count()),
                gauge("nodeward.devices.pods", "Pods that the effect NoExecute of a DeviceTaintRule evicts, or would"
                        + " evict; NaN while that is unknown", rule,
                        preview -> preview.isKnown() ? preview.evicted().count() : Double.NaN));
    }

    private Meter gauge(String name, String description, String rule, ToDoubleFunction<DevicePreview> count) {
        return Gauge.builder(name, previews,
                all -> Optional.ofNullable(all.get(rule)).map(count::applyAsDouble).orElse(0.0)).tag("rule", rule)
                .description(description).register(registry);
    }
}
