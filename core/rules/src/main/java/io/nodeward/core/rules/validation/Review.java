package io.nodeward.core.rules.validation;

import java.util.List;
import java.util.Map;

/**
 * An object that is about to be stored, as far as it declares taints.
 *
 * @param occasion why it is to be stored
 */
public record Review(Occasion occasion, List<Taints> taints, List<Annotations> annotations) {
    public Review {
        taints = List.copyOf(taints);
        annotations = List.copyOf(annotations);
    }

    /** Whose doing it is that an object is to be stored. */
    public enum Occasion {
        /** Of who writes it: what is new in it is judged. */
        WRITTEN,
        /** A controller makes it of a template that is stored: refusing would only keep the controller from its work. */
        COPIED,
        /** It is being deleted already, and only waits for its finalizers. */
        DELETING;

        /** @param copied whether the object, if it is created, is one that a controller makes of what is stored */
        public static Occasion of(boolean deleting, boolean created, boolean copied) {
            return deleting ? DELETING : created && copied ? COPIED : WRITTEN;
        }
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
