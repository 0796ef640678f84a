package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The PATCH requests, by the type of their body. */
record Patches(Writer writer) {
    private static final String MERGE = "application/merge-patch+json";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final int LONGEST_MANAGER = 128;

    void patch(Exchange exchange, Verbs.RequestInfo info) throws IOException {
        View view = View.accepted(exchange, info.kind(), info.version()).forObject();
        String type = Verbs.mediaType(exchange);
        List<String> known = new ArrayList<>(List.of(JSON_PATCH, MERGE, APPLY));
        if (!info.kind().custom()) {
            known.add(2, STRATEGIC);
        }
        if (!known.contains(type)) {
            throw Refusal.unsupportedMedia(String.join(", ", known));
        }
        requirePatchOptions(exchange, type.equals(APPLY));
        if (type.equals(APPLY)) {
            apply(exchange, info, view);
            return;
        }
        JsonNode patch = patchBody(exchange, type.equals(JSON_PATCH));
        UnaryOperator<ObjectNode> edit = before -> switch (type) {
            case MERGE -> MergePatch.apply(before, (ObjectNode) patch);
            case STRATEGIC -> StrategicPatch.apply(before, (ObjectNode) patch);
            default -> JsonPatch.apply(before, (ArrayNode) patch);
        };
        UnaryOperator<ObjectNode> checked = before -> {
            ObjectNode after = edit.apply(before);
            Strictness.require(exchange, info.kind(), after, error -> Refusal.invalid(info.kind(), info.name(),
                    List.of(Violation.invalid("patch", patch.toString(), error))));
            return after;
        };
        Verbs.show(exchange, 200, view, writer.update(info.store(), info.version(), info.namespace(),
                info.name(), checked, Verbs.by(exchange, info)));
    }

    private static void requirePatchOptions(Exchange exchange, boolean apply) {
        List<Violation> wrong = new ArrayList<>();
        if (apply && exchange.query("fieldManager").isEmpty()) {
            wrong.add(new Violation(
                    "FieldValueRequired", "Required value: is required for apply patch", "fieldManager"));
        } else if (!apply && !exchange.query("force").isEmpty()) {
            wrong.add(Violation.forbidden("force", "may not be specified for non-apply patch"));
        }
        if (exchange.query("fieldManager").length() > LONGEST_MANAGER) {
            wrong.add(new Violation(
                    "FieldValueTooLong", "Too long: may not be more than " + LONGEST_MANAGER + " bytes",
                    "fieldManager"));
        }
        if (!wrong.isEmpty()) {
            throw Refusal.invalid("meta.k8s.io", "PatchOptions", "", wrong);
        }
    }

    private void apply(Exchange exchange, Verbs.RequestInfo info, View view) throws IOException {
        Writer.Applied done = writer.apply(info.store(), info.version(), info.namespace(), info.name(),
                appliedBody(exchange), exchange.flag("force"), Verbs.by(exchange, info));
        Verbs.show(exchange, done.created() ? 201 : 200, view, done.object());
    }

    // All clients send JSON, which is YAML too; other YAML would need a parser.
    private static ObjectNode appliedBody(Exchange exchange) {
        String why = "not an object";
        try {
            if (Json.MAPPER.readTree(exchange.body()) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            why = e.getOriginalMessage();
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        }
        throw Refusal.badRequest("error decoding YAML: this server reads YAML only where it is JSON: " + why);
    }

    private static JsonNode patchBody(Exchange exchange, boolean list) {
        try {
            JsonNode patch = Json.MAPPER.readTree(exchange.body());
            if (list ? patch instanceof ArrayNode : patch instanceof ObjectNode) {
                return patch;
            }
            throw Refusal.badRequest("error decoding patch: json: cannot unmarshal into Go value of type "
                    + (list ? "[]handlers.jsonPatchOp" : "map[string]interface {}"));
        } catch (IOException e) {
            throw Refusal.badRequest("error decoding patch: " + e.getMessage());
        }
    }
}
