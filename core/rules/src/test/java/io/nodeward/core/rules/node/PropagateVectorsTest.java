package io.nodeward.core.rules.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.Vectors;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every case of propagate.json, advisory ones included: what was decided for them is what the vectors expect. */
class PropagateVectorsTest {
    private static final Set<String> BOOKKEEPING = Set.of(
            ClusterApi.CLUSTER_NAME_ANNOTATION,
            ClusterApi.CLUSTER_NAMESPACE_ANNOTATION,
            ClusterApi.MACHINE_ANNOTATION,
            ClusterApi.OWNER_KIND_ANNOTATION,
            ClusterApi.OWNER_NAME_ANNOTATION);

    @TestFactory
    Stream<DynamicTest> a_plan_leads_to_the_expected_node() {
        return Vectors.cases("propagate.json").stream()
                .map(c -> dynamicTest(c.get("name").textValue(), () -> check(c)));
    }

    @Test
    void the_set_of_cases_is_whole() {
        assertThat(Vectors.cases("propagate.json")).hasSize(97);
    }

    private static void check(JsonNode c) {
        JsonNode input = c.get("input");
        JsonNode expected = c.get("expected");
        Node before = node(input.get("node"));
        Node after = planned(input, before, expected.get("changed").booleanValue());

        assertThat(shown(after.taints())).as("taints, in order").isEqualTo(
                Vectors.elements(expected.get("taints")).stream().map(PropagateVectorsTest::shown).toList());
        assertThat(compared(after.metadata().annotations()))
                .as("annotations")
                .isEqualTo(compared(Vectors.texts(expected.get("annotations"))));
        assertThat(after.metadata().labels()).as("labels").isEqualTo(Vectors.texts(expected.get("labels")));
        planned(input, after, false);
    }

    private static Node planned(JsonNode input, Node node, boolean changed) {
        JsonNode owner = input.get("owner");
        NodePolicy policy = owner.get("kind").textValue().equals("MachinePool")
                ? NodePolicy.forMachinePools()
                : NodePolicy.forMachines();
        NodePlan plan = NodePlanner.plan(
                owner(owner), node, policy.withTaints(input.get("featureGate").booleanValue()));
        assertThat(!plan.change().isEmpty()).as("a write is due: %s", plan).isEqualTo(changed);
        return plan.change().applyTo(node, node.metadata().resourceVersion() + "+");
    }

    private static Owner owner(JsonNode owner) {
        List<MachineTaint> taints = Vectors.elements(owner.get("taints")).stream()
                .map(t -> new MachineTaint(text(t, "key"), text(t, "value"), text(t, "effect"), text(t, "propagation")))
                .toList();
        Metadata metadata = metadata(owner.get("labels"), owner.get("annotations"));
        return Owner.of(new Machine(metadata, "cluster", "", "node", taints, List.of()));
    }

    private static Node node(JsonNode node) {
        List<Taint> taints = Vectors.elements(node.get("taints")).stream()
                .map(t -> new Taint(text(t, "key"), text(t, "value"), text(t, "effect"), t.toString()))
                .toList();
        return new Node(metadata(node.get("labels"), node.get("annotations")), "", taints);
    }

    private static Metadata metadata(JsonNode labels, JsonNode annotations) {
        return new Metadata(new ObjectKey("", "node"), "uid", "1", Vectors.texts(labels),
                Vectors.texts(annotations), List.of(), false);
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asText("");
    }

    private static List<String> shown(List<Taint> taints) {
        return taints.stream().map(t -> shown(Vectors.parse(t.json()))).toList();
    }

    private static String shown(JsonNode t) {
        return text(t, "key") + '=' + text(t, "value") + ':' + text(t, "effect") + '@' + text(t, "timeAdded");
    }

    /** An absent tracking text of labels or annotations equals an empty one. */
    private static Map<String, String> compared(Map<String, String> annotations) {
        return annotations.entrySet().stream()
                .filter(e -> !BOOKKEEPING.contains(e.getKey()))
                .filter(e -> !e.getValue().isEmpty() || e.getKey().equals(ClusterApi.TAINTS_FROM_MACHINE))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));
    }
}
