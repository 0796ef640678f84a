package io.nodeward.api.admission;

import java.util.List;
import java.util.Optional;

/**
 * What a webhook answers to a request. The webhook kit adds the uid of the request.
 *
 * @param refusal empty if the object may be stored
 * @param warnings for the caller, in any case
 * @param patch of the object before it is stored; for a mutating webhook alone
 */
public record AdmissionResponse(Optional<Refusal> refusal, List<String> warnings, JsonPatch patch) {
    private static final int INVALID = 422;
    private static final int FORBIDDEN = 403;

    /**
     * Why the object may not be stored.
     *
     * @param code of HTTP that the caller gets
     * @param reason of the Status that the caller gets
     */
    public record Refusal(int code, String reason, String message) {}

    public AdmissionResponse {
        warnings = List.copyOf(warnings);
        if (refusal.isPresent() && !patch.operations().isEmpty()) {
            throw new IllegalArgumentException("a refused object cannot be patched");
        }
    }

    public static AdmissionResponse allowed() {
        return new AdmissionResponse(Optional.empty(), List.of(), JsonPatch.EMPTY);
    }

    /** Refuses: the object has a defect. The caller gets 422 Invalid. */
    public static AdmissionResponse invalid(String message) {
        return refused(new Refusal(INVALID, "Invalid", message));
    }

    /** Refuses: the caller may not do this. The caller gets 403 Forbidden. */
    public static AdmissionResponse forbidden(String message) {
        return refused(new Refusal(FORBIDDEN, "Forbidden", message));
    }

    public static AdmissionResponse refused(Refusal refusal) {
        return new AdmissionResponse(Optional.of(refusal), List.of(), JsonPatch.EMPTY);
    }

    public AdmissionResponse withWarnings(List<String> texts) {
        return new AdmissionResponse(refusal, texts, patch);
    }

    public AdmissionResponse withPatch(JsonPatch operations) {
        return new AdmissionResponse(refusal, warnings, operations);
    }

    public boolean isAllowed() {
        return refusal.isEmpty();
    }

    /** Why not; empty if it is allowed. */
    public String message() {
        return refusal.map(Refusal::message).orElse("");
    }
}
