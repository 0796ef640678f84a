package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import io.nodeward.api.node.Taint;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.rules.validation.NodeTaintRules;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Whether a server would store what an edited Node carries, of that which is planned. */
record NodeFields(Manifest edited) {
    private static final Set<String> OF_TAINT = Set.of("key", "value", "effect", "timeAdded");

    /** @throws IllegalArgumentException naming file, Node and field */
    static void check(Manifest edited) {
        NodeFields fields = new NodeFields(edited);
        for (String map : List.of("labels", "annotations")) {
            fields.type("metadata." + map, edited.json().at("/metadata/" + map), JsonNodeType.OBJECT);
            edited.json().at("/metadata/" + map).properties().forEach(entry -> fields.type(
                    "metadata." + map + '[' + entry.getKey() + ']', entry.getValue(), JsonNodeType.STRING));
        }
        JsonNode spec = edited.json().path("spec");
        fields.type("spec", spec, JsonNodeType.OBJECT);
        fields.type("spec.unschedulable", spec.path("unschedulable"), JsonNodeType.BOOLEAN);
        fields.taints(spec.path("taints"));
    }

    private void taints(JsonNode list) {
        type("spec.taints", list, JsonNodeType.ARRAY);
        List<Taint> taints = new ArrayList<>();
        for (JsonNode taint : list) {
            taint("spec.taints[" + taints.size() + ']', taint);
            taints.add(new Taint(taint.path("key").asText(), taint.path("value").asText(),
                    taint.path("effect").asText(), taint.toString()));
        }
        List<FieldFault> faults = NodeTaintRules.validate("spec.taints", taints);
        if (!faults.isEmpty()) {
            throw edited.error(faults.get(0).text());
        }
    }

    private void taint(String path, JsonNode taint) {
        if (!taint.isObject()) {
            throw wrongType(path, taint, JsonNodeType.OBJECT);
        }
        for (Map.Entry<String, JsonNode> field : taint.properties()) {
            if (!OF_TAINT.contains(field.getKey())) {
                throw edited.error(path + '.' + field.getKey() + ": a taint of a Node has no such field");
            }
            type(path + '.' + field.getKey(), field.getValue(), JsonNodeType.STRING);
        }
        String added = taint.path("timeAdded").asText("");
        try {
            if (!added.isEmpty()) {
                Instant.parse(added);
            }
        } catch (DateTimeParseException e) {
            throw edited.error(path + ".timeAdded: is no time such as 2026-03-01T10:00:00Z: " + added);
        }
    }

    /** What is missing or null has any type. */
    private void type(String path, JsonNode value, JsonNodeType type) {
        if (!value.isMissingNode() && !value.isNull() && value.getNodeType() != type) {
            throw wrongType(path, value, type);
        }
    }

    private IllegalArgumentException wrongType(String path, JsonNode value, JsonNodeType type) {
        return edited.error(path + ": must be of type " + name(type) + ", is " + name(value.getNodeType()));
    }

    private static String name(JsonNodeType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }
}
