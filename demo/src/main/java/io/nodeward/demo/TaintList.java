package io.nodeward.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A list of taints as JSON, of a Machine or of a Node, edited as a person would. */
record TaintList(ArrayNode json) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** @param json the list, or a missing node */
    static TaintList of(JsonNode json) {
        ArrayNode copy = JSON.arrayNode();
        json.forEach(copy::add);
        return new TaintList(copy);
    }

    /** @param text {@code key[=value]:Effect} */
    static ObjectNode taint(String text) {
        int colon = text.lastIndexOf(':');
        int equals = text.indexOf('=');
        ObjectNode taint = JSON.objectNode().put("key", text.substring(0, equals < 0 ? colon : equals));
        if (equals >= 0) {
            taint.put("value", text.substring(equals + 1, colon));
        }
        return taint.put("effect", text.substring(colon + 1));
    }

    /** With the taint in the place of the one with its key and effect, else at the end. */
    TaintList with(ObjectNode taint) {
        ArrayNode after = JSON.arrayNode();
        boolean replaced = false;
        for (JsonNode each : json) {
            boolean same =
                    each.path("key").equals(taint.path("key")) && each.path("effect").equals(taint.path("effect"));
            after.add(same ? taint : each);
            replaced |= same;
        }
        return new TaintList(replaced ? after : after.add(taint));
    }

    TaintList without(String key) {
        ArrayNode after = JSON.arrayNode();
        json.forEach(each -> {
            if (!each.path("key").asText().equals(key)) {
                after.add(each);
            }
        });
        return new TaintList(after);
    }

    /** A merge patch that makes this the whole list; none at all where it is empty, as Cluster API wants it. */
    ObjectNode patch() {
        ObjectNode patch = JSON.objectNode();
        patch.putObject("spec").set("taints", json.isEmpty() ? JSON.nullNode() : json);
        return patch;
    }
}
