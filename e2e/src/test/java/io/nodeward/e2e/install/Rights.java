package io.nodeward.e2e.install;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What roles allow, each right as {@code KIND GROUP/RESOURCE[NAME] VERB}. */
final class Rights {
    /** Names of roles with nothing but the right to register end in it. */
    static final String REGISTRATION = "-registration";
    private static final String ADMISSION = " admissionregistration.k8s.io/";

    private Rights() {}

    /** Of those of the objects that are roles. */
    static Set<String> in(List<JsonNode> objects) {
        Set<String> rights = new TreeSet<>();
        for (JsonNode role : objects) {
            String kind = role.path("kind").asText();
            if (role.has("aggregationRule")) {
                rights.add(kind + " " + role.path("aggregationRule"));
            }
            if (kind.endsWith("Role")) {
                role.path("rules").forEach(rule -> add(rights, kind, rule));
            }
        }
        return rights;
    }

    private static void add(Set<String> rights, String kind, JsonNode rule) {
        for (String group : texts(rule.path("apiGroups"))) {
            for (String resource : texts(rule.path("resources"))) {
                for (String name : texts(rule.path("resourceNames"))) {
                    rule.path("verbs").forEach(verb -> rights
                            .add(kind + " " + group + "/" + resource + "[" + name + "] " + verb.asText()));
                }
            }
        }
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts.isEmpty() ? List.of("") : texts;
    }

    /** To make or change what has API servers ask or refuse, or the Secret beside it. */
    static boolean registers(String right) {
        return right.matches("(.*" + ADMISSION + ".*|Role /secrets.*) (create|patch)");
    }

    /** Those of these by which webhooks and policies are removed. */
    static Set<String> toRemove(Set<String> rights) {
        return rights.stream().filter(right -> right.contains(ADMISSION) && !registers(right))
                .collect(Collectors.toSet());
    }

    /** The right that ends this role. */
    static String toUnbind(JsonNode role) {
        String kind = role.path("kind").asText();
        return kind + " rbac.authorization.k8s.io/" + (kind.equals("Role") ? "rolebindings" : "clusterrolebindings")
                + "[" + role.at("/metadata/name").asText() + "] delete";
    }

    /** The binding of this role, as {@code --cleanup-bindings} takes it. */
    static String binding(JsonNode role) {
        String name = role.at("/metadata/name").asText();
        return role.path("kind").asText().equals("Role") ? role.at("/metadata/namespace").asText() + "/" + name : name;
    }
}
