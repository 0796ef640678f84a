package io.nodeward.controller.app;

import static io.nodeward.controller.app.KnownController.FeatureGate.AutoscalerAdapter;
import static io.nodeward.controller.app.KnownController.FeatureGate.DedicatedEvictions;
import static io.nodeward.controller.app.KnownController.FeatureGate.DedicatedNodes;
import static io.nodeward.controller.app.KnownController.FeatureGate.DedicatedPodAdmission;
import static io.nodeward.controller.app.KnownController.FeatureGate.DedicatedPodTolerations;
import static io.nodeward.controller.app.KnownController.FeatureGate.DeviceTaints;
import static io.nodeward.controller.app.KnownController.FeatureGate.MachinePoolTaintPropagation;
import static io.nodeward.controller.app.KnownController.FeatureGate.MachineTaintAdmission;
import static io.nodeward.controller.app.KnownController.FeatureGate.MachineTaintPropagation;
import static io.nodeward.controller.app.KnownController.FeatureGate.NodeTaintGuards;
import static io.nodeward.controller.app.KnownController.FeatureGate.TopologyTaintPropagation;

import com.google.inject.Module;
import com.google.inject.util.Modules;
import io.nodeward.autoscaler.adapter.AdapterConfig;
import io.nodeward.autoscaler.adapter.AdapterModule;
import io.nodeward.controller.admission.AdmissionCleanUpModule;
import io.nodeward.controller.admission.AdmissionConfig;
import io.nodeward.controller.admission.AdmissionModule;
import io.nodeward.controller.dedicated.DedicatedCleanUpModule;
import io.nodeward.controller.dedicated.DedicatedConfig;
import io.nodeward.controller.dedicated.DedicatedModule;
import io.nodeward.controller.devices.DevicesConfig;
import io.nodeward.controller.devices.DevicesModule;
import io.nodeward.controller.devices.ProjectionCleanUpModule;
import io.nodeward.controller.guard.GuardCleanUpModule;
import io.nodeward.controller.guard.GuardConfig;
import io.nodeward.controller.guard.GuardModule;
import io.nodeward.controller.machine.MachineConfig;
import io.nodeward.controller.machine.MachineModule;
import io.nodeward.controller.machinepool.MachinePoolConfig;
import io.nodeward.controller.machinepool.MachinePoolModule;
import io.nodeward.controller.topology.TopologyConfig;
import io.nodeward.controller.topology.TopologyModule;
import io.nodeward.core.rules.dedicated.PodFeatures;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The one table of controllers: the flags of a controller, the gates that it needs, what it installs with them, and what it
 * installs without them, to remove what it wrote when they were on. Flags and help are in the order of this table.
 */
enum KnownController {
    MACHINE(MachineConfig::new, List.of(), (options, gates) -> new MachineModule(
            options.config(MachineConfig.class), gates.isOn(MachineTaintPropagation), options.initialization,
            options.clusters.noExecute()), Installation.NONE),
    MACHINEPOOL(MachinePoolConfig::new, List.of(Set.of(MachinePoolTaintPropagation)),
            (options, gates) -> new MachinePoolModule(options.config(MachinePoolConfig.class),
                    gates.isOn(MachineTaintPropagation), options.initialization, options.clusters.noExecute()),
            Installation.NONE),
    TOPOLOGY(TopologyConfig::new, List.of(Set.of(MachineTaintPropagation, TopologyTaintPropagation),
            Set.of(MachineTaintPropagation, MachinePoolTaintPropagation)), KnownController::topology,
            KnownController::topology),
    ADMISSION(AdmissionConfig::new, List.of(Set.of(MachineTaintAdmission)),
            (options, gates) -> new AdmissionModule(options.config(AdmissionConfig.class),
                    gates.isOn(MachineTaintPropagation), gates.isOn(DeviceTaints),
                    options.config(DevicesConfig.class).listAttributes()),
            new Registration<>(AdmissionConfig.class, AdmissionCleanUpModule::new)),
    AUTOSCALER(AdapterConfig::new, List.of(Set.of(AutoscalerAdapter)), KnownController::autoscaler,
            Installation.NONE),
    DEDICATED(DedicatedConfig::new, List.of(Set.of(DedicatedNodes)),
            (options, gates) -> new DedicatedModule(
                    options.config(DedicatedConfig.class),
                    new PodFeatures(gates.isOn(DedicatedPodAdmission), gates.isOn(DedicatedPodTolerations),
                            gates.isOn(DedicatedEvictions))),
            new Registration<>(DedicatedConfig.class, DedicatedCleanUpModule::new)),
    DEVICES(DevicesConfig::new, List.of(Set.of(DeviceTaints)),
            (options, gates) -> new DevicesModule(options.config(DevicesConfig.class)),
            (options, gates) -> new ProjectionCleanUpModule()),
    GUARD(GuardConfig::new, List.of(Set.of(NodeTaintGuards)),
            (options, gates) -> new GuardModule(options.config(GuardConfig.class)),
            new Registration<>(GuardConfig.class, config -> new GuardCleanUpModule()));

    private final Supplier<?> config;
    /** Each of these sets is enough; none if the controller needs no gate. */
    private final List<Set<FeatureGate>> gates;
    private final Installation on;
    /** With its gates off. */
    private final Installation off;

    /** A feature that can be switched, as in Kubernetes. */
    enum FeatureGate {
        /** All of this stage, but for those that are switched by their own names. */
        AllAlpha("Alpha", false),
        AllBeta("Beta", false),
        MachineTaintPropagation("Beta", true),
        MachinePoolTaintPropagation("Alpha", false),
        TopologyTaintPropagation("Alpha", false),
        MachineTaintAdmission("Alpha", false),
        AutoscalerAdapter("Alpha", false),
        DedicatedNodes("Alpha", false),
        DedicatedPodAdmission("Alpha", false),
        DedicatedPodTolerations("Alpha", false),
        DedicatedEvictions("Alpha", false),
        DeviceTaints("Alpha", false),
        NodeTaintGuards("Alpha", false);

        private final String stage;
        private final boolean enabledByDefault;

        FeatureGate(String stage, boolean enabledByDefault) {
            this.stage = stage;
            this.enabledByDefault = enabledByDefault;
        }

        /** Alpha, Beta or GA. */
        String stage() {
            return stage;
        }

        boolean enabledByDefault() {
            return enabledByDefault;
        }

        /** The gate that switches all of its stage; empty if there is none. */
        Optional<FeatureGate> ofAll() {
            return Arrays.stream(values()).filter(gate -> gate.name().equals("All" + stage)).findFirst();
        }

        /** Lines for {@code --help}. */
        static String help() {
            return Arrays.stream(values())
                    .map(gate -> "  " + gate + "=true|false (" + gate.stage + ", default " + gate.enabledByDefault
                            + ")")
                    .collect(Collectors.joining("\n"));
        }
    }

    /** What is installed, by flags and gates. */
    @FunctionalInterface
    private interface Installation {
        Installation NONE = (options, gates) -> Modules.EMPTY_MODULE;

        Module module(ControllerCommand options, FeatureGates gates);
    }

    /**
     * Of a controller that has API servers ask or refuse something: what is left with them when it runs no more.
     *
     * @param config which says where they reach it
     * @param cleanUp which removes what has been registered there
     */
    private record Registration<C>(Class<C> config, Function<C, Module> cleanUp) implements Installation {
        @Override
        public Module module(ControllerCommand options, FeatureGates gates) {
            return cleanUp.apply(options.config(config));
        }
    }

    KnownController(Supplier<?> config, List<Set<FeatureGate>> gates, Installation on, Installation off) {
        this.config = config;
        this.gates = gates;
        this.on = on;
        this.off = off;
    }

    /** Of metrics, logs and {@code --controllers}. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its flags, as picocli's {@code @Option} fields, with their defaults. */
    Object newConfig() {
        return config.get();
    }

    boolean isOn(FeatureGates states) {
        return missing(states).isEmpty();
    }

    /** The fewest gates that are to be switched on for it, in order. */
    List<FeatureGate> missing(FeatureGates states) {
        return gates.stream().map(all -> all.stream().filter(gate -> !states.isOn(gate)).sorted().toList())
                .min(Comparator.comparingInt(List::size)).orElse(List.of());
    }

    /** Each of these sets is enough; none if it needs no gate. */
    List<List<FeatureGate>> needs() {
        return gates.stream().map(all -> all.stream().sorted().toList()).toList();
    }

    /** What {@code --cleanup} leaves of it: that holds without the controller. Empty if it leaves nothing. */
    String leaves() {
        return switch (this) {
            case MACHINE, MACHINEPOOL -> "taints, labels and annotations of Nodes";
            case TOPOLOGY -> "taints and conditions of Cluster API's objects";
            case ADMISSION, GUARD -> "";
            case AUTOSCALER -> "annotations of node groups";
            case DEDICATED -> "taints, labels and annotations of Nodes, and tolerations of pods";
            case DEVICES -> "DeviceTaintRules of Kubernetes";
        };
    }

    /**
     * Of those that are selected; with its gates off, one removes what it wrote when they were on. Of the others, what removes what
     * they have registered for this Nodeward: nobody else would, and API servers would go on to ask it.
     */
    static List<Module> modules(Set<KnownController> selected, ControllerCommand options, FeatureGates states) {
        return Arrays.stream(values())
                .flatMap(controller -> selected.contains(controller)
                        ? Stream.of((controller.isOn(states) ? controller.on : controller.off).module(options, states))
                        : controller.registration().filter(left -> options.namesService(left.config()))
                                .map(left -> left.module(options, states)).stream())
                .toList();
    }

    /**
     * Those which are not selected, and whose registrations {@link #modules} leaves: only a command line is of one process alone.
     * Another, which runs them, may have the same file of options or the same Service by default.
     */
    static List<String> leaving(Set<KnownController> selected, ControllerCommand options) {
        return Arrays.stream(values()).filter(controller -> !selected.contains(controller) && controller.registration()
                .filter(left -> !options.namesService(left.config())).isPresent()).map(KnownController::text).toList();
    }

    /** What removes what it has registered; empty if it registers nothing. */
    Optional<Module> cleanUp(ControllerCommand options, FeatureGates states) {
        return registration().map(left -> left.module(options, states));
    }

    private Optional<Registration<?>> registration() {
        return off instanceof Registration<?> left ? Optional.of(left) : Optional.empty();
    }

    static List<String> names() {
        return Arrays.stream(values()).map(KnownController::text).toList();
    }

    /** Lines for {@code --help}. */
    static String help() {
        return Arrays.stream(values()).map(controller -> "  " + controller.text() + controller.needsInText())
                .collect(Collectors.joining("\n"));
    }

    private String needsInText() {
        return needs().stream().map(all -> all.stream().map(Enum::name).collect(Collectors.joining(" and ")))
                .reduce((one, other) -> one + ", or " + other).map(all -> " (needs " + all + ")").orElse("");
    }

    private static Module topology(ControllerCommand options, FeatureGates gates) {
        boolean taints = gates.isOn(MachineTaintPropagation);
        return new TopologyModule(options.config(TopologyConfig.class), taints && gates.isOn(TopologyTaintPropagation),
                taints && gates.isOn(MachinePoolTaintPropagation), options.watchFilter,
                options.clusters.noExecute());
    }

    private static Module autoscaler(ControllerCommand options, FeatureGates gates) {
        boolean pools = gates.isOn(MachinePoolTaintPropagation);
        return new AdapterModule(options.config(AdapterConfig.class), gates.isOn(MachineTaintPropagation), pools,
                options.config(MachineConfig.class).labels(),
                pools && options.config(MachinePoolConfig.class).labels());
    }
}
