package io.nodeward.cli.validate;

import io.nodeward.cli.snapshot.Manifest;

/**
 * What admission or a schema says of an object.
 *
 * @param error whether the object would be refused for it; else its writer would get a warning
 * @param field path from the object's root; empty if it is of no single field
 */
public record Finding(Manifest manifest, boolean error, String field, String message) {
    /** Returns all of it in a line. */
    public String text() {
        return manifest.fault(field, message);
    }

    /** @param text as admission warns: the field, a colon, a blank and the rest */
    static Finding warning(Manifest manifest, String text) {
        int colon = text.indexOf(": ");
        return colon < 0
                ? new Finding(manifest, false, "", text)
                : new Finding(manifest, false, text.substring(0, colon), text.substring(colon + 2));
    }
}
