package io.nodeward.cli.taint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.node.Taint;
import java.util.List;

/** JSON trees of Nodes. */
final class Trees {
    private static final JsonMapper JSON = new JsonMapper();

    private Trees() {}

    /** The Node with other taints. */
    static ObjectNode with(ObjectNode node, List<Taint> taints) {
        ObjectNode after = node.deepCopy();
        ArrayNode list = after.withObject("/spec").putArray("taints");
        taints.forEach(taint -> list.add(read(taint.json())));
        if (taints.isEmpty()) {
            after.withObject("/spec").remove("taints");
        }
        return after;
    }

    static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a taint is JSON", e);
        }
    }

    static ObjectNode object(String json) {
        return (ObjectNode) read(json);
    }
}
