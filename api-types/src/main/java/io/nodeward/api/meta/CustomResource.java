package io.nodeward.api.meta;

import java.time.Instant;
import java.util.List;

/**
 * An object of a kind that a CustomResourceDefinition adds, and whose status one controller keeps.
 *
 * @param generation which the API server counts up with each change of the spec
 * @param spec compared by value; if its controller reads some of the status back, that is part of it
 * @param conditions all that its status has
 * @param status all else that it has, as a JSON object whose fields are in order
 * @param created to the second; {@link Instant#EPOCH} if it does not say
 */
public record CustomResource<S>(
        Metadata metadata, long generation, S spec, List<Condition> conditions, String status, Instant created)
        implements KubernetesObject {
    public CustomResource {
        conditions = List.copyOf(conditions);
    }

    /** Of which nobody asks how old it is. */
    public CustomResource(
            Metadata metadata, long generation, S spec, List<Condition> conditions, String status) {
        this(metadata, generation, spec, conditions, status, Instant.EPOCH);
    }

    /** With nothing but conditions in its status. */
    public CustomResource(Metadata metadata, long generation, S spec, List<Condition> conditions) {
        this(metadata, generation, spec, conditions, "{}");
    }

    @Override
    public CustomResource<S> withResourceVersion(String resourceVersion) {
        return new CustomResource<>(
                metadata.withResourceVersion(resourceVersion), generation, spec, conditions, status, created);
    }

    /** Whether {@code other} declares the same: nothing but the status, and so the resourceVersion, may differ. */
    public boolean declaresAs(CustomResource<S> other) {
        return new CustomResource<>(metadata, generation, spec, other.conditions, other.status, created)
                .sameState(other);
    }
}
