package io.nodeward.core.rules.command;

import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.validation.NameFaults;
import io.nodeward.core.rules.validation.NodeAcceptance;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The words of a command: a resource type and names, then taints.
 *
 * @param resources the type first; never empty
 * @param added in the order of the words, different in key and effect
 */
record TaintWords(List<String> resources, List<Taint> added, List<Removal> removed) {
    static TaintWords parse(List<String> words) {
        List<String> resources = new ArrayList<>();
        List<String> taints = new ArrayList<>();
        for (String word : words) {
            if (isTaint(word)) {
                taints.add(word);
            } else if (taints.isEmpty()) {
                resources.add(word);
            } else {
                throw TaintRefusal.of(Reason.RESOURCE_AFTER_TAINT,
                        "all resources must be specified before taint changes: " + word);
            }
        }
        if (resources.isEmpty()) {
            throw TaintRefusal.of(Reason.NO_RESOURCE,
                    "one or more resources must be specified as <resource> <name>");
        }
        if (taints.isEmpty()) {
            throw TaintRefusal.of(Reason.NO_TAINT, "at least one taint update is required");
        }
        return ofTaints(resources, taints);
    }

    private static boolean isTaint(String word) {
        return word.contains("=") || word.contains(":") || word.endsWith("-");
    }

    private static TaintWords ofTaints(List<String> resources, List<String> words) {
        List<Taint> added = new ArrayList<>();
        List<Removal> removed = new ArrayList<>();
        Set<TaintId> seen = new HashSet<>();
        for (String word : words) {
            if (word.endsWith("-")) {
                Spec spec = spec(word.substring(0, word.length() - 1));
                removed.add(new Removal(spec.key, spec.effect));
                continue;
            }
            Spec spec = spec(word);
            if (!seen.add(new TaintId(spec.key, spec.effect))) {
                throw TaintRefusal.of(Reason.REPEATED_TAINT, "duplicated taints with the same key and effect: {"
                        + spec.key + " " + spec.value + " " + spec.effect + " <nil>}");
            }
            added.add(Taint.of(spec.key, spec.value, spec.effect));
        }
        return new TaintWords(resources, added, removed);
    }

    private record Spec(String key, String value, String effect) {}

    /** {@code key}, {@code key:effect} or {@code key=value:effect}. */
    private static Spec spec(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length > 2) {
            throw unreadable(text, List.of());
        }
        String key = parts[0];
        String value = "";
        String effect = "";
        if (parts.length == 2) {
            effect = effect(parts[1]);
            String[] sides = key.split("=", -1);
            if (sides.length > 2) {
                throw unreadable(text, List.of());
            }
            key = sides[0];
            value = sides.length == 2 ? sides[1] : "";
        }
        require(text, NameFaults.ofValue(value));
        require(text, NameFaults.ofKey(key));
        return new Spec(key, value, effect);
    }

    private static String effect(String effect) {
        if (!NodeAcceptance.isEffect(effect)) {
            throw TaintRefusal.of(Reason.UNKNOWN_EFFECT,
                    "invalid taint effect: " + effect + ", unsupported taint effect");
        }
        return effect;
    }

    private static void require(String text, List<String> faults) {
        if (!faults.isEmpty()) {
            throw unreadable(text, faults);
        }
    }

    private static TaintRefusal unreadable(String text, List<String> faults) {
        String why = faults.isEmpty() ? "" : ", " + String.join("; ", faults);
        return TaintRefusal.of(Reason.UNREADABLE_TAINT, "invalid taint spec: " + text + why);
    }
}
