package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Labels by {@code a=b,c!=d,e in (f,g),h notin (i),j,!k}. */
record LabelSelector(List<Predicate<Map<String, String>>> requirements) {
    // A comma inside parentheses separates values, not requirements.
    private static final Pattern BETWEEN = Pattern.compile(",(?![^(]*\\))");
    private static final Pattern EQUALITY = Pattern.compile("([^\\s=!(),]+)\\s*(=|==|!=)\\s*([^\\s=!(),]*)");
    private static final Pattern SET = Pattern.compile("([^\\s=!(),]+)\\s+(in|notin)\\s*\\(([^()]*)\\)");
    private static final Pattern EXISTS = Pattern.compile("(!?)\\s*([^\\s=!(),]+)");

    /** @throws Refusal 400 if it cannot be read */
    static LabelSelector parse(String text) {
        List<Predicate<Map<String, String>>> requirements = new ArrayList<>();
        for (String part : text.isBlank() ? new String[0] : BETWEEN.split(text)) {
            requirements.add(requirement(part.strip()));
        }
        return new LabelSelector(requirements);
    }

    /** Of an object's own selector: without one nothing matches, with an empty one everything. */
    static LabelSelector of(JsonNode selector) {
        List<Predicate<Map<String, String>>> requirements = new ArrayList<>();
        if (!selector.isObject()) {
            requirements.add(labels -> false);
        }
        Json.texts(selector.path("matchLabels")).forEach((key, value) -> requirements.add(oneOf(key, Set.of(value))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = Json.text(expression, "key");
            Set<String> values = new TreeSet<>();
            expression.path("values").forEach(value -> values.add(value.asText()));
            requirements.add(switch (Json.text(expression, "operator")) {
                case "In" -> oneOf(key, values);
                case "NotIn" -> oneOf(key, values).negate();
                case "Exists" -> labels -> labels.containsKey(key);
                default -> labels -> !labels.containsKey(key);
            });
        }
        return new LabelSelector(requirements);
    }

    boolean isEmpty() {
        return requirements.isEmpty();
    }

    boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(r -> r.test(labels));
    }

    private static Predicate<Map<String, String>> requirement(String text) {
        Matcher equality = EQUALITY.matcher(text);
        if (equality.matches()) {
            return equality.group(2).equals("!=")
                    ? oneOf(equality.group(1), Set.of(equality.group(3))).negate()
                    : oneOf(equality.group(1), Set.of(equality.group(3)));
        }
        Matcher set = SET.matcher(text);
        if (set.matches()) {
            Set<String> values = new TreeSet<>();
            Arrays.stream(set.group(3).split(",")).map(String::strip).forEach(values::add);
            Predicate<Map<String, String>> in = oneOf(set.group(1), values);
            return set.group(2).equals("in") ? in : in.negate();
        }
        Matcher exists = EXISTS.matcher(text);
        if (exists.matches()) {
            String key = exists.group(2);
            return exists.group(1).isEmpty() ? labels -> labels.containsKey(key) : labels -> !labels.containsKey(key);
        }
        throw Refusal.badRequest("unable to parse requirement: " + text);
    }

    private static Predicate<Map<String, String>> oneOf(String key, Set<String> values) {
        return labels -> {
            String value = labels.get(key);
            return value != null && values.contains(value);
        };
    }
}
