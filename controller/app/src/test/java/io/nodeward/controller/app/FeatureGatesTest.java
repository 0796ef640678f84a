package io.nodeward.controller.app;

import static io.nodeward.controller.app.KnownController.FeatureGate.AllAlpha;
import static io.nodeward.controller.app.KnownController.FeatureGate.AllBeta;
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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.controller.app.KnownController.FeatureGate;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FeatureGatesTest {
    @Test
    void what_is_not_switched_has_its_default() {
        assertThat(on()).containsExactly(MachineTaintPropagation);
    }

    @Test
    void all_of_a_stage_are_switched_together() {
        assertThat(on("AllAlpha=true")).containsExactlyInAnyOrder(AllAlpha, MachineTaintPropagation,
                MachinePoolTaintPropagation, TopologyTaintPropagation, MachineTaintAdmission, AutoscalerAdapter,
                DedicatedNodes, DedicatedPodAdmission, DedicatedPodTolerations, DedicatedEvictions, DeviceTaints,
                NodeTaintGuards);
        assertThat(on("AllBeta=true")).containsExactlyInAnyOrder(AllBeta, MachineTaintPropagation);
        assertThat(on("AllBeta=false")).isEmpty();
        assertThat(on("AllAlpha=false")).containsExactly(MachineTaintPropagation);
    }

    @Test
    void what_is_said_of_one_goes_before_what_is_said_of_all_in_whatever_order() {
        for (String[] order : new String[][]{{"AllAlpha=true", "AutoscalerAdapter=false"},
                {"AutoscalerAdapter=false", "AllAlpha=true"}}) {
            assertThat(on(order)).contains(AllAlpha, MachineTaintAdmission).doesNotContain(AutoscalerAdapter);
        }
        for (String[] order : new String[][]{{"AllBeta=false", "MachineTaintPropagation=true"},
                {"MachineTaintPropagation=true", "AllBeta=false"}}) {
            assertThat(on(order)).containsExactly(MachineTaintPropagation);
        }
        assertThat(on("AllAlpha=false", "AutoscalerAdapter=true")).containsExactlyInAnyOrder(
                MachineTaintPropagation, AutoscalerAdapter);
    }

    @Test
    void an_unknown_stage_is_refused() {
        assertThatThrownBy(() -> on("AllBetas=true")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("did you mean 'AllBeta'?");
    }

    @Test
    void the_help_names_all_of_them() throws IOException {
        assertThat(Main.commandLine(new String[0]).getUsageMessage().replaceAll("\\s+", " "))
                .contains(" AllAlpha=true|false (Alpha, default false) AllBeta=true|false (Beta, default false) "
                        + "MachineTaintPropagation=true|false (Beta, default true) ")
                .contains(Arrays.stream(FeatureGate.values()).map(gate -> gate + "=true|false (").toList());
    }

    private static Set<FeatureGate> on(String... switches) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String one : switches) {
            given.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
        }
        return FeatureGates.of(given).on();
    }
}
