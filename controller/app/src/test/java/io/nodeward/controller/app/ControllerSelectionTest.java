package io.nodeward.controller.app;

import static io.nodeward.controller.app.KnownController.ADMISSION;
import static io.nodeward.controller.app.KnownController.AUTOSCALER;
import static io.nodeward.controller.app.KnownController.DEDICATED;
import static io.nodeward.controller.app.KnownController.DEVICES;
import static io.nodeward.controller.app.KnownController.GUARD;
import static io.nodeward.controller.app.KnownController.MACHINE;
import static io.nodeward.controller.app.KnownController.MACHINEPOOL;
import static io.nodeward.controller.app.KnownController.TOPOLOGY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class ControllerSelectionTest {
    private static final FeatureGates ALL_ON = FeatureGates.of(Map.of("AllAlpha", "true"));
    private static final FeatureGates DEFAULT = FeatureGates.of(Map.of());

    @Test
    void a_star_selects_all_that_are_not_named() {
        assertThat(selected("*")).containsExactly(KnownController.values());
        assertThat(selected("*", "-topology")).containsExactly(MACHINE, MACHINEPOOL, ADMISSION, AUTOSCALER, DEDICATED,
                DEVICES, GUARD);
        assertThat(selected("-topology", "*")).containsExactly(MACHINE, MACHINEPOOL, ADMISSION, AUTOSCALER, DEDICATED,
                DEVICES, GUARD);
    }

    @Test
    void without_a_star_only_what_is_named_is_selected() {
        assertThat(selected("machine")).containsExactly(MACHINE);
        assertThat(selected("topology", "machine")).containsExactly(MACHINE, TOPOLOGY);
        assertThat(selected("-machine")).isEmpty();
        assertThat(selected()).isEmpty();
    }

    @Test
    void the_first_that_names_a_controller_decides() {
        assertThat(selected("machine", "-machine")).containsExactly(MACHINE);
        assertThat(selected("-machine", "machine")).isEmpty();
        assertThat(selected("*", "-machine", "machine")).doesNotContain(MACHINE);
        assertThat(selected("*", "machine", "-machine")).contains(MACHINE);
    }

    @Test
    void an_unknown_controller_is_refused_with_the_nearest_and_all_there_are() {
        assertThatThrownBy(() -> selected("machinepol")).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--controllers: unknown controller 'machinepol'; did you mean 'machinepool'? (there are"
                        + " machine, machinepool, topology, admission, autoscaler, dedicated, devices, guard)");
        assertThatThrownBy(() -> selected("*", "-toplogy")).hasMessageContaining("did you mean 'topology'?");
        assertThatThrownBy(() -> selected("")).hasMessageContaining("unknown controller ''");
        assertThatThrownBy(() -> selected("-*")).hasMessageContaining("unknown controller '*'");
    }

    @Test
    void naming_a_controller_whose_gate_is_off_is_refused_with_both() {
        assertThatThrownBy(() -> selected(DEFAULT, "machinepool")).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--controllers: machinepool is named, and its feature gate is off; switch on"
                        + " --feature-gates=MachinePoolTaintPropagation=true");
        assertThatThrownBy(() -> selected(DEFAULT, "*", "topology")).hasMessageContaining("topology is named")
                .hasMessageEndingWith("--feature-gates=TopologyTaintPropagation=true");
        assertThatThrownBy(() -> selected(FeatureGates.of(Map.of("AllBeta", "false")), "topology"))
                .hasMessageEndingWith("its feature gates are off; switch on"
                        + " --feature-gates=MachineTaintPropagation=true,TopologyTaintPropagation=true");
    }

    @Test
    void a_controller_whose_gate_is_off_may_be_left_out_by_name_and_is_selected_by_a_star_to_clean_up() {
        assertThat(selected(DEFAULT, "*", "-admission")).doesNotContain(ADMISSION);
        assertThat(selected(DEFAULT, "*", "-admission", "admission")).doesNotContain(ADMISSION);
        assertThat(selected(DEFAULT, "*")).contains(ADMISSION);
        assertThat(ADMISSION.isOn(DEFAULT)).isFalse();
    }

    @Test
    void a_controller_whose_gate_is_switched_off_by_its_name_may_be_named_to_clean_up() {
        FeatureGates off = FeatureGates.of(Map.of("DeviceTaints", "false"));
        assertThat(selected(off, "devices")).containsExactly(DEVICES);
        assertThat(DEVICES.isOn(off)).isFalse();
        assertThatThrownBy(() -> selected(off, "machinepool")).hasMessageContaining("machinepool is named");
        assertThatThrownBy(() -> selected(FeatureGates.of(Map.of("AllAlpha", "false")), "devices"))
                .as("of all of its stage, nobody thinks of this one").hasMessageContaining("devices is named");
    }

    @Test
    void a_pool_gate_alone_switches_topology_on_too() {
        FeatureGates pools = FeatureGates.of(Map.of("MachinePoolTaintPropagation", "true"));
        assertThat(selected(pools, "topology")).containsExactly(TOPOLOGY);
    }

    @Test
    void the_help_names_all_of_them_with_their_gates() throws IOException {
        assertThat(Main.commandLine(new String[0]).getUsageMessage().replaceAll("\\s+", " "))
                .contains(" machine machinepool (needs MachinePoolTaintPropagation) topology (needs ")
                .contains(", or MachineTaintPropagation and MachinePoolTaintPropagation) ")
                .contains(KnownController.names());
    }

    @Test
    void the_flags_of_each_are_among_the_options() throws IOException {
        Map<String, OptionSpec> options = Main.commandLine(new String[0]).getCommandSpec().optionsMap();
        for (KnownController controller : KnownController.values()) {
            CommandSpec own = CommandSpec.forAnnotatedObject(controller.newConfig());
            assertThat(own.optionsMap()).as(controller.text()).isNotEmpty();
            assertThat(options).as(controller.text()).containsKeys(own.optionsMap().keySet().toArray(String[]::new));
        }
    }

    private static Set<KnownController> selected(String... items) {
        return selected(ALL_ON, items);
    }

    private static Set<KnownController> selected(FeatureGates gates, String... items) {
        return new ControllerSelection(Arrays.asList(items), gates).selected();
    }
}
