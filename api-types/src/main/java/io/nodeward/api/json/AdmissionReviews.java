package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionRequest.GroupVersionKind;
import io.nodeward.api.admission.AdmissionRequest.GroupVersionResource;
import io.nodeward.api.admission.AdmissionRequest.UserInfo;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** AdmissionReview of admission.k8s.io/v1, both ways. */
public final class AdmissionReviews {
    private static final String API_VERSION = "admission.k8s.io/v1";
    private static final String KIND = "AdmissionReview";
    /** Characters. Kubernetes cuts longer warnings off. */
    private static final int LONGEST_WARNING = 250;
    /** Kubernetes shows 4 KiB of them. */
    private static final int MOST_WARNINGS = 32;
    /** Characters: nobody reads more, and one object may have thousands of faults. */
    private static final int LONGEST_MESSAGE = 4096;
    /** Characters: API servers send 36, and get all of them back. */
    private static final int LONGEST_UID = 253;
    /** A value of an object that is stored takes more, with its name; of one made to fill the memory it may take two. */
    private static final int BYTES_A_VALUE = 8;
    /** Of a review however short. */
    private static final int VALUES = 1000;

    private static final Shape KIND_SHAPE =
            Shape.of(List.of(List.of("group"), List.of("version"), List.of("kind")));
    private static final Shape RESOURCE_SHAPE =
            Shape.of(List.of(List.of("group"), List.of("version"), List.of("resource")));

    private AdmissionReviews() {}

    /**
     * Reads a request.
     *
     * @param shape of both objects
     * @throws IOException saying what is wrong with it, if it is not one
     */
    public static AdmissionRequest read(byte[] review, Shape shape) throws IOException {
        Parts parts = new Parts(shape, Math.max(VALUES, review.length / BYTES_A_VALUE));
        try (JsonParser p = Json.parser(review)) {
            p.nextToken();
            Json.fields(p, parts::field);
        }
        if (!parts.apiVersion.equals(API_VERSION) || !parts.kind.equals(KIND)) {
            throw new IOException("not an " + KIND + " of " + API_VERSION);
        }
        if (!isUid(parts.uid)) {
            throw new IOException(parts.uid.isEmpty()
                    ? "a request without uid"
                    : "a request with a uid of more than " + LONGEST_UID + " characters");
        }
        return parts.request();
    }

    /**
     * The uid of a request that cannot be read whole: API servers send it first.
     *
     * @param start of a review, or all of it
     * @return empty if it is no review, or ends before its uid
     */
    public static Optional<String> uid(byte[] start) {
        Parts parts = new Parts(Shape.of(List.of()), VALUES);
        try (JsonParser p = Json.parser(start)) {
            p.nextToken();
            Json.fields(p, parts::uidField);
        } catch (IOException e) {
            return parts.uid(); // what came before the end, or before what is wrong
        }
        return parts.uid();
    }

    private static boolean isUid(String text) {
        return !text.isEmpty() && text.length() <= LONGEST_UID;
    }

    /** @param uid of the request that it answers; an API server takes no other */
    public static byte[] written(String uid, AdmissionResponse answer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = Json.FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("apiVersion", API_VERSION);
            json.writeStringField("kind", KIND);
            json.writeObjectFieldStart("response");
            json.writeStringField("uid", uid);
            response(json, answer);
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return bytes.toByteArray();
    }

    private static void response(JsonGenerator json, AdmissionResponse answer) throws IOException {
        json.writeBooleanField("allowed", answer.isAllowed());
        Optional<AdmissionResponse.Refusal> refusal = answer.refusal();
        if (refusal.isPresent()) {
            json.writeObjectFieldStart("status");
            json.writeNumberField("code", refusal.get().code());
            json.writeStringField("reason", refusal.get().reason());
            json.writeStringField("message", cut(refusal.get().message(), LONGEST_MESSAGE));
            json.writeEndObject();
        }
        if (!answer.patch().operations().isEmpty()) {
            json.writeStringField("patchType", "JSONPatch");
            json.writeStringField("patch",
                    Base64.getEncoder().encodeToString(Trees.written(answer.patch().tree())));
        }
        warnings(json, answer);
    }

    private static void warnings(JsonGenerator json, AdmissionResponse answer) throws IOException {
        if (!answer.warnings().isEmpty()) {
            json.writeArrayFieldStart("warnings");
            for (String warning : answer.warnings().subList(0, Math.min(answer.warnings().size(), MOST_WARNINGS))) {
                json.writeString(cut(warning, LONGEST_WARNING));
            }
            json.writeEndArray();
        }
    }

    /** As much of a text as fits, in whole characters: half a surrogate pair is no text. */
    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest);
    }

    private static final class Parts {
        private final Shape shape;
        private final TreeReader trees;
        private String apiVersion = "";
        private String kind = "";
        private String uid = "";
        private String operation = "";
        private String subresource = "";
        private String namespace = "";
        private String name = "";
        private boolean dryRun;
        private Tree objectKind = Tree.ABSENT;
        private Tree resource = Tree.ABSENT;
        private Tree user = Tree.ABSENT;
        private Tree object = Tree.ABSENT;
        private Tree oldObject = Tree.ABSENT;

        Parts(Shape shape, int most) {
            this.shape = shape;
            this.trees = new TreeReader(most);
        }

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "apiVersion" -> apiVersion = Json.text(p);
                case "kind" -> kind = Json.text(p);
                case "request" -> Json.fields(p, this::requestField);
                default -> p.skipChildren();
            }
        }

        void uidField(String field, JsonParser p) throws IOException {
            if (field.equals("request")) {
                Json.fields(p, (name, value) -> {
                    if (name.equals("uid")) {
                        uid = Json.text(value);
                    } else {
                        value.skipChildren();
                    }
                });
            } else {
                field(field, p);
            }
        }

        Optional<String> uid() {
            return apiVersion.equals(API_VERSION) && kind.equals(KIND) && isUid(uid)
                    ? Optional.of(uid)
                    : Optional.empty();
        }

        private void requestField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "uid" -> uid = Json.text(p);
                case "operation" -> operation = Json.text(p);
                case "subResource" -> subresource = Json.text(p);
                case "namespace" -> namespace = Json.text(p);
                case "name" -> name = Json.text(p);
                case "dryRun" -> dryRun = Json.isTrue(p);
                case "kind" -> objectKind = trees.read(p, KIND_SHAPE);
                case "resource" -> resource = trees.read(p, RESOURCE_SHAPE);
                case "userInfo" -> user = trees.read(p, Shape.WHOLE);
                case "object" -> object = trees.read(p, shape);
                case "oldObject" -> oldObject = trees.read(p, shape);
                default -> p.skipChildren();
            }
        }

        AdmissionRequest request() {
            return new AdmissionRequest(uid,
                    new GroupVersionKind(text(objectKind, "group"), text(objectKind, "version"),
                            text(objectKind, "kind")),
                    new GroupVersionResource(text(resource, "group"), text(resource, "version"),
                            text(resource, "resource")),
                    subresource, namespace, name, operation, UserInfo.of(user), dryRun, object, oldObject);
        }

        private static String text(Tree of, String field) {
            return of.at(field).string();
        }
    }
}
