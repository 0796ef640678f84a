package io.nodeward.api.machine;

import java.util.List;

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

    /** As the API server names it, for example {@code spec.template.spec.taints}. */
    @Override
    public String toString() {
        return String.join(".", path);
    }
}
