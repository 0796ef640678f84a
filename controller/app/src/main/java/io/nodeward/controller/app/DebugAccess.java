package io.nodeward.controller.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.util.List;

/**
 * Who may look inside, as the API server says: a TokenReview tells whose token it is, and a SubjectAccessReview whether that user
 * may get the path.
 */
final class DebugAccess {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Resource TOKENS = Resources.clusterScoped("authentication.k8s.io", "v1", "tokenreviews");
    private static final Resource ACCESS =
            Resources.clusterScoped("authorization.k8s.io", "v1", "subjectaccessreviews");

    private final ApiServer server;

    /** Whether a request may go on. */
    sealed interface Verdict {}

    record Allowed(String user) implements Verdict {}

    /**
     * It may not.
     *
     * @param code of HTTP
     */
    record Denied(int code, String message) implements Verdict {}

    DebugAccess(ApiServer server) {
        this.server = server;
    }

    Verdict check(String token, String path) {
        try {
            JsonNode user = user(token);
            if (user.path("username").asText().isEmpty()) {
                return new Denied(401, "the token is not valid");
            }
            return mayGet(user, path)
                    ? new Allowed(user.path("username").asText())
                    : new Denied(403, "user \"" + user.path("username").asText() + "\" may not get " + path);
        } catch (ApiFailure.Forbidden missing) {
            return new Denied(503, "Nodeward's role lacks the right to ask who you are: create tokenreviews and"
                    + " subjectaccessreviews");
        } catch (ApiFailure | IOException e) {
            return new Denied(503, "the API server does not tell who you are");
        }
    }

    /** Missing if it is nobody's. */
    private JsonNode user(String token) throws IOException {
        ObjectNode review = MAPPER.createObjectNode().put("apiVersion", "authentication.k8s.io/v1")
                .put("kind", "TokenReview");
        review.putObject("spec").put("token", token);
        JsonNode status = post(TOKENS, review).path("status");
        return status.path("authenticated").asBoolean() ? status.path("user") : MAPPER.missingNode();
    }

    private boolean mayGet(JsonNode user, String path) throws IOException {
        ObjectNode review = MAPPER.createObjectNode().put("apiVersion", "authorization.k8s.io/v1")
                .put("kind", "SubjectAccessReview");
        ObjectNode spec = review.putObject("spec").put("user", user.path("username").asText());
        for (String field : List.of("uid", "groups", "extra")) {
            if (user.has(field)) {
                spec.set(field, user.path(field));
            }
        }
        spec.putObject("nonResourceAttributes").put("path", path).put("verb", "get");
        return post(ACCESS, review).at("/status/allowed").asBoolean();
    }

    private JsonNode post(Resource resource, JsonNode review) throws IOException {
        return MAPPER.readTree(server.post(resource, MAPPER.writeValueAsBytes(review)));
    }
}
