package io.nodeward.api.meta;

import java.util.List;

/**
 * An object of a kind that a CustomResourceDefinition adds, and whose status one controller keeps.
 *
 * @param generation which the API server counts up with each change of the spec
 * @param spec compared by value; if its controller reads some of the status back, that is part of it
 * @param conditions all that its status has
 */
public record CustomResource<S>(Metadata metadata, long generation, S spec, List<Condition> conditions)
        implements KubernetesObject {
    public CustomResource {
        conditions = List.copyOf(conditions);
    }

    @Override
    public CustomResource<S> withResourceVersion(String resourceVersion) {
        return new CustomResource<>(metadata.withResourceVersion(resourceVersion), generation, spec, conditions);
    }

    /** Whether {@code other} declares the same: nothing but the status, and so the resourceVersion, may differ. */
    public boolean declaresAs(CustomResource<S> other) {
        return withConditions(other.conditions).sameState(other);
    }

    private CustomResource<S> withConditions(List<Condition> others) {
        return new CustomResource<>(metadata, generation, spec, others);
    }
}
