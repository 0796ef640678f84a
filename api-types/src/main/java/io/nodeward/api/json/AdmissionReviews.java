package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.AdmissionAnswer;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

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
    private static final int INVALID = 422;
    /** A value of an object that is stored takes more, with its name; of one made to fill the memory it may take two. */
    private static final int BYTES_A_VALUE = 8;
    /** Of a review however short. */
    private static final int VALUES = 1000;

    private AdmissionReviews() {}

    /**
     * Reads a request.
     *
     * @param shape of both objects
     * @throws IOException saying what is wrong with it, if it is not one
     */
    public static AdmissionRequest read(byte[] review, Shape shape) throws IOException {
        Parts parts = new Parts(shape, Math.max(VALUES, review.length / BYTES_A_VALUE));
        try (JsonParser p = Json.FACTORY.createParser(review)) {
            p.nextToken();
            Json.fields(p, parts::field);
        }
        if (!parts.apiVersion.equals(API_VERSION) || !parts.kind.equals(KIND)) {
            throw new IOException("not an " + KIND + " of " + API_VERSION);
        }
        if (parts.uid.isEmpty()) {
            throw new IOException("a request without uid");
        }
        return new AdmissionRequest(
                parts.uid, parts.group, parts.objectKind, parts.operation, parts.object, parts.before);
    }

    public static byte[] written(AdmissionAnswer answer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = Json.FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("apiVersion", API_VERSION);
            json.writeStringField("kind", KIND);
            json.writeObjectFieldStart("response");
            response(json, answer);
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return bytes.toByteArray();
    }

    private static void response(JsonGenerator json, AdmissionAnswer answer) throws IOException {
        json.writeStringField("uid", answer.uid());
        json.writeBooleanField("allowed", answer.allowed());
        if (!answer.allowed()) {
            json.writeObjectFieldStart("status");
            json.writeNumberField("code", INVALID);
            json.writeStringField("reason", "Invalid");
            json.writeStringField("message", cut(answer.message(), LONGEST_MESSAGE));
            json.writeEndObject();
        }
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
        private String group = "";
        private String objectKind = "";
        private String operation = "";
        private Tree object = Tree.ABSENT;
        private Tree before = Tree.ABSENT;

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

        private void requestField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "uid" -> uid = Json.text(p);
                case "operation" -> operation = Json.text(p);
                case "kind" -> Json.fields(p, this::kindField);
                case "object" -> object = trees.read(p, shape);
                case "oldObject" -> before = trees.read(p, shape);
                default -> p.skipChildren();
            }
        }

        private void kindField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "group" -> group = Json.text(p);
                case "kind" -> objectKind = Json.text(p);
                default -> p.skipChildren();
            }
        }
    }
}
