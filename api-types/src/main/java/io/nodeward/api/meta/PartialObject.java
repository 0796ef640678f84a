package io.nodeward.api.meta;

/** An object of which only the metadata was asked for. */
public record PartialObject(Metadata metadata) implements KubernetesObject {
    @Override
    public PartialObject withResourceVersion(String resourceVersion) {
        return new PartialObject(metadata.withResourceVersion(resourceVersion));
    }
}
