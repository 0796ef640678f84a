package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.Shape;
import java.util.List;
import java.util.Map;

/**
 * A webhook with its answer.
 *
 * @param name DNS name with at least three parts, which callers see when it refuses
 * @param path that API servers call; each webhook of a component has its own
 * @param shape which parts of an object the handler reads; all else is skipped
 * @param fields of its entry in the configuration: {@code rules}, {@code failurePolicy} and whatever else it needs besides
 *     {@code name} and {@code clientConfig}. {@code matchPolicy} is Equivalent, {@code sideEffects} None and
 *     {@code timeoutSeconds} 3 unless they say otherwise, and {@code objectSelector} selects what has the watch filter's label:
 *     an empty one selects all objects, as it has to of kinds that do not have the label
 */
public record Webhook(
        AdmissionPhase phase,
        String name,
        String path,
        Shape shape,
        AdmissionHandler handler,
        Map<String, Object> fields) {
    private static final List<String> NEEDED = List.of("rules", "failurePolicy");
    private static final List<String> GIVEN = List.of("name", "clientConfig", "admissionReviewVersions");

    public Webhook {
        fields = Map.copyOf(fields);
        if (!path.startsWith("/") || name.split("\\.").length < 3) {
            throw new IllegalArgumentException("a webhook named '" + name + "' at '" + path + "'");
        }
        if (!fields.keySet().containsAll(NEEDED) || GIVEN.stream().anyMatch(fields::containsKey)) {
            throw new IllegalArgumentException(name + " must set " + NEEDED + " and none of " + GIVEN);
        }
    }
}
