package io.nodeward.api.meta;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of an object's metadata that decisions read.
 *
 * @param resourceVersion opaque; sent back as the precondition of a write
 * @param labels in the order of their keys, as are annotations
 * @param deleting whether {@code deletionTimestamp} is set
 */
public record Metadata(
        ObjectKey key,
        String uid,
        String resourceVersion,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<OwnerRef> owners,
        boolean deleting) {

    public Metadata {
        labels = TextMap.copyOf(labels);
        annotations = TextMap.copyOf(annotations);
        owners = List.copyOf(owners);
    }

    public Optional<OwnerRef> controller() {
        return owners.stream().filter(OwnerRef::controller).findFirst();
    }

    public Metadata withResourceVersion(String newer) {
        return new Metadata(key, uid, newer, labels, annotations, owners, deleting);
    }
}
