package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What Cluster API's schema takes as a status with conditions; those that do not change are not looked at.
 *
 * @param others rules of the same kind
 */
record StatusRules(Rules others) implements Rules {
    private static final Pattern TYPE = Pattern.compile(
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$");
    private static final Pattern REASON = Pattern.compile("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$");

    @Override
    public void prepare(ObjectNode object) {
        others.prepare(object);
    }

    @Override
    public boolean hasExpressions() {
        return others.hasExpressions();
    }

    @Override
    public List<Violation> check(ObjectNode object, @Nullable ObjectNode before) {
        List<Violation> wrong = new ArrayList<>(others.check(object, before));
        JsonNode status = object.path("status");
        if (status.isObject() && status.isEmpty() && (before == null || !status.equals(before.path("status")))) {
            wrong.add(new Violation(
                    "FieldValueInvalid", "Invalid value: 0:  in body should have at least 1 properties", "status"));
        }
        // status.conditions of v1beta1 are of another form
        boolean older = Json.text(object, "apiVersion").endsWith("/v1beta1");
        String path = older ? "v1beta2.conditions" : "conditions";
        JsonNode old = before == null ? Json.object() : conditions(before, older);
        wrong.addAll(checkList(path, conditions(object, older), old));
        return wrong;
    }

    private static JsonNode conditions(ObjectNode object, boolean older) {
        JsonNode status = object.path("status");
        return (older ? status.path("v1beta2") : status).path("conditions");
    }

    private static List<Violation> checkList(String path, JsonNode conditions, JsonNode old) {
        if (conditions.isMissingNode() || conditions.equals(old)) {
            return List.of();
        }
        if (!conditions.isArray()) {
            return List.of(Violation.type("status." + path, path, conditions, "array"));
        }
        List<Violation> wrong = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        Set<JsonNode> unchanged = new HashSet<>();
        old.forEach(unchanged::add);
        for (int i = 0; i < conditions.size(); i++) {
            JsonNode condition = conditions.path(i);
            if (!unchanged.contains(condition)) {
                check(wrong, path + "[" + i + "]", condition);
            }
            if (condition.has("type") && !seen.add(Json.text(condition, "type"))) {
                wrong.add(new Violation("FieldValueDuplicate",
                        "Duplicate value: {\"type\":" + condition.path("type") + "}",
                        "status." + path + "[" + i + "]"));
            }
        }
        return wrong;
    }

    private static void check(List<Violation> wrong, String at, JsonNode condition) {
        for (String field : List.of("lastTransitionTime", "message", "reason", "status", "type")) {
            String path = "status." + at + "." + field;
            if (!condition.has(field)) {
                wrong.add(Violation.required(path));
            } else if (!condition.path(field).isTextual()) {
                wrong.add(Violation.type(path, at + "." + field, condition.path(field), "string"));
            } else {
                checkText(wrong, path, at + "." + field, field, condition.path(field).asText());
            }
        }
    }

    private static void checkText(List<Violation> wrong, String path, String inBody, String field, String value) {
        switch (field) {
            case "lastTransitionTime" -> {
                if (!isTime(value)) {
                    wrong.add(new Violation("FieldValueTypeInvalid", "Invalid value: \"" + value + "\": " + inBody
                            + " in body must be of type date-time: \"" + value + "\"", path));
                }
            }
            case "message" -> longest(wrong, path, value, 32768);
            case "status" -> {
                if (!List.of("True", "False", "Unknown").contains(value)) {
                    wrong.add(Violation.unsupported(path, value, "True", "False", "Unknown"));
                }
            }
            case "reason" -> {
                longest(wrong, path, value, 1024);
                if (value.isEmpty()) {
                    wrong.add(Violation.invalid(path, value, inBody + " in body should be at least 1 chars long"));
                }
                matching(wrong, path, inBody, value, REASON);
            }
            default -> {
                longest(wrong, path, value, 316);
                matching(wrong, path, inBody, value, TYPE);
            }
        }
    }

    private static void longest(List<Violation> wrong, String path, String value, int bytes) {
        if (value.length() > bytes) {
            wrong.add(new Violation("FieldValueTooLong", "Too long: may not be more than " + bytes + " bytes", path));
        }
    }

    private static void matching(List<Violation> wrong, String path, String inBody, String value, Pattern pattern) {
        if (!value.isEmpty() && !pattern.matcher(value).matches()) {
            wrong.add(Violation.invalid(path, value, inBody + " in body should match '" + pattern + "'"));
        }
    }

    private static boolean isTime(String value) {
        try {
            OffsetDateTime.parse(value);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
