package io.nodeward.controller.app;

import static io.nodeward.controller.app.FeatureGate.AutoscalerAdapter;
import static io.nodeward.controller.app.FeatureGate.MachinePoolTaintPropagation;
import static io.nodeward.controller.app.FeatureGate.MachineTaintAdmission;
import static io.nodeward.controller.app.FeatureGate.MachineTaintPropagation;
import static io.nodeward.controller.app.FeatureGate.TopologyTaintPropagation;

import com.google.inject.Module;
import com.google.inject.util.Modules;
import io.nodeward.autoscaler.adapter.AdapterModule;
import io.nodeward.controller.admission.AdmissionCleanUpModule;
import io.nodeward.controller.admission.AdmissionModule;
import io.nodeward.controller.machine.MachineModule;
import io.nodeward.controller.machinepool.MachinePoolModule;
import io.nodeward.controller.topology.TopologyModule;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The one table of controllers: the gates that a controller needs, what it installs with them, and what it installs without
 * them, to remove what it wrote when they were on.
 */
enum KnownController {
    MACHINE(List.of(), (options, gates) -> new MachineModule(
            options.machine, gates.isOn(MachineTaintPropagation), options.initialization)),
    MACHINEPOOL(List.of(Set.of(MachinePoolTaintPropagation)), (options, gates) -> new MachinePoolModule(
            options.machinePool, gates.isOn(MachineTaintPropagation), options.initialization)),
    TOPOLOGY(List.of(Set.of(MachineTaintPropagation, TopologyTaintPropagation),
            Set.of(MachineTaintPropagation, MachinePoolTaintPropagation)), KnownController::topology,
            KnownController::topology),
    ADMISSION(List.of(Set.of(MachineTaintAdmission)), (options, gates) -> new AdmissionModule(
            options.admission, gates.isOn(MachineTaintPropagation)),
            (options, gates) -> new AdmissionCleanUpModule()),
    AUTOSCALER(List.of(Set.of(AutoscalerAdapter)), KnownController::autoscaler);

    /** An annotation wants a constant. */
    static final String HELP = "  machine%n"
            + "  machinepool (needs MachinePoolTaintPropagation)%n"
            + "  topology (needs MachineTaintPropagation and TopologyTaintPropagation,"
            + " or MachineTaintPropagation and MachinePoolTaintPropagation)%n"
            + "  admission (needs MachineTaintAdmission)%n"
            + "  autoscaler (needs AutoscalerAdapter)";

    /** Each of these sets is enough; none if the controller needs no gate. */
    private final List<Set<FeatureGate>> gates;
    private final Installation on;
    private final Installation off;

    /** What is installed, by flags and gates. */
    @FunctionalInterface
    private interface Installation {
        Module module(ControllerCommand options, FeatureGates gates);
    }

    KnownController(List<Set<FeatureGate>> gates, Installation on) {
        this(gates, on, (options, states) -> Modules.EMPTY_MODULE);
    }

    KnownController(List<Set<FeatureGate>> gates, Installation on, Installation off) {
        this.gates = gates;
        this.on = on;
        this.off = off;
    }

    /** Of metrics, logs and {@code --controllers}. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isOn(FeatureGates states) {
        return missing(states).isEmpty();
    }

    /** The fewest gates that are to be switched on for it, in order. */
    List<FeatureGate> missing(FeatureGates states) {
        return gates.stream().map(all -> all.stream().filter(gate -> !states.isOn(gate)).sorted().toList())
                .min(Comparator.comparingInt(List::size)).orElse(List.of());
    }

    /** As {@link #HELP} says it; empty if it needs none. */
    String needs() {
        return gates.stream().map(all -> all.stream().sorted().map(Enum::name).collect(Collectors.joining(" and ")))
                .collect(Collectors.joining(", or "));
    }

    /** With its gates off, this removes what it wrote when they were on. */
    Module module(ControllerCommand options, FeatureGates states) {
        return (isOn(states) ? on : off).module(options, states);
    }

    static List<String> names() {
        return Arrays.stream(values()).map(KnownController::text).toList();
    }

    private static Module topology(ControllerCommand options, FeatureGates gates) {
        boolean taints = gates.isOn(MachineTaintPropagation);
        return new TopologyModule(options.topology, taints && gates.isOn(TopologyTaintPropagation),
                taints && gates.isOn(MachinePoolTaintPropagation), options.watchFilter);
    }

    private static Module autoscaler(ControllerCommand options, FeatureGates gates) {
        boolean pools = gates.isOn(MachinePoolTaintPropagation);
        return new AdapterModule(options.autoscaler, gates.isOn(MachineTaintPropagation), pools,
                options.machine.labels(), pools && options.machinePool.labels());
    }
}
