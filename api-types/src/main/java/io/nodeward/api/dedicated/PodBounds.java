package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.pod.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** How much is kept of a pod. API servers limit none of it, but for the bytes of the whole pod. */
final class PodBounds {
    private static final List<String> CONTAINERS = List.of("containers", "initContainers");

    private PodBounds() {}

    /** Returns the fields that exceed what is kept of a pod, each with how many there may be. */
    static List<String> exceeded(Metadata metadata, Tree spec, Tree status) {
        List<String> fields = new ArrayList<>();
        if (exceeds(spec.at("tolerations"), Pod.MOST_TOLERATIONS)) {
            fields.add("spec.tolerations (" + Pod.MOST_TOLERATIONS + " distinct)");
        }
        if (exceedsLabels(metadata)) {
            fields.add("metadata.labels (" + Projection.MOST_PARTS + ")");
        }
        Stream.concat(CONTAINERS.stream(), Stream.of("resourceClaims")).forEach(
                field -> add(fields, "spec." + field, exceeds(spec.at(field), Projection.MOST_PARTS)));
        add(fields, "spec.containers[*].resources",
                amounts(spec).anyMatch(amounts -> exceeds(amounts, Projection.MOST_PARTS))
                        || resources(spec).size() > Projection.MOST_PARTS);
        add(fields, "status." + CandidatePod.GENERATED,
                exceeds(status.at(CandidatePod.GENERATED), Projection.MOST_PARTS));
        return fields;
    }

    /** Returns whether there are more labels than are kept of a pod or a Namespace. */
    static boolean exceedsLabels(Metadata metadata) {
        return metadata.labels().size() > Projection.MOST_PARTS;
    }

    private static void add(List<String> fields, String field, boolean exceeds) {
        if (exceeds) {
            fields.add(field + " (" + Projection.MOST_PARTS + " distinct)");
        }
    }

    private static boolean exceeds(Tree several, int most) {
        return switch (several) {
            case Tree.Items(List<Tree> items) -> items.stream().distinct().limit(most + 1L).count() > most;
            case Tree.Fields(Map<String, Tree> fields) -> fields.size() > most;
            default -> false;
        };
    }

    /** Returns the names of what any of the containers requests. */
    static Set<String> resources(Tree spec) {
        Set<String> names = new HashSet<>();
        amounts(spec).forEach(amounts -> names.addAll(requested(amounts)));
        return names;
    }

    private static Stream<Tree> amounts(Tree spec) {
        return CONTAINERS.stream().flatMap(field -> spec.at(field).elements().stream())
                .flatMap(container -> Stream.of("requests", "limits").map(container.at("resources")::at));
    }

    private static List<String> requested(Tree amounts) {
        List<String> names = new ArrayList<>();
        if (amounts instanceof Tree.Fields(Map<String, Tree> each)) {
            each.forEach((name, amount) -> {
                if (isMoreThanZero(amount)) {
                    names.add(name);
                }
            });
        }
        return names;
    }

    /** A quantity is written with a suffix or an exponent, whose digits do not matter. */
    private static boolean isMoreThanZero(Tree amount) {
        String text = amount instanceof Tree.Other(String word, String number) ? number : amount.string();
        return text.chars().takeWhile(c -> !Character.isLetter(c)).anyMatch(c -> c >= '1' && c <= '9');
    }
}
