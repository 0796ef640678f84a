package io.nodeward.api.meta;

/** An object of which only the metadata was asked for. */
public record PartialObject(Metadata metadata) implements KubernetesObject {
    @Override
    public PartialObject withResourceVersion(String resourceVersion) {
        return new PartialObject(metadata.withResourceVersion(resourceVersion));
    }

    /** Only the same version: what was not asked for may be what changed. */
    @Override
    public boolean sameState(KubernetesObject other) {
        return equals(other);
    }
}
