package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Namespace: its labels can make its pods members of groups, and nothing else of it can.
 *
 * @param metadata without annotations and owners; without labels if these are not known
 * @param truncatedFields the labels, if these are not known
 */
public record LabeledNamespace(Metadata metadata, List<String> truncatedFields) implements KubernetesObject {
    private static final String LABELS = "metadata.labels";
    /** Characters in all labels of a Namespace. The API server limits each label, and not their number. */
    private static final int MOST_CHARACTERS = 16 << 10;
    private static final Shape NOTHING = Shape.of(List.of());
    public static final Projection<LabeledNamespace> PROJECTION = Projection.parts(
            Shape.of(List.of(List.of("labels"))), NOTHING, NOTHING,
            (metadata, managedFields, spec, status) -> of(metadata));

    public LabeledNamespace {
        truncatedFields = List.copyOf(truncatedFields);
    }

    /** Makes one of a Namespace's metadata, whatever it holds. */
    public static LabeledNamespace of(Metadata metadata) {
        Map<String, String> labels = metadata.labels();
        int characters = labels.entrySet().stream()
                .mapToInt(label -> label.getKey().length() + label.getValue().length()).sum();
        return PodBounds.exceedsLabels(metadata) || characters > MOST_CHARACTERS
                ? unknown(metadata, " (" + Projection.MOST_PARTS + ", or " + MOST_CHARACTERS + " characters)")
                : new LabeledNamespace(labeled(metadata, labels), List.of());
    }

    private static LabeledNamespace unknown(Metadata metadata, String why) {
        return new LabeledNamespace(labeled(metadata, Map.of()), List.of(LABELS + why));
    }

    private static Metadata labeled(Metadata metadata, Map<String, String> labels) {
        return new Metadata(metadata.key(), metadata.uid(), metadata.resourceVersion(), labels, Map.of(), List.of(),
                metadata.deleting());
    }

    /** Returns the labels; empty if they are not known, which is not the same as no labels. */
    public Optional<Map<String, String>> labels() {
        return Optional.of(metadata.labels()).filter(known -> truncatedFields.isEmpty());
    }

    /** Whether the labels are not known because there are too many of them, and not because memory is short. */
    public boolean hasTooManyLabels() {
        return truncatedFields.stream().anyMatch(field -> !field.endsWith(SHORT_OF_MEMORY));
    }

    @Override
    public LabeledNamespace reduced() {
        return truncatedFields.isEmpty() ? unknown(metadata, SHORT_OF_MEMORY) : this;
    }

    /** The namespace that it is. */
    @Override
    public String account() {
        return key().name();
    }

    @Override
    public LabeledNamespace withResourceVersion(String resourceVersion) {
        return new LabeledNamespace(metadata.withResourceVersion(resourceVersion), truncatedFields);
    }
}
