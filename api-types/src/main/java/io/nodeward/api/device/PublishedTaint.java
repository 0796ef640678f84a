package io.nodeward.api.device;

import io.nodeward.api.admission.Tree;
import java.util.Optional;

/**
 * The {@code publishedTaint} of a {@code deviceSelector}: a taint that the driver of a device has published in its ResourceSlice.
 *
 * @param key no device has an empty one
 * @param value of the taint; an empty text is that of a taint without one, and an absent text any
 * @param effect of the taint; any if it is absent
 */
public record PublishedTaint(String key, Optional<String> value, Optional<String> effect) {
    /** Reads it if it is there. If it or a part of it is of another type, no device has the taint. */
    static Optional<PublishedTaint> of(Tree taint) {
        if (taint instanceof Tree.Absent) {
            return Optional.empty();
        }
        boolean isText = isTextOrAbsent(taint.at("value")) && isTextOrAbsent(taint.at("effect"));
        return Optional.of(new PublishedTaint(isText ? taint.at("key").string() : "",
                DeviceTaintSelector.text(taint.at("value")), DeviceTaintSelector.text(taint.at("effect"))));
    }

    private static boolean isTextOrAbsent(Tree field) {
        return field instanceof Tree.Text || field instanceof Tree.Absent;
    }

    /** Returns whether a taint is such a one. */
    public boolean matches(DeviceTaint taint) {
        return !key.isEmpty() && key.equals(taint.key()) && value.filter(text -> !text.equals(taint.value())).isEmpty()
                && effect.filter(text -> !text.equals(taint.effect())).isEmpty();
    }

    /** Returns {@code key[=value][:effect]}. */
    public String text() {
        return key + value.map(text -> "=" + text).orElse("") + effect.map(text -> ":" + text).orElse("");
    }
}
