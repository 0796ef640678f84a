package io.nodeward.api.admission;

import java.util.List;

/**
 * What a webhook says.
 *
 * @param message why it is not allowed
 * @param warnings for the writer, in any case
 */
public record AdmissionAnswer(String uid, boolean allowed, String message, List<String> warnings) {
    public AdmissionAnswer {
        warnings = List.copyOf(warnings);
    }
}
