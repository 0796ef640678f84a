package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import java.util.Map;

/** What an owner's declaration makes of its Node. */
final class PropagateCases {
    private PropagateCases() {}

    static ObjectNode result(JsonNode c) {
        JsonNode input = Fields.object(c, "input");
        JsonNode owner = Fields.object(input, "owner");
        Node before = node(Fields.object(input, "node"));
        NodePolicy policy = policy(Fields.text(owner, "kind")).withTaints(Fields.isTrue(input, "featureGate"));
        NodeChange change = NodePlanner.plan(owner(owner), before, policy).change();
        Node after = change.applyTo(before, "2");
        ObjectNode result = Answers.object();
        result.set("taints", Answers.taints(after.taints()));
        result.set("annotations", Answers.textMap(after.metadata().annotations()));
        result.set("labels", Answers.textMap(after.metadata().labels()));
        return result.put("changed", !change.isEmpty());
    }

    private static NodePolicy policy(String kind) {
        return switch (kind) {
            case "Machine" -> NodePolicy.forMachines();
            case "MachinePool" -> NodePolicy.forMachinePools();
            default -> throw new UnusableCaseException("kind is not Machine or MachinePool: " + kind);
        };
    }

    private static Owner owner(JsonNode owner) {
        Metadata metadata = metadata("owner", owner);
        return Owner.of(metadata, "cluster", Fields.declaredTaints(owner));
    }

    private static Node node(JsonNode node) {
        return new Node(metadata("node", node), "", Fields.taints(node));
    }

    private static Metadata metadata(String name, JsonNode object) {
        Map<String, String> labels = Fields.textMap(object, "labels");
        return Fields.metadata(name, labels, Fields.textMap(object, "annotations"));
    }
}
