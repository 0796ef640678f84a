package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A JSON patch of a Node that holds as long as what its change was planned from is there, whatever else others write: the
 * same uid, all taints, and the annotations that say what is ours. A heartbeat does not make it a conflict.
 */
public final class TestedPatch {
    private static final String LABELS_PATH = "/metadata/labels";
    private static final String ANNOTATIONS_PATH = "/metadata/annotations";
    private static final String TAINTS_PATH = "/spec/taints";
    private static final String PROVIDER_ID_PATH = "/spec/providerID";

    private final JsonGenerator json;
    private final Metadata before;

    private TestedPatch(JsonGenerator json, Metadata before) {
        this.json = json;
        this.before = before;
    }

    /**
     * The body, for a Node that is as read; a reply then says all that is not under test. Empty if a test would not be
     * certain, as API servers compare texts by how they are written in JSON, which is not always in one way.
     *
     * @param before from which the change was planned
     */
    public static Optional<byte[]> of(Node before, NodeChange change) {
        return isCertain(before, change) ? Optional.of(Bodies.written(json -> {
            json.writeStartArray();
            TestedPatch patch = new TestedPatch(json, before.metadata());
            patch.tests(before, change);
            patch.changes(before, change);
            json.writeEndArray();
        })) : Optional.empty();
    }

    private static boolean isCertain(Node before, NodeChange change) {
        Map<String, String> annotations = before.metadata().annotations();
        return !before.metadata().uid().isEmpty()
                && isPlain(before.metadata().uid())
                && before.taints().stream().allMatch(taint -> isPlain(taint.json()))
                && change.plannedFrom().stream().allMatch(key -> isPlain(annotations.getOrDefault(key, "")));
    }

    /** Whether everybody writes it the same: Go escapes what HTML would read, and others escape what Go does not. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '<' || c == '>' || c == '&' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    private void tests(Node node, NodeChange change) throws IOException {
        text("test", "/metadata/uid", before.uid());
        operation("test", TAINTS_PATH);
        taints(node.taints());
        if (node.providerId().isEmpty()) { // otherwise it stays: it can be set once
            text("test", PROVIDER_ID_PATH, null);
        }
        if (before.annotations().isEmpty()) { // then there is no map of them either
            text("test", ANNOTATIONS_PATH, null);
            return;
        }
        for (String key : change.plannedFrom()) {
            text("test", path(ANNOTATIONS_PATH, key), before.annotations().get(key));
        }
    }

    private void changes(Node node, NodeChange change) throws IOException {
        if (change.taints().isPresent()) {
            List<Taint> taints = change.taints().get();
            if (!taints.isEmpty()) {
                operation("add", TAINTS_PATH);
                taints(taints);
            } else if (!node.taints().isEmpty()) {
                remove(TAINTS_PATH);
            }
        }
        if (!change.labels().isEmpty() && before.labels().isEmpty()) {
            text("test", LABELS_PATH, null);
        }
        texts(LABELS_PATH, before.labels(), change.labels());
        texts(ANNOTATIONS_PATH, before.annotations(), change.annotations());
    }

    private void texts(String map, Map<String, String> there, SortedMap<String, Optional<String>> change)
            throws IOException {
        if (there.isEmpty() && !change.isEmpty()) {
            operation("add", map);
            json.writeStartObject();
            json.writeEndObject();
            json.writeEndObject();
        }
        for (Map.Entry<String, Optional<String>> entry : change.entrySet()) {
            String path = path(map, entry.getKey());
            if (entry.getValue().isPresent()) {
                text("add", path, entry.getValue().get()); // or replace: add is both
            } else if (there.containsKey(entry.getKey())) {
                remove(path);
            }
        }
    }

    private static String path(String map, String key) {
        return map + "/" + key.replace("~", "~0").replace("/", "~1");
    }

    /** Its value comes next, and the end of the object. */
    private void operation(String op, String path) throws IOException {
        json.writeStartObject();
        json.writeStringField("op", op);
        json.writeStringField("path", path);
        json.writeFieldName("value");
    }

    private void text(String op, String path, @Nullable String value) throws IOException {
        operation(op, path);
        json.writeString(value); // null too
        json.writeEndObject();
    }

    private void taints(List<Taint> taints) throws IOException {
        Bodies.taints(json, taints);
        json.writeEndObject();
    }

    private void remove(String path) throws IOException {
        json.writeStartObject();
        json.writeStringField("op", "remove");
        json.writeStringField("path", path);
        json.writeEndObject();
    }
}
