package io.nodeward.core.rules.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.nodeward.core.rules.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Makes a Review of an object as it is stored and as it comes. */
final class Reviews {
    private Reviews() {}

    /** @param before missing for an object that is created */
    static Review of(DeclaringKind kind, JsonNode before, JsonNode now, boolean deleting) {
        List<Review.Taints> taints = new ArrayList<>();
        for (DeclaringPlace place : kind.taints()) {
            taints.addAll(each(place, before, now, (path, pair) -> new Review.Taints(
                    path, ValidateVectorsTest.list(pair.before), ValidateVectorsTest.list(pair.now))));
        }
        List<Review.Annotations> annotations = new ArrayList<>();
        for (DeclaringPlace place : kind.annotations()) {
            annotations.addAll(each(place, before, now, (path, pair) -> new Review.Annotations(
                    path, texts(pair.before), texts(pair.now))));
        }
        return new Review(
                Review.Occasion.of(deleting, before.isMissingNode(), isMadeByController(now)), taints, annotations);
    }

    private static boolean isMadeByController(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return Vectors.elements(metadata.path("ownerReferences")).stream()
                .anyMatch(owner -> owner.path("controller").booleanValue())
                || metadata.path("labels").has("topology.cluster.x-k8s.io/owned");
    }

    private record Pair(JsonNode before, JsonNode now) {}

    private static <T> List<T> each(
            DeclaringPlace place, JsonNode before, JsonNode now, BiFunction<String, Pair, T> make) {
        if (!place.isInList()) {
            return List.of(make.apply(place.at(0), new Pair(down(before, place.path()), down(now, place.path()))));
        }
        List<T> all = new ArrayList<>();
        List<JsonNode> elements = Vectors.elements(down(now, place.path()));
        for (int i = 0; i < elements.size(); i++) {
            JsonNode key = elements.get(i).path(place.key());
            JsonNode old = Vectors.elements(down(before, place.path())).stream()
                    .filter(element -> element.path(place.key()).equals(key))
                    .findFirst()
                    .orElse(MissingNode.getInstance());
            all.add(make.apply(place.at(i),
                    new Pair(down(old, place.below()), down(elements.get(i), place.below()))));
        }
        return all;
    }

    private static JsonNode down(JsonNode from, List<String> path) {
        JsonNode at = from;
        for (String field : path) {
            at = at.path(field);
        }
        return at;
    }

    private static Map<String, String> texts(JsonNode object) {
        return Vectors.texts(object);
    }
}
