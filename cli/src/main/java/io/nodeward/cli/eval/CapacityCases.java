package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.core.rules.capacity.CapacityPlan;
import io.nodeward.core.rules.capacity.CapacityPolicy;
import io.nodeward.core.rules.capacity.CapacityTaints;
import io.nodeward.core.rules.capacity.OnInitialization;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What is advertised to the cluster-autoscaler of a node group's taints. */
final class CapacityCases {
    private static final Set<String> KINDS = Set.of("MachineDeployment", "MachineSet", "MachinePool");

    private CapacityCases() {}

    static ObjectNode result(JsonNode c) {
        JsonNode input = Fields.object(c, "input");
        String kind = Fields.text(input, "kind");
        if (!KINDS.contains(kind)) {
            throw new UnusableCaseException("kind is not MachineDeployment, MachineSet or MachinePool: " + kind);
        }
        CapacityPlan plan = CapacityTaints.plan(
                Fields.declaredTaints(input), Fields.textMap(input, "templateAnnotations"), annotations(input),
                policy(input));
        ObjectNode result = Answers.object();
        result.set("effective", effective(plan.text().orElse("")));
        result.put("annotation", plan.text().orElse(null));
        return result.put("write", plan.isDue());
    }

    private static CapacityPolicy policy(JsonNode input) {
        String text = Fields.text(input, "onInitialization");
        OnInitialization choice = text.isEmpty()
                ? OnInitialization.INCLUDE
                : OnInitialization.of(text).orElseThrow(() -> new UnusableCaseException(
                        "onInitialization is not include, exclude or startup: " + text));
        return CapacityPolicy.standard().withTaints(Fields.isTrue(input, "featureGate")).withOnInitialization(choice);
    }

    private static Map<String, String> annotations(JsonNode input) {
        Map<String, String> annotations = new TreeMap<>();
        if (input.hasNonNull("annotation")) {
            annotations.put(CapacityAnnotations.TAINTS, Fields.text(input, "annotation"));
        }
        if (input.hasNonNull("tracked")) {
            annotations.put(CapacityAnnotations.TAINTS_TRACKING, String.join(",", Fields.texts(input, "tracked")));
        }
        return annotations;
    }

    private static ArrayNode effective(String text) {
        ArrayNode taints = Answers.array();
        CapacityTaints.read(text).forEach(taint -> taints.addObject()
                .put("key", taint.key()).put("value", taint.value()).put("effect", taint.effect()));
        return taints;
    }
}
