package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What may be used of a kubeconfig from a Secret. Whoever may write such a Secret must not make its reader run a
 * program, read a file or run out of memory. So its text is never handed on: a new one is made of the values that were
 * checked, and no other parser can read anything else out of it.
 */
public final class SecretKubeconfig {
    /** The outcome of {@link #judge}. */
    public sealed interface Verdict {}

    /**
     * It may be used.
     *
     * @param kubeconfig JSON with one context, cluster and user; equal for texts that say the same
     */
    public record Accepted(String kubeconfig) implements Verdict {
        /** Whether both lead to the same server in the same way, be it as another user. */
        public boolean sameServer(Accepted other) {
            return cluster().fields().equals(other.cluster().fields());
        }

        Section cluster() {
            return new Section("", StrictYaml.read(kubeconfig)).entries("clusters").getFirst().section("cluster")
                    .orElseThrow();
        }

        /** Never shows the kubeconfig. */
        @Override
        public String toString() {
            return "Accepted";
        }
    }

    /** @param defect the first one found; names the field and never shows what is in it */
    public record Refused(String defect) implements Verdict {}

    private SecretKubeconfig() {}

    /** Judges the current context and what it names; other contexts, clusters and users do not matter. */
    public static Verdict judge(String text) {
        if (text.isBlank()) {
            return new Refused("data.value is missing, empty or not base64");
        }
        try {
            return new Accepted(checked(new Section("", StrictYaml.read(text))));
        } catch (Defect defect) {
            return new Refused(defect.what());
        }
    }

    private static String checked(Section root) {
        String current = root.text("current-context").orElse("");
        if (current.isEmpty()) {
            throw new Defect("current-context is missing");
        }
        Section context = named(root, "context", Optional.of(current), "current-context");
        Section cluster = named(root, "cluster", context.text("cluster"), "the cluster of the current context");
        Section user = named(root, "user", context.text("user"), "the user of the current context");
        return emitted(ClusterRules.checked(cluster), UserRules.checked(user));
    }

    // Client libraries differ in which of two entries of one name they take, so that none may be there twice.
    private static Section named(Section root, String kind, Optional<String> name, String whose) {
        String list = kind + "s";
        Set<String> names = new HashSet<>();
        Optional<Section> found = Optional.empty();
        for (Section entry : root.entries(list)) {
            String its = entry.text("name").orElse("");
            if (!names.add(its)) {
                throw new Defect(list + " has two entries of one name");
            }
            if (name.isPresent() && its.equals(name.get())) {
                found = entry.section(kind);
            }
        }
        return found.orElseThrow(() -> new Defect(list + " has no entry for " + whose));
    }

    private static String emitted(ObjectNode cluster, ObjectNode user) {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Config");
        entry(root, "cluster", cluster);
        entry(root, "user", user);
        entry(root, "context", JsonNodeFactory.instance.objectNode().put("cluster", "cluster").put("user", "user"));
        return root.put("current-context", "context").toString();
    }

    private static void entry(ObjectNode root, String kind, JsonNode body) {
        root.putArray(kind + "s").addObject().put("name", kind).set(kind, body);
    }
}
