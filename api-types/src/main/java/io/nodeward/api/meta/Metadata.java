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
    /** Bytes that an object takes beside its texts. */
    private static final int PER_OBJECT = 300;
    /** Bytes that a text takes beside its characters, which take one each, or two where not all are Latin. */
    public static final int PER_TEXT = 32;
    private static final int PER_OWNER = 91;

    public Metadata {
        labels = TextMap.copyOf(labels);
        annotations = TextMap.copyOf(annotations);
        owners = List.copyOf(owners);
    }

    /** Returns about how many bytes of heap an object takes that has no more than its metadata. It makes no text of its own. */
    long heapBytes() {
        long owned = owners.stream().mapToLong(owner -> PER_OWNER + owner.apiVersion().length()
                + owner.kind().length() + owner.name().length() + owner.uid().length()).sum();
        return PER_OBJECT + key.namespace().length() + key.name().length() + uid.length() + resourceVersion.length()
                + owned + heapBytes(labels) + heapBytes(annotations);
    }

    private static long heapBytes(Map<String, String> texts) {
        return texts.entrySet().stream()
                .mapToLong(text -> PER_TEXT + text.getKey().length() + text.getValue().length()).sum();
    }

    public Optional<OwnerRef> controller() {
        return owners.stream().filter(OwnerRef::controller).findFirst();
    }

    /** The same with these labels and annotations alone. */
    public Metadata with(Map<String, String> otherLabels, Map<String, String> otherAnnotations) {
        return new Metadata(key, uid, resourceVersion, otherLabels, otherAnnotations, owners, deleting);
    }

    public Metadata withResourceVersion(String newer) {
        return new Metadata(key, uid, newer, labels, annotations, owners, deleting);
    }
}
