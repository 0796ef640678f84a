package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which objects of a collection a request is about. */
final class Selector {
    private record Field(String path, String value, boolean equal) {}

    private static final Map<String, Set<String>> FIELDS = Map.of(
            "events",
            Set.of(
                    "involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
                    "involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath",
                    "reason", "reportingComponent", "source", "type"),
            "pods", Set.of("spec.nodeName", "spec.restartPolicy", "spec.serviceAccountName", "status.phase"),
            "nodes", Set.of("spec.unschedulable"),
            "namespaces", Set.of("status.phase"),
            "secrets", Set.of("type"));

    private final Kind kind;
    private final LabelSelector labels;
    private final List<Field> fields = new ArrayList<>();

    /** @throws Refusal 400 if one cannot be read, or names a field that cannot be selected by */
    Selector(Kind kind, String labelSelector, String fieldSelector) {
        this.kind = kind;
        this.labels = LabelSelector.parse(labelSelector);
        for (String part : fieldSelector.isEmpty() ? new String[0] : fieldSelector.split(",")) {
            fields.add(field(part));
        }
    }

    boolean isEmpty() {
        return labels.isEmpty() && fields.isEmpty();
    }

    boolean matches(Stored stored) {
        return labels.matches(stored.labels()) && fields.stream().allMatch(f -> matches(f, stored));
    }

    private Field field(String part) {
        boolean equal = !part.contains("!=");
        String[] sides = part.split("!=|==|=", 2);
        if (sides.length != 2) {
            throw Refusal.badRequest("invalid selector: '" + part + "'; can't understand '" + part + "'");
        }
        String path = sides[0].strip();
        boolean known = path.equals("metadata.name")
                || path.equals("metadata.namespace")
                || !kind.custom() && FIELDS.getOrDefault(kind.plural(), Set.of()).contains(path);
        if (!known) {
            throw Refusal.badRequest("field label not supported: " + path);
        }
        return new Field(path, sides[1].strip(), equal);
    }

    private boolean matches(Field field, Stored stored) {
        String value = switch (field.path()) {
            case "metadata.name" -> stored.name();
            case "metadata.namespace" -> stored.namespace();
            default -> read(field.path(), stored);
        };
        return value.equals(field.value()) == field.equal();
    }

    private String read(String path, Stored stored) {
        JsonNode object = stored.read(kind, "");
        if (path.equals("source")) {
            return Json.text(object, "source", "component");
        }
        String text = Json.text(object, path.split("\\."));
        return path.equals("spec.unschedulable") && text.isEmpty() ? "false" : text;
    }
}
