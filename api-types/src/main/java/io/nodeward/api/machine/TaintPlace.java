package io.nodeward.api.machine;

import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where an object keeps its list of declared taints. */
public enum TaintPlace {
    /** Of a Machine. */
    MACHINE("spec", "taints"),
    /** Of a MachineSet, MachineDeployment or MachinePool. */
    TEMPLATE("spec", "template", "spec", "taints"),
    /** Of a control plane after the contract v1beta2. */
    CONTROL_PLANE("spec", "machineTemplate", "spec", "taints"),
    /** Of a control plane after the contract v1beta1. */
    CONTROL_PLANE_V1BETA1("spec", "machineTemplate", "taints");

    private final List<String> path;

    TaintPlace(String... path) {
        this.path = List.of(path);
    }

    /** Names of fields from the object's root to the list. */
    public List<String> path() {
        return path;
    }

    /** What has these taints alone in this place; null if there are none, as the list may be absent, but not empty. */
    public Tree holding(List<MachineTaint> taints) {
        Tree tree = taints.isEmpty() ? Tree.ABSENT : Tree.of(taints.stream().map(TaintPlace::fields).toList());
        for (String field : path.reversed()) {
            tree = Tree.of(Map.of(field, tree));
        }
        return tree;
    }

    private static Map<String, String> fields(MachineTaint taint) {
        Map<String, String> fields = new TreeMap<>(Map.of(
                "key", taint.key(), "effect", taint.effect(), "propagation", taint.propagation()));
        if (!taint.value().isEmpty()) {
            fields.put("value", taint.value());
        }
        return fields;
    }

    /** As the API server names it, for example {@code spec.template.spec.taints}. */
    @Override
    public String toString() {
        return String.join(".", path);
    }
}
