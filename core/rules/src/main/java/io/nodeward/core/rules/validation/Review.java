package io.nodeward.core.rules.validation;

import java.util.List;
import java.util.Map;

/**
 * An object that is about to be stored, as far as it declares taints.
 *
 * @param deleting whether it is being deleted already, so that it only waits for its finalizers
 */
public record Review(boolean deleting, List<Taints> taints, List<Annotations> annotations) {
    public Review {
        taints = List.copyOf(taints);
        annotations = List.copyOf(annotations);
    }

    /**
     * One list of taints.
     *
     * @param path from the object's root, for example {@code spec.template.spec.taints}
     * @param before as it is stored; absent in an object that is created
     */
    public record Taints(
            String path, Given<List<Given<DeclaredTaint>>> before, Given<List<Given<DeclaredTaint>>> now) {}

    /**
     * Annotations in one place, of which some may declare taints.
     *
     * @param path as {@code metadata.annotations}
     * @param before as they are stored; empty in an object that is created
     */
    public record Annotations(String path, Map<String, String> before, Map<String, String> now) {
        public Annotations {
            before = Map.copyOf(before);
            now = Map.copyOf(now);
        }
    }
}
