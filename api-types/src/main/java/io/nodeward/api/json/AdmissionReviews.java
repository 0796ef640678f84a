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
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    /** Values of a review beside those of its objects and its caller. */
    private static final int OF_REVIEW = 20;

    private static final Map<String, Shape> REQUEST = Stream.of("uid", "kind", "resource", "subResource", "namespace",
            "name", "operation", "userInfo", "dryRun").collect(Collectors.toMap(field -> field, field -> Shape.WHOLE));

    /** The last comes after the namespace, which an object of the cluster lacks. */
    private static final Set<String> BEFORE_OBJECTS = Set.of("uid", "namespace", "operation");

    private AdmissionReviews() {}

    /**
     * Reads a request.
     *
     * @param shape of the review, as {@link #shape} makes it
     * @throws IOException saying what is wrong with it, if it is not one
     */
    public static AdmissionRequest read(byte[] review, Shape shape) throws IOException {
        Tree read;
        try (JsonParser p = Json.parser(review)) {
            read = p.nextToken() == null ? Tree.ABSENT
                    : new TreeReader(OF_REVIEW + Math.max(VALUES, review.length / BYTES_A_VALUE)).read(p, shape);
        }
        if (!isReview(text(read, "apiVersion"), text(read, "kind"))) {
            throw new IOException("not an " + KIND + " of " + API_VERSION);
        }
        Tree request = read.at("request");
        String uid = text(request, "uid");
        if (!isUid(uid)) {
            throw new IOException(uid.isEmpty()
                    ? "a request without uid"
                    : "a request with a uid of more than " + LONGEST_UID + " characters");
        }
        Tree kind = request.at("kind");
        Tree resource = request.at("resource");
        return new AdmissionRequest(uid,
                new GroupVersionKind(text(kind, "group"), text(kind, "version"), text(kind, "kind")),
                new GroupVersionResource(
                        text(resource, "group"), text(resource, "version"), text(resource, "resource")),
                text(request, "subResource"), text(request, "namespace"), text(request, "name"),
                text(request, "operation"), UserInfo.of(request.at("userInfo")), Parts.isTrue(request.at("dryRun")),
                request.at("object"), request.at("oldObject"));
    }

    /**
     * Returns the shape of all reviews of a webhook.
     *
     * @param object the parts that are read of both objects
     */
    public static Shape shape(Shape object) {
        Map<String, Shape> request = new HashMap<>(REQUEST);
        request.put("object", object);
        request.put("oldObject", object);
        return new Shape(false, Map.of(
                "apiVersion", Shape.WHOLE, "kind", Shape.WHOLE, "request", new Shape(false, request)));
    }

    private static boolean isReview(String apiVersion, String kind) {
        return apiVersion.equals(API_VERSION) && kind.equals(KIND);
    }

    private static String text(Tree object, String field) {
        return Parts.scalar(object.at(field));
    }

    /**
     * What API servers send before the objects of a review.
     *
     * @param namespace the empty text if the object has none; absent if the review ends before it
     */
    public record Start(String uid, Optional<String> namespace) {}

    /**
     * Reads the start of a review that has not come whole, or that cannot be read.
     *
     * @param start of a review, or all of it
     * @return empty if it is no review, or ends before its uid
     */
    public static Optional<Start> start(byte[] start) {
        Map<String, String> texts = new HashMap<>();
        try (JsonParser p = Json.parser(start)) {
            p.nextToken();
            Json.fields(p, (field, value) -> {
                switch (field) {
                    case "apiVersion", "kind" -> texts.put(field, Json.text(value));
                    case "request" -> Json.fields(value, (part, inside) -> request(texts, part, inside));
                    default -> value.skipChildren();
                }
            });
        } catch (IOException e) {
            return start(texts); // what came before the end, or before what is wrong
        }
        return start(texts);
    }

    private static void request(Map<String, String> texts, String field, JsonParser value) throws IOException {
        if (BEFORE_OBJECTS.contains(field)) {
            texts.put(field, Json.text(value));
        } else {
            value.skipChildren();
        }
    }

    private static Optional<Start> start(Map<String, String> texts) {
        Optional<String> namespace = Optional.ofNullable(texts.get("namespace"))
                .or(() -> Optional.ofNullable(texts.get("operation")).map(later -> ""))
                .filter(name -> name.length() <= LONGEST_UID);
        return Optional.ofNullable(texts.get("uid")).filter(uid -> isUid(uid)
                && isReview(texts.getOrDefault("apiVersion", ""), texts.getOrDefault("kind", "")))
                .map(uid -> new Start(uid, namespace));
    }

    private static boolean isUid(String text) {
        return !text.isEmpty() && text.length() <= LONGEST_UID;
    }

    /** @param uid of the request that it answers; an API server takes no other */
    public static byte[] written(String uid, AdmissionResponse answer) {
        return Bodies.written(json -> {
            json.writeStartObject();
            json.writeStringField("apiVersion", API_VERSION);
            json.writeStringField("kind", KIND);
            json.writeObjectFieldStart("response");
            json.writeStringField("uid", uid);
            response(json, answer);
            json.writeEndObject();
            json.writeEndObject();
        });
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
}
