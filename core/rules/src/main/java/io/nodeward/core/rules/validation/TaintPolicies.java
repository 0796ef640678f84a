package io.nodeward.core.rules.validation;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The rules of {@link Admission} as ValidatingAdmissionPolicies, which an API server runs by itself. They are made of
 * the same tables. What the schema of a list says is left to the schema; that two annotations declare one key and
 * effect is reported by the webhook alone.
 */
public final class TaintPolicies {
    private static final String ADDED = "variables.added";
    private static final String ANNOTATED = "variables.annotated";
    private static final String TAINT = "t.key + ':' + t.effect";
    /** As {@link Review.Occasion#COPIED}. */
    private static final String COPIED = "oldObject == null && (has(object.metadata.ownerReferences)"
            + " && object.metadata.ownerReferences.exists(o, has(o.controller) && o.controller)"
            + " || has(object.metadata.labels) && '" + ClusterApi.TOPOLOGY_OWNED_LABEL
            + "' in object.metadata.labels)";
    /** Nothing is asked of what is being deleted: its finalizers must go. */
    private static final Map<String, String> STAYS = condition("stays", "!has(object.metadata.deletionTimestamp)");
    /** Kinds of which more declares than the spec. */
    private static final List<String> BY_METADATA = Arrays.stream(DeclaringKind.values())
            .filter(kind -> kind.annotations().stream().anyMatch(place -> place.path().getFirst().equals("metadata")))
            .map(DeclaringKind::kind)
            .toList();
    /** Most updates change nothing that declares taints, and a comparison costs far less than to look for what is new. */
    private static final Map<String, String> CHANGED = condition("changed",
            "oldObject == null || !has(object.spec) || !has(oldObject.spec) || object.spec != oldObject.spec"
                    + " || object.kind in " + quoted(BY_METADATA) + " && has(object.metadata.annotations)"
                    + " && !(has(oldObject.metadata.annotations)"
                    + " && object.metadata.annotations == oldObject.metadata.annotations)");
    /** What a controller makes of a stored template is only warned of, by another policy. */
    private static final Map<String, String> WRITTEN = condition("written", "!(" + COPIED + ")");

    private TaintPolicies() {}

    /** One set of rules: it is switched on and off, and enforced or warned of, as a whole. */
    public enum Rules {
        /** What nobody may declare; from {@link AdmissionPolicy#enforcement()}. */
        INVALID,
        /** What is declared at one's own risk; and what is invalid in a copy that a controller makes: it must not be stopped. */
        LIFECYCLE,
        /** To be installed only while the gate MachineTaintPropagation is off. */
        GATE
    }

    /**
     * The spec of a policy, as maps, lists and texts.
     *
     * @param kinds of which it is asked
     * @param failurePolicy what becomes of an object that it cannot judge, as when that costs too much: Ignore or Fail
     */
    public static Map<String, Object> spec(Rules rules, Collection<DeclaringKind> kinds, String failurePolicy) {
        return Map.of(
                "failurePolicy", failurePolicy,
                "matchConstraints", Map.of("resourceRules", resourceRules(kinds)),
                "matchConditions", rules == Rules.LIFECYCLE ? matchConditions() : List.of(STAYS, CHANGED, WRITTEN),
                "variables", variables(rules).entrySet().stream()
                        .map(variable -> Map.of("name", variable.getKey(), "expression", variable.getValue()))
                        .toList(),
                "validations", validations(rules));
    }

    /** For who is asked before objects of these kinds are stored: a policy, or a webhook. */
    public static List<Map<String, Object>> resourceRules(Collection<DeclaringKind> kinds) {
        return kinds.stream().map(DeclaringKind::group).distinct().sorted().map(group -> Map.<String, Object>of(
                "apiGroups", List.of(group),
                "apiVersions", List.of("*"),
                "operations", List.of("CREATE", "UPDATE"),
                "resources", kinds.stream().filter(kind -> kind.group().equals(group)).map(DeclaringKind::plural)
                        .sorted().toList()))
                .toList();
    }

    /** For a webhook: what is true of an object of which anything is asked at all. */
    public static List<Map<String, String>> matchConditions() {
        return List.of(STAYS, CHANGED);
    }

    private static Map<String, String> condition(String name, String expression) {
        return Map.of("name", name, "expression", expression);
    }

    /** In the order in which one needs another. */
    private static Map<String, String> variables(Rules rules) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (rules == Rules.LIFECYCLE) {
            variables.put("copied", COPIED);
        }
        variables.put("before", "oldObject == null ? dyn({}) : oldObject");
        variables.put("lists", places(DeclaringKind::taints, "[]"));
        variables.put("metadata", places(DeclaringKind::annotations, "{}"));
        variables.put("added", "variables.lists.map(p, p[0].filter(t, !(t in p[1])))");
        variables.put("annotated", "variables.metadata.map(p, p[0].filter(k, k.startsWith('" + TaintAnnotations.PREFIX
                + "') && !(k in p[1] && p[1][k] == p[0][k])).map(k, k + ' ' + p[0][k]))");
        return variables;
    }

    private static List<Map<String, String>> validations(Rules rules) {
        return switch (rules) {
            case INVALID -> invalid();
            case LIFECYCLE -> lifecycle();
            case GATE -> List.of(
                    items("false", MachineTaintRules.GATE_IS_OFF + ":"),
                    texts("false", MachineTaintRules.GATE_IS_OFF));
        };
    }

    private static List<Map<String, String>> invalid() {
        String longest = "t.key.size() <= " + MachineTaintRules.MAX_KEY + " && ";
        String longestIn = "a.matches(r'^[^ ]+ [^=:]{1," + MachineTaintRules.MAX_KEY + "}[=:]') && ";
        String reserved = "the key " + MachineTaintRules.IS_RESERVED;
        return List.of(
                items(longest + matches("t.key", TaintPatterns.KEY), "no Node accepts the key of"),
                items(matches("t.?value.orValue('')", TaintPatterns.VALUE), "no Node accepts the value of"),
                items("t.effect in " + quoted(NodeAcceptance.EFFECTS), "unknown effect of"),
                items("t.propagation in " + quoted(MachineTaintRules.PROPAGATIONS), "unknown propagation of"),
                items("!(t.key in " + quoted(MachineTaintRules.RESERVED) + ")", reserved + " of"),
                texts(longestIn + "a.matches(r'^[^ ]+ (?:" + TaintPatterns.ANNOTATION + ")$')",
                        "not " + AnnotatedTaint.FORM + ", or no Node accepts it"),
                texts("!" + begins(MachineTaintRules.RESERVED, "[=:]"), reserved));
    }

    private static List<Map<String, String>> lifecycle() {
        String fight = "another controller sets and removes, and will fight over";
        String prefixes = MachineTaintRules.LIFECYCLE.stream()
                .map(prefix -> "t.key.startsWith('" + prefix + "')")
                .collect(Collectors.joining(" || "));
        List<Map<String, String>> warnings = new ArrayList<>(List.of(
                items("t.key == '" + MachineTaintRules.OUT_OF_SERVICE + "' || !(" + prefixes + ")", fight + ","),
                texts(begins(List.of(MachineTaintRules.OUT_OF_SERVICE), "[=:]") + " || !"
                        + begins(MachineTaintRules.LIFECYCLE, ""), fight)));
        invalid().forEach(fault -> {
            Map<String, String> warning = new HashMap<>(fault);
            warning.computeIfPresent("expression", (field, holds) -> "!variables.copied || " + holds);
            warnings.add(warning);
        });
        return warnings;
    }

    /** Whether an annotation's text begins with one of these, and then the pattern. */
    private static String begins(List<String> texts, String then) {
        return texts.stream()
                .map(text -> text.replace(".", "[.]"))
                .collect(Collectors.joining("|", "a.matches(r'^[^ ]+ (", ")" + then + "')"));
    }

    /** Holds of all taints that are new. */
    private static Map<String, String> items(String holds, String otherwise) {
        return validation(ADDED, "t", holds, "taints: " + otherwise, TAINT);
    }

    /** Holds of all annotations that are new, each as its name, a blank and its text. */
    private static Map<String, String> texts(String holds, String otherwise) {
        return validation(ANNOTATED, "a", holds, "annotations: " + otherwise + ":", "a");
    }

    private static Map<String, String> validation(
            String lists, String each, String holds, String otherwise, String shown) {
        String wrong = "l.filter(" + each + ", !(" + holds + ")).map(" + each + ", " + shown + ").join(', ')";
        return Map.of(
                "expression", lists + ".all(l, l.all(" + each + ", " + holds + "))",
                "messageExpression",
                "'" + otherwise + " ' + " + lists + ".map(l, " + wrong + ").filter(s, s != '').join(', ')",
                "message", otherwise, // for a server that cannot make the other
                "reason", "Invalid");
    }

    private static String matches(String of, String pattern) {
        return of + ".matches(r'" + TaintPatterns.whole(pattern) + "')";
    }

    private static String quoted(List<String> texts) {
        return texts.stream().collect(Collectors.joining("', '", "['", "']"));
    }

    /** For every kind its places, each as what is there now and what was there before. */
    private static String places(Function<DeclaringKind, List<DeclaringPlace>> of, String nothing) {
        return Arrays.stream(DeclaringKind.values())
                .map(kind -> "(object.kind == '" + kind.kind() + "' ?\n  " + of.apply(kind).stream()
                        .map(place -> pair(place, nothing))
                        .collect(Collectors.joining(" +\n  ")) + " : [])")
                .collect(Collectors.joining(" +\n"));
    }

    private static String pair(DeclaringPlace place, String nothing) {
        String empty = ".orValue(dyn(" + nothing + "))";
        if (!place.isInList()) {
            String there = optional(place.path()) + empty;
            return "[[object" + there + ", variables.before" + there + "]]";
        }
        String list = optional(place.path()) + ".orValue(dyn([]))";
        String there = optional(place.below()) + empty;
        // Only elements that declare any and are not there as they are: to look for each costs the product of both lists.
        String before = "variables.before" + list;
        return "object" + list + ".filter(w, w" + optional(place.below()) + ".hasValue() && !(w in " + before
                + ")).map(w, [w" + there + ", (" + before
                + ".filter(o, o." + place.key() + " == w." + place.key() + ").map(o, o" + there + ") + [dyn(" + nothing
                + ")])[0]])";
    }

    private static String optional(List<String> path) {
        return path.stream().map(field -> ".?" + field).collect(Collectors.joining());
    }
}
