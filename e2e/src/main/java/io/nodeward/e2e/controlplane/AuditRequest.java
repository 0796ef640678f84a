package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;

/**
 * One request as the API server saw it.
 *
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code patch} or {@code delete}
 * @param resource with its subresource, {@code nodes/status}; empty for a path that is no resource
 * @param namespace empty for cluster-wide ones
 * @param name empty for collections
 * @param code HTTP status
 * @param body for Nodes what the client sent (object or patch), else missing
 * @param annotations of admission, by name
 * @param at when it came in
 * @param done when it was answered
 */
public record AuditRequest(
        String id,
        String user,
        List<String> groups,
        String userAgent,
        String verb,
        String resource,
        String namespace,
        String name,
        String uri,
        int code,
        JsonNode body,
        JsonNode annotations,
        Instant at,
        Instant done) {
    private static final List<String> READS = List.of("get", "list", "watch");

    public AuditRequest {
        groups = List.copyOf(groups);
    }

    static AuditRequest of(JsonNode event) {
        JsonNode object = event.path("objectRef");
        String subresource = object.path("subresource").asText();
        List<String> groups = event.path("user").path("groups").valueStream().map(JsonNode::asText).toList();
        return new AuditRequest(
                event.path("auditID").asText(),
                event.path("user").path("username").asText(),
                groups,
                event.path("userAgent").asText(),
                event.path("verb").asText(),
                object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
                object.path("namespace").asText(),
                object.path("name").asText(),
                event.path("requestURI").asText(),
                event.path("responseStatus").path("code").asInt(),
                event.path("requestObject"),
                event.path("annotations"),
                Instant.parse(event.path("requestReceivedTimestamp").asText()),
                Instant.parse(event.path("stageTimestamp").asText()));
    }

    /** Whether it could change something, refused or not. */
    public boolean isWrite() {
        return !READS.contains(verb) && !verb.isEmpty() && !resource.isEmpty();
    }

    /** Whether it was refused because the object was not as expected any more; a JSON patch may be refused so for more. */
    public boolean isConflict() {
        return code == 409 || code == 422 && body.isArray();
    }

    /** What a patch writes, as a JSON merge patch would: without what it tests. */
    public JsonNode written() {
        ObjectNode written = JsonNodeFactory.instance.objectNode();
        if (body instanceof ObjectNode merge) {
            written.setAll(merge.deepCopy());
            written.withObject("metadata").remove("resourceVersion");
        }
        for (JsonNode operation : body.isArray() ? body : JsonNodeFactory.instance.arrayNode()) {
            if (!operation.path("op").asText().equals("test")) {
                JsonPointer path = JsonPointer.compile(operation.path("path").asText());
                ObjectNode parent = written.withObject(path.head());
                parent.set(path.last().getMatchingProperty(), operation.path("value").isMissingNode()
                        ? NullNode.getInstance() : operation.path("value").deepCopy());
            }
        }
        return written;
    }

    public boolean is(String wantedVerb, String wantedResource) {
        return verb.equals(wantedVerb) && resource.equals(wantedResource);
    }

    /** Short, for messages of assertions. */
    @Override
    public String toString() {
        String object = namespace.isEmpty() ? name : namespace + "/" + name;
        return (user + ": " + verb + " " + (resource.isEmpty() ? uri : resource + " " + object)).strip() + " " + code
                + (body.isMissingNode() ? "" : " " + body);
    }
}
