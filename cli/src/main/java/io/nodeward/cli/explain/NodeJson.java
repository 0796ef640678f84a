package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.rules.origin.DeclaringObject;
import io.nodeward.core.rules.origin.Missing;
import io.nodeward.core.rules.origin.NodeOrigins;
import io.nodeward.core.rules.origin.TaintOrigin;
import io.nodeward.core.rules.toleration.NodeFit;
import java.util.List;

/** A Node's taints for programs; docs/guide/cli.md describes the fields. */
public final class NodeJson {
    private NodeJson() {}

    public static ObjectNode of(NodeExplanation node) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("node", node.name());
        List<DeclaringObject> levels = node.scope().levels();
        if (!levels.isEmpty()) {
            json.put("owner", levels.get(0).name());
        }
        origins(json, node.origins());
        node.warnings().forEach(json.putArray("warnings")::add);
        return json;
    }

    static void origins(ObjectNode json, NodeOrigins origins) {
        ArrayNode taints = json.putArray("taints");
        origins.taints().forEach(origin -> taint(taints.addObject(), origin));
        ArrayNode missing = json.putArray("missing");
        origins.missing().forEach(each -> missing(missing.addObject(), each));
    }

    static void taint(ObjectNode json, TaintOrigin origin) {
        json.put("taint", NodeFit.text(origin.taint())).put("key", origin.taint().key())
                .put("value", origin.taint().value()).put("effect", origin.taint().effect())
                .put("source", origin.source().text()).put("from", origin.by())
                .put("certain", origin.certain()).put("because", origin.because())
                .put("status", Words.camel(origin.status()));
        origin.path().forEach(level -> json.withArray("path").add(level.name()));
        origin.since().ifPresent(since -> json.putObject("since")
                .put("at", since.at().toString()).put("exact", since.exact()));
        origin.tracked().forEach(tracking -> json.withArray("managedBy").addObject()
                .put("annotation", tracking.annotation()).put("manager", tracking.manager()));
    }

    private static void missing(ObjectNode json, Missing missing) {
        json.put("taint", missing.declared().taint().id().toString())
                .put("propagation", missing.declared().taint().propagation())
                .put("annotation", missing.declared().annotation())
                .put("from", missing.path().getLast().name());
        missing.path().forEach(level -> json.withArray("path").add(level.name()));
        missing.below().ifPresent(level -> json.put("stoppedBefore", level.name()));
        json.put("reason", missing.reason().text()).put("because", missing.because());
    }
}
