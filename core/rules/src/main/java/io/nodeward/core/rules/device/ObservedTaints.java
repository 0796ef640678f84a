package io.nodeward.core.rules.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.DeviceTaintSlice.Entry;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.device.TaintData;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Since when each taint of a DeviceTaintSlice counts, as its status shows it. Claims tolerate a taint for a time from then on: it
 * does not begin anew when the controller starts, and it does when the effect becomes NoExecute.
 */
public record ObservedTaints(List<Observed> taints) {
    /** The field of the status. */
    public static final String FIELD = "observedTaints";

    /** A copy of what is given. */
    public ObservedTaints {
        taints = List.copyOf(taints);
    }

    /** @param entry as it was declared, without what nobody has to remember */
    private record Observed(Entry entry, Instant since) {
        boolean is(Entry other) {
            return ListedTaints.id(entry).equals(ListedTaints.id(other))
                    && entry.taint().timeAdded().equals(other.taint().timeAdded());
        }

        /** Returns whether the effect has become NoExecute, and the time is that of the effect before. */
        boolean hasBecome(Entry other) {
            return other.taint().effect().equals(DeviceVerdict.NO_EXECUTE)
                    && !entry.taint().effect().equals(DeviceVerdict.NO_EXECUTE)
                    && entry.device().equals(other.device()) && entry.taint().key().equals(other.taint().key())
                    && entry.taint().timeAdded().equals(other.taint().timeAdded());
        }
    }

    /** Reads a field of a status, whatever it holds. */
    public static ObservedTaints of(Tree field) {
        List<Observed> taints = new ArrayList<>();
        for (Tree each : field.elements()) {
            time(each.at("since")).ifPresent(since -> taints.add(new Observed(new Entry(each.at("device").string(),
                    new RuleTaint(each.at("key").string(), each.at("value").string(), each.at("effect").string(),
                            time(each.at("timeAdded")), TaintData.NONE, "", 0)),
                    since)));
        }
        return new ObservedTaints(taints);
    }

    private static Optional<Instant> time(Tree text) {
        try {
            return text instanceof Tree.Absent ? Optional.empty() : Optional.of(Instant.parse(text.string()));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns those that follow these, now that the DeviceTaintSlice declares others. */
    public ObservedTaints now(DeviceTaintSlice slice, Instant now) {
        return new ObservedTaints(slice.taints().stream().map(entry -> new Observed(entry, since(entry)
                .orElseGet(() -> taints.stream().anyMatch(before -> before.hasBecome(entry)) ? now
                        : entry.taint().timeAdded().orElse(now))))
                .toList());
    }

    /** Returns since when a taint counts; empty if it has not been observed. */
    public Optional<Instant> since(Entry entry) {
        return taints.stream().filter(observed -> observed.is(entry)).map(Observed::since).findFirst();
    }

    /** Returns the field of the status. */
    public Tree tree() {
        return Tree.of(taints.stream().map(ObservedTaints::fields).toList());
    }

    private static Map<String, Object> fields(Observed observed) {
        RuleTaint taint = observed.entry().taint();
        Map<String, Object> fields = new HashMap<>(Map.of("device", observed.entry().device(), "key", taint.key(),
                "effect", taint.effect(), "since", observed.since().toString()));
        if (!taint.value().isEmpty()) {
            fields.put("value", taint.value());
        }
        taint.timeAdded().ifPresent(time -> fields.put("timeAdded", time.toString()));
        return fields;
    }
}
