package com.example.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.capacity.CapacityPlan;
import io.nodeward.core.rules.capacity.CapacityPolicy;
import io.nodeward.core.rules.capacity.CapacityTaints;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * How a provider with controllers of its own uses the rule: it needs this artifact and none of the rooms. It hands in what
 * a MachineDeployment holds, and writes what the plan says with whatever client it has.
 */
class ScaleFromZeroExampleTest {
    @Test
    void a_provider_keeps_the_annotation_of_its_own_machine_deployment() {
        List<MachineTaint> declared =
                List.of(new MachineTaint("example.com/gpu", "a100", "NoSchedule", MachineTaint.ALWAYS));
        Map<String, String> annotations = new TreeMap<>(Map.of(CapacityAnnotations.TAINTS, "mine=1:NoExecute"));

        CapacityPlan plan = CapacityTaints.plan(declared, Map.of(), annotations, CapacityPolicy.standard());
        if (plan.isDue()) {
            write(annotations, CapacityAnnotations.TAINTS, plan.text().orElse(null));
            write(annotations, CapacityAnnotations.TAINTS_TRACKING, plan.tracking().orElse(null));
        }

        assertThat(annotations).containsEntry(
                CapacityAnnotations.TAINTS, "example.com/gpu=a100:NoSchedule,mine=1:NoExecute");
        assertThat(CapacityTaints.plan(declared, Map.of(), annotations, CapacityPolicy.standard()).isDue()).isFalse();
    }

    private static void write(Map<String, String> annotations, String annotation, String text) {
        if (text == null) {
            annotations.remove(annotation);
        } else {
            annotations.put(annotation, text);
        }
    }
}
