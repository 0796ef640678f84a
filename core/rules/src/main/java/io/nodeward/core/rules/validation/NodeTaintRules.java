package io.nodeward.core.rules.validation;

import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.FieldFault.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the API server finds wrong with the taints of a Node. There is no limit to how many a Node has. */
public final class NodeTaintRules {
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private NodeTaintRules() {}

    /**
     * All faults, in the order of the list; empty if a Node may have these taints.
     *
     * @param path where the list is, for example {@code spec.taints}
     */
    public static List<FieldFault> validate(String path, List<Taint> taints) {
        List<FieldFault> faults = new ArrayList<>(0);
        Set<TaintId> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            Taint taint = taints.get(i);
            String item = path + "[" + i + "]";
            key(item + ".key", taint.key(), faults);
            List<String> value = NameFaults.ofValue(taint.value());
            if (!value.isEmpty()) {
                faults.add(FieldFault.invalid(item + ".value", taint.value(), String.join(";", value)));
            }
            effect(item + ".effect", taint.effect(), faults);
            if (!seen.add(taint.id())) {
                faults.add(duplicate(item, taint));
            }
        }
        return faults;
    }

    /** Adds what is wrong with a key, one fault for each. */
    public static void key(String path, String key, List<FieldFault> faults) {
        for (String fault : NameFaults.ofKey(key)) {
            faults.add(FieldFault.invalid(path, key, fault));
        }
    }

    /** Adds what is wrong with an effect that has to be there. */
    public static void effect(String path, String effect, List<FieldFault> faults) {
        if (effect.isEmpty()) {
            faults.add(FieldFault.required(path));
        } else if (!NodeAcceptance.isEffect(effect)) {
            faults.add(FieldFault.notSupported(path, effect, EFFECTS));
        }
    }

    private static FieldFault duplicate(String path, Taint taint) {
        String value = "{\"Key\":" + Quoted.of(taint.key()) + ",\"Value\":" + Quoted.of(taint.value()) + ",\"Effect\":"
                + Quoted.of(taint.effect()) + ",\"TimeAdded\":null}";
        return new FieldFault(path, Type.DUPLICATE, value, "taints must be unique by key and effect pair");
    }
}
