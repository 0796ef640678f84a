package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a server takes as spec.taints: kube-apiserver's own code for Nodes, Cluster API's schema for Machines. */
final class TaintRules {
    static final Rules NODE = new Rules() {
        @Override
        public void prepare(ObjectNode node) {
            prepareNode(node);
        }

        @Override
        public List<Violation> check(ObjectNode node, @Nullable ObjectNode before) {
            return checkNode(node, before);
        }

        @Override
        public List<String> unknown(ObjectNode node) {
            return unknownOfNode(node);
        }
    };

    static final Rules MACHINE = new Rules() {
        @Override
        public void prepare(ObjectNode machine) {
            if (machine.get("spec") instanceof ObjectNode spec && spec.path("taints").isNull()) {
                spec.remove("taints");
            }
        }

        @Override
        public List<Violation> check(ObjectNode machine, @Nullable ObjectNode before) {
            return checkMachine(machine.path("spec").path("taints"));
        }
    };

    private static final List<String> NODE_FIELDS = List.of("apiVersion", "kind", "metadata", "spec", "status");
    private static final List<String> TAINT = List.of("key", "value", "effect", "timeAdded");
    private static final List<String> NODE_SPEC =
            List.of("podCIDR", "podCIDRs", "providerID", "unschedulable", "taints", "configSource", "externalID");
    private static final String[] EFFECTS = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
    private static final String KEY =
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$";
    private static final String VALUE = "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$";
    private static final String SPEC = "spec.taints";

    private TaintRules() {}

    // A typed server knows these fields only, and four of a taint, and leaves out empty ones.
    private static void prepareNode(ObjectNode node) {
        ObjectNode spec = Json.child(node, "spec");
        Json.child(node, "status").properties()
                .removeIf(f -> f.getValue().isNull() || f.getValue().isContainerNode() && f.getValue().isEmpty());
        node.retain(NODE_FIELDS);
        spec.retain(NODE_SPEC);
        if (!spec.path("unschedulable").asBoolean()) {
            spec.remove("unschedulable");
        }
        JsonNode taints = spec.path("taints");
        if (taints.isNull() || taints.isArray() && taints.isEmpty()) {
            spec.remove("taints");
        } else if (taints instanceof ArrayNode list) {
            ArrayNode known = spec.arrayNode();
            list.forEach(taint -> known.add(knownTaint(taint)));
            spec.set("taints", known);
        }
    }

    private static List<String> unknownOfNode(ObjectNode node) {
        List<String> unknown = new ArrayList<>();
        Strictness.addUnknown(unknown, "", node, NODE_FIELDS);
        JsonNode spec = node.path("spec");
        Strictness.addUnknown(unknown, "spec.", spec, NODE_SPEC);
        for (int i = 0; i < spec.path("taints").size(); i++) {
            Strictness.addUnknown(unknown, SPEC + "[" + i + "].", spec.path("taints").path(i), TAINT);
        }
        return unknown;
    }

    private static ObjectNode knownTaint(JsonNode given) {
        ObjectNode taint = Json.object();
        taint.put("key", Json.text(given, "key"));
        if (!Json.text(given, "value").isEmpty()) {
            taint.put("value", Json.text(given, "value"));
        }
        taint.put("effect", Json.text(given, "effect"));
        if (given.path("timeAdded").isTextual()) {
            taint.set("timeAdded", given.path("timeAdded"));
        }
        return taint;
    }

    private static List<Violation> checkNode(ObjectNode node, @Nullable ObjectNode before) {
        List<Violation> wrong = new ArrayList<>();
        JsonNode taints = node.path("spec").path("taints");
        if (!taints.isMissingNode() && !taints.isArray()) {
            return List.of(Violation.invalid(SPEC, taints.asText(), "must be a list"));
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            wrong.addAll(checkNodeTaint(taints.path(i), "metadata.taints[" + i + "]", seen));
        }
        String provider = before == null ? "" : Json.text(before, "spec", "providerID");
        if (!provider.isEmpty() && !provider.equals(Json.text(node, "spec", "providerID"))) {
            wrong.add(Violation.forbidden(
                    "spec.providerID", "node updates may not change providerID except from \"\" to valid"));
        }
        return wrong;
    }

    // The real server does name the field metadata.taints.
    private static List<Violation> checkNodeTaint(JsonNode taint, String at, Set<String> seen) {
        List<Violation> wrong = new ArrayList<>();
        String key = Json.text(taint, "key");
        String value = Json.text(taint, "value");
        String effect = Json.text(taint, "effect");
        Names.key(key).forEach(w -> wrong.add(Violation.invalid(at + ".key", key, w)));
        if (!Names.value(value).isEmpty()) {
            wrong.add(Violation.invalid(at + ".value", value, String.join(";", Names.value(value))));
        }
        if (effect.isEmpty()) {
            wrong.add(Violation.required(at + ".effect"));
        } else if (!List.of(EFFECTS).contains(effect)) {
            wrong.add(Violation.unsupported(at + ".effect", effect, EFFECTS));
        }
        if (!seen.add(key + ":" + effect)) {
            wrong.add(new Violation(
                    "FieldValueDuplicate",
                    "Duplicate value: {\"Key\":\"" + key + "\",\"Value\":\"" + value + "\",\"Effect\":\"" + effect
                            + "\",\"TimeAdded\":null}: taints must be unique by key and effect pair",
                    at));
        }
        return wrong;
    }

    private static List<Violation> checkMachine(JsonNode taints) {
        if (taints.isMissingNode()) {
            return List.of();
        }
        if (!taints.isArray()) {
            String type = taints.isInt() ? "integer" : taints.getNodeType().name().toLowerCase(Locale.ROOT);
            return List.of(new Violation(
                    "FieldValueTypeInvalid",
                    "Invalid value: \"" + type + "\": spec.taints in body must be of type array: \"" + type + "\"",
                    SPEC));
        }
        if (taints.isEmpty()) {
            return List.of(new Violation(
                    "FieldValueInvalid", "Invalid value: 0: spec.taints in body should have at least 1 items", SPEC));
        }
        if (taints.size() > 64) {
            return List.of(new Violation(
                    "FieldValueTooMany", "Too many: " + taints.size() + ": must have at most 64 items", SPEC));
        }
        List<Violation> wrong = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            wrong.addAll(checkMachineTaint(taints.path(i), SPEC + "[" + i + "]", seen));
        }
        return wrong;
    }

    private static List<Violation> checkMachineTaint(JsonNode taint, String at, Set<String> seen) {
        List<Violation> wrong = new ArrayList<>();
        choice(wrong, taint, at, "effect", EFFECTS);
        if (taint.has("key")) {
            text(wrong, Json.text(taint, "key"), at + ".key", 317, KEY);
        } else {
            wrong.add(Violation.required(at + ".key"));
        }
        choice(wrong, taint, at, "propagation", "Always", "OnInitialization");
        if (taint.has("value")) {
            text(wrong, Json.text(taint, "value"), at + ".value", 63, VALUE);
        }
        String identity =
                "{\"effect\":\"" + Json.text(taint, "effect") + "\",\"key\":\"" + Json.text(taint, "key") + "\"}";
        if (!seen.add(identity)) {
            wrong.add(new Violation("FieldValueDuplicate", "Duplicate value: " + identity, at));
        }
        return wrong;
    }

    private static void choice(List<Violation> wrong, JsonNode taint, String at, String field, String... known) {
        String value = Json.text(taint, field);
        if (!taint.has(field)) {
            wrong.add(Violation.required(at + "." + field));
        } else if (!List.of(known).contains(value)) {
            wrong.add(Violation.unsupported(at + "." + field, value, known));
        }
    }

    private static void text(List<Violation> wrong, String value, String field, int longest, String pattern) {
        if (value.length() > longest) {
            wrong.add(new Violation(
                    "FieldValueTooLong", "Too long: may not be more than " + longest + " bytes", field));
        } else if (value.isEmpty()) {
            wrong.add(Violation.invalid(field, value, field + " in body should be at least 1 chars long"));
        } else if (!Pattern.compile(pattern).matcher(value).matches()) {
            wrong.add(Violation.invalid(field, value, field + " in body should match '" + pattern + "'"));
        }
    }
}
