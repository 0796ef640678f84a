package io.nodeward.core.spi;

import io.nodeward.api.json.DeleteOptionsJson;
import io.nodeward.api.meta.Metadata;
import java.util.Optional;

/**
 * What a deletion holds on, and what happens to dependents. One that does not hold is an {@link ApiFailure.Conflict}.
 *
 * @param uid of the object to delete, so that one that was created anew under its name stays; empty for any
 * @param resourceVersion of the object to delete, so that one that was changed since stays; empty for any
 * @param propagationPolicy {@link #BACKGROUND}, {@link #FOREGROUND} or {@link #ORPHAN}; empty for the kind's default
 */
public record DeleteOptions(String uid, String resourceVersion, String propagationPolicy) {
    public static final String BACKGROUND = "Background";
    public static final String FOREGROUND = "Foreground";
    public static final String ORPHAN = "Orphan";

    public static final DeleteOptions NONE = new DeleteOptions("", "", "");

    /** Deletes the object only in this version. */
    public static DeleteOptions only(Metadata seen) {
        return new DeleteOptions(seen.uid(), seen.resourceVersion(), "");
    }

    public DeleteOptions withPropagationPolicy(String policy) {
        return new DeleteOptions(uid, resourceVersion, policy);
    }

    Optional<byte[]> body() {
        return equals(NONE) ? Optional.empty()
                : Optional.of(DeleteOptionsJson.body(uid, resourceVersion, propagationPolicy));
    }
}
