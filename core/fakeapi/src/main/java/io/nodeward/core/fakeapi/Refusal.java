package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.apply.ManagedFieldsEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What the server answers instead of doing what it was asked: a {@code meta/v1} Status. */
public final class Refusal extends RuntimeException {
    /** Reasons for which a server does not look at validation rules in CEL any more. */
    private static final Set<String> BLOCKING = Set.of("FieldValueNotSupported", "FieldValueRequired",
            "FieldValueTooLong", "FieldValueTooMany", "FieldValueTypeInvalid");

    private final transient ObjectNode status;

    private Refusal(ObjectNode status) {
        super(status.path("message").asText());
        this.status = status;
    }

    /** The HTTP code. */
    public int code() {
        return status.path("code").asInt();
    }

    /** The Status as it goes over the wire. */
    public ObjectNode status() {
        return status;
    }

    static Refusal of(int code, String reason, String message) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        status.put("status", "Failure").put("message", message);
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
        return new Refusal(status.put("code", code));
    }

    static Refusal badRequest(String message) {
        return of(400, "BadRequest", message);
    }

    static Refusal notFound(Kind kind, String name) {
        return of(404, "NotFound", kind.resource() + " \"" + name + "\" not found").about(kind, kind.plural(), name);
    }

    static Refusal unknownResource() {
        return of(404, "NotFound", "the server could not find the requested resource").detailed();
    }

    static Refusal methodNotAllowed() {
        return of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource")
                .detailed();
    }

    static Refusal alreadyExists(Kind kind, String name) {
        return of(409, "AlreadyExists", kind.resource() + " \"" + name + "\" already exists")
                .about(kind, kind.plural(), name);
    }

    static Refusal modified(Kind kind, String name) {
        return conflict(
                kind,
                kind.plural(),
                kind.resource(),
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    static Refusal conflict(Kind kind, String detailKind, String shown, String name, String why) {
        return of(409, "Conflict", "Operation cannot be fulfilled on " + shown + " \"" + name + "\": " + why)
                .about(kind, detailKind, name);
    }

    /** @param owners each with the fields it is asked to give up */
    static Refusal applyConflict(List<ManagedFieldsEntry> owners) {
        ArrayNode causes = Json.MAPPER.createArrayNode();
        owners.forEach(owner -> owner.fields().shown().forEach(field -> causes.addObject()
                .put("reason", "FieldManagerConflict")
                .put("message", "conflict with " + owner.shown())
                .put("field", field)));
        String one = "Apply failed with 1 conflict: conflict with " + owners.getFirst().shown() + ": ";
        String all = owners.stream()
                .sorted(Comparator.comparing(ManagedFieldsEntry::identity))
                .map(o -> "conflicts with " + o.shown() + ":\n- " + String.join("\n- ", o.fields().shown()))
                .collect(Collectors.joining("\n", "Apply failed with " + causes.size() + " conflicts: ", ""));
        String message = causes.size() == 1 ? one + owners.getFirst().fields().shown().getFirst() : all;
        Refusal refusal = of(409, "Conflict", message);
        refusal.detailed().status.withObject("details").set("causes", causes);
        return refusal;
    }

    static Refusal expired(String message) {
        return of(410, "Expired", message);
    }

    /** @param retryAfterSeconds 0 if nobody knows */
    static Refusal overBudget(int retryAfterSeconds, String why) {
        Refusal refusal = of(
                429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.");
        ObjectNode details = refusal.detailed().status.withObject("details");
        details.putArray("causes").addObject().put("reason", "DisruptionBudget").put("message", why);
        if (retryAfterSeconds > 0) {
            details.put("retryAfterSeconds", retryAfterSeconds);
        }
        return refusal;
    }

    static Refusal tooLargeVersion(long asked, long current) {
        Refusal refusal =
                of(504, "Timeout", "Timeout: Too large resource version: " + asked + ", current: " + current);
        ObjectNode details = refusal.detailed().status.withObject("details");
        details.putArray("causes").addObject()
                .put("reason", "ResourceVersionTooLarge")
                .put("message", "Too large resource version");
        details.put("retryAfterSeconds", 1);
        return refusal;
    }

    static Refusal unsupportedMedia(String accepted) {
        return of(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: " + accepted);
    }

    /** A JSON patch that does not fit the object; the real server says no more than this either. */
    static Refusal unfitPatch() {
        return of(422, "Invalid", "the server rejected our request due to an error in our request").detailed();
    }

    static Refusal invalid(Kind kind, String name, List<Violation> violations) {
        List<Violation> all = new ArrayList<>(violations);
        if (kind.rules().hasExpressions() && violations.stream().anyMatch(v -> BLOCKING.contains(v.reason()))) {
            all.add(new Violation("FieldValueInvalid",
                    "Invalid value: null: some validation rules were not checked because"
                            + " the object was invalid; correct the existing errors to complete validation",
                    "<nil>"));
        }
        return invalid(kind.group(), kind.name(), name, all);
    }

    static Refusal invalid(String group, String kind, String name, List<Violation> violations) {
        String list = violations.stream()
                .map(v -> v.field() + ": " + v.message())
                .distinct()
                .collect(Collectors.joining(", "));
        String shown = group.isEmpty() ? kind : kind + "." + group;
        String why = violations.stream().distinct().count() == 1 ? list : "[" + list + "]";
        Refusal refusal = of(422, "Invalid", shown + " \"" + name + "\" is invalid: " + why).about(group, kind, name);
        ArrayNode causes = refusal.status.withObject("details").putArray("causes");
        violations.forEach(v -> causes.addObject()
                .put("reason", v.reason()).put("message", v.message()).put("field", v.field()));
        return refusal;
    }

    private Refusal about(Kind kind, String detailKind, String name) {
        return about(kind.group(), detailKind, name);
    }

    private Refusal about(String group, String detailKind, String name) {
        ObjectNode details = detailed().status.withObject("details");
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!group.isEmpty()) {
            details.put("group", group);
        }
        details.put("kind", detailKind);
        return this;
    }

    // Keeps the field order of the real server: details before code.
    private Refusal detailed() {
        int code = code();
        status.remove("code");
        status.withObject("details");
        status.put("code", code);
        return this;
    }
}
