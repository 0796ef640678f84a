package io.nodeward.cli.validate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.snapshot.Place;
import io.nodeward.core.rules.command.Nearest;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Compares an object with the schema of its CRD, as a server does that refuses unknown fields: fields, types, limits of numbers and
 * enumerations. The status, and what else a server checks, is left to the server.
 */
final class StructuralSchema {
    /** The fields of each object, whatever its CRD says. */
    private static final ObjectNode IMPLIED = (ObjectNode) ShippedDefinitions.json("implied-fields.json");
    private static final String INT_OR_STRING = "integer or string";
    /** YAML as kubectl reads it has these booleans too. */
    private static final Set<String> BOOLEANS = Set.of("y", "yes", "on", "n", "no", "off");
    private static final Map<String, BigDecimal> LEAST =
            Map.of("int32", BigDecimal.valueOf(Integer.MIN_VALUE), "int64", BigDecimal.valueOf(Long.MIN_VALUE));
    private static final Map<String, BigDecimal> MOST =
            Map.of("int32", BigDecimal.valueOf(Integer.MAX_VALUE), "int64", BigDecimal.valueOf(Long.MAX_VALUE));

    private final JsonNode root;
    private final Set<Fault> faults = new LinkedHashSet<>();

    /** @param field path from the object's root */
    record Fault(String field, String message) {}

    private StructuralSchema(JsonNode root) {
        this.root = root;
    }

    /** @param version of a CRD, as in its {@code spec.versions} */
    static Collection<Fault> faults(ObjectNode object, JsonNode version) {
        StructuralSchema all = new StructuralSchema(version.at("/schema/openAPIV3Schema"));
        all.fields(object, all.root, true, "");
        String replicas = version.at("/subresources/scale/specReplicasPath").asText();
        JsonNode scaled = object.at(replicas.replace('.', '/'));
        if (isFinite(scaled) && scaled.decimalValue().signum() < 0) {
            all.add(replicas.substring(1), "must be at least 0");
        }
        return all.faults;
    }

    /** @param embedded whether it is an object of the API, with a kind and metadata */
    private void fields(JsonNode object, JsonNode schema, boolean embedded, String path) {
        JsonNode properties = embedded ? withImplied(schema.path("properties")) : schema.path("properties");
        JsonNode others = schema.path("additionalProperties");
        boolean open = !others.isMissingNode() || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String name = field.getKey();
            String at = Place.field(path, name);
            JsonNode known = properties.path(name);
            if (at.equals("status")) {
                continue;
            }
            if (known.isMissingNode() && !open) {
                add(at, "unknown field" + hint(name, properties));
            } else if (!field.getValue().isNull()) { // which is not there, or is to go
                check(field.getValue(), known.isMissingNode() ? others : known, at);
            }
        }
    }

    private static ObjectNode withImplied(JsonNode properties) {
        ObjectNode all = IMPLIED.objectNode();
        properties.properties().forEach(field -> all.set(field.getKey(), field.getValue()));
        return all.setAll(IMPLIED);
    }

    /** Suggests the one other place that has this name, or else a name that is near. */
    private String hint(String name, JsonNode properties) {
        List<String> places = places(name, root, "").toList();
        return places.size() == 1
                ? "; did you mean '" + places.get(0) + "'?"
                : Nearest.hint(name, properties.propertyStream().map(Map.Entry::getKey).sorted().toList());
    }

    private static Stream<String> places(String name, JsonNode schema, String path) {
        if (schema.has("items")) {
            return places(name, schema.path("items"), path + "[]");
        }
        return schema.path("properties").propertyStream().flatMap(field -> {
            String at = Place.field(path, field.getKey());
            return Stream.concat(field.getKey().equals(name) ? Stream.of(at) : Stream.empty(),
                    at.equals("status") ? Stream.empty() : places(name, field.getValue(), at));
        });
    }

    private void check(JsonNode value, JsonNode schema, String path) {
        String type = schema.path("x-kubernetes-int-or-string").asBoolean()
                ? INT_OR_STRING
                : schema.path("type").asText();
        if (value.isNull() && schema.path("nullable").asBoolean()) {
            return;
        }
        if (!type.isEmpty() && !isOf(type, value)) {
            add(path, "must be of type " + type + ", is " + typeOf(value));
        } else if (type.equals("object")) {
            fields(value, schema, schema.path("x-kubernetes-embedded-resource").asBoolean(), path);
        } else if (type.equals("array")) {
            for (int i = 0; i < value.size(); i++) {
                check(value.path(i), schema.path("items"), path + '[' + i + ']');
            }
        } else {
            limits(value, schema, path);
        }
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "integer" -> isInteger(value);
            case INT_OR_STRING -> isInteger(value) || value.isTextual();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean() || BOOLEANS.contains(value.asText().toLowerCase(Locale.ROOT));
            default -> typeOf(value).equals(type);
        };
    }

    /** A whole number with a point is one too. */
    private static boolean isInteger(JsonNode value) {
        return value.isIntegralNumber() || isFinite(value) && Math.rint(value.doubleValue()) == value.doubleValue();
    }

    private static boolean isFinite(JsonNode value) {
        return value.isIntegralNumber() || value.isNumber() && Double.isFinite(value.doubleValue());
    }

    private static String typeOf(JsonNode value) {
        return value.isIntegralNumber() ? "integer" : value.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    private void limits(JsonNode value, JsonNode schema, String path) {
        JsonNode allowed = schema.path("enum");
        if (allowed.isArray() && allowed.valueStream().noneMatch(value::equals)) {
            List<String> names = allowed.valueStream().map(JsonNode::asText).toList();
            add(path, "must be one of " + String.join(", ", names) + Nearest.hint(value.asText(), names));
        }
        if (isFinite(value)) {
            BigDecimal number = value.decimalValue();
            bound(schema, "minimum", LEAST).filter(least -> number.compareTo(least) < 0)
                    .ifPresent(least -> add(path, "must be at least " + least.toPlainString()));
            bound(schema, "maximum", MOST).filter(most -> number.compareTo(most) > 0)
                    .ifPresent(most -> add(path, "must be at most " + most.toPlainString()));
        }
    }

    private static Optional<BigDecimal> bound(JsonNode schema, String field, Map<String, BigDecimal> byFormat) {
        if (schema.path(field).isNumber()) {
            return Optional.of(schema.path(field).decimalValue());
        }
        String format = schema.path("format").asText(schema.path("type").asText().equals("integer") ? "int64" : "");
        return Optional.ofNullable(byFormat.get(format));
    }

    private void add(String path, String message) {
        faults.add(new Fault(path, message));
    }
}
