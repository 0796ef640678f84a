package io.nodeward.e2e.autoscaler;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Node that the cluster-autoscaler imagines for a group that has none. This stands in for the real autoscaler, which
 * is not to be had as a program here: its provider for Cluster API, which makes a template from the group as the API
 * server gives it, and what its core takes off the template, startup taints. Written from the description of the formats,
 * sharing nothing with the code under test. Whether a pod fits is not decided here: see {@link Decisions}.
 *
 * @param taints as a Node bears them
 * @param capacity {@code cpu} and {@code memory}
 */
record Imagined(Map<String, String> labels, List<Map<String, String>> taints, Map<String, String> capacity) {
    private static final String SIZE = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
    private static final String CAPACITY = "capacity.cluster-autoscaler.kubernetes.io/";
    private static final String STARTUP = "startup-taint.cluster-autoscaler.kubernetes.io/";
    private static final String NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?";
    private static final String DOMAIN = "[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?";
    private static final Pattern TAINT =
            Pattern.compile("((?:" + DOMAIN + "/)?" + NAME + ")(?:=((?:" + NAME + ")?))?:([^:]*)");

    /** An autoscaler: up to 1.35, or a later one; and the keys that it was given as {@code --startup-taint}. */
    record Release(boolean readsSpec, Set<String> startupTaints) {
        static final Release V1_35 = new Release(false, Set.of());
        static final Release V1_36 = new Release(true, Set.of());
    }

    /** Empty if the autoscaler does not scale it from zero. */
    static Optional<Imagined> of(JsonNode group, Release release) {
        JsonNode annotations = group.at("/metadata/annotations");
        Map<String, String> capacity = new LinkedHashMap<>();
        for (String resource : List.of("cpu", "memory")) {
            if (annotations.has(CAPACITY + resource)) {
                capacity.put(resource, annotations.path(CAPACITY + resource).asText());
            }
        }
        return annotations.has(SIZE) && capacity.size() == 2
                ? Optional.of(new Imagined(labels(annotations), taints(group, annotations, release), capacity))
                : Optional.empty();
    }

    /** One by key and effect: that of the annotation, where there are two. */
    private static List<Map<String, String>> taints(JsonNode group, JsonNode annotations, Release release) {
        Map<String, Map<String, String>> taints = new LinkedHashMap<>();
        if (release.readsSpec()) {
            group.at("/spec/template/spec/taints").forEach(taint -> put(taints, release, taint.path("key").asText(),
                    taint.path("value").asText(), taint.path("effect").asText()));
        }
        for (String piece : annotations.path(CAPACITY + "taints").asText().split(",")) {
            Matcher parts = TAINT.matcher(piece);
            if (parts.matches()) {
                put(taints, release, parts.group(1), parts.group(2) == null ? "" : parts.group(2), parts.group(3));
            }
        }
        return List.copyOf(taints.values());
    }

    private static void put(
            Map<String, Map<String, String>> taints, Release release, String key, String value, String effect) {
        if (!key.startsWith(STARTUP) && !release.startupTaints().contains(key)) {
            taints.put(key + ":" + effect, Map.of("key", key, "value", value, "effect", effect));
        }
    }

    private static Map<String, String> labels(JsonNode annotations) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String piece : annotations.path(CAPACITY + "labels").asText().split(",")) {
            String[] parts = piece.split("=", 2);
            if (parts.length == 2) {
                labels.put(parts[0], parts[1]);
            }
        }
        return labels;
    }
}
