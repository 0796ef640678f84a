package io.nodeward.core.runtime.controller;

import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.spi.ApiFailure;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A change of annotations of an object in the management cluster.
 *
 * @param target with the resourceVersion that the change was planned from
 * @param objects among which the target is
 * @param changes new text by annotation, empty to remove it
 * @param applied all annotations that the field manager is to have, if none is removed
 */
public record AnnotationUpdate(
        Target target,
        AnnotatedObjects<?> objects,
        Map<String, Optional<String>> changes,
        Map<String, String> applied,
        Wording wording)
        implements ObjectChange {
    public AnnotationUpdate {
        changes = new TreeMap<>(changes);
        applied = new TreeMap<>(applied);
    }

    /**
     * How it is reported.
     *
     * @param done for logs, for example {@code advertised}
     * @param refused reason of the Event and the condition when the API server refuses the change
     */
    public record Wording(String done, String refused) {}

    @Override
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /**
     * Whether an annotation goes. Applying the others would not remove it where another manager has it too, as one that
     * has edited it does.
     */
    public boolean removes() {
        return changes.containsValue(Optional.<String>empty());
    }

    @Override
    public String kind() {
        return target.regarding().kind();
    }

    @Override
    public String name() {
        return target.regarding().key().toString();
    }

    @Override
    public Map<String, Object> fields() {
        return Map.of("annotations", changes.keySet());
    }

    @Override
    public String done() {
        return wording.done();
    }

    @Override
    public Blocked refused(ApiFailure failure) {
        return Blocked.refused(wording.refused(), "annotations were", failure);
    }

    /** The one who installs Nodeward grants the rights in the management cluster; nobody else does later. */
    @Override
    public boolean reportsMissingRightAtOnce() {
        return true;
    }
}
