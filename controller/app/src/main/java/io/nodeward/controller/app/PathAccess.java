package io.nodeward.controller.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who may get a path of this process, as the API server says: a TokenReview tells whose token it is, and a SubjectAccessReview
 * whether that user may.
 */
final class PathAccess {
    private static final Pattern TOKEN = Pattern.compile("Bearer ([\\x21-\\x7e]{1,16384})");
    static final Denied TOO_MANY = new Denied(429, "too many tokens to check; try again in a minute");
    static final Denied NO_TOKEN = new Denied(401, "send a token: Authorization: Bearer TOKEN");
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
    record Denied(int code, String message) implements Verdict {
        /** Answers a request. */
        void send(HttpExchange exchange) throws IOException {
            byte[] body = (message + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    PathAccess(ApiServer server) {
        this.server = server;
    }

    /** @param authorization the header of a request */
    Verdict check(@Nullable String authorization, String path) {
        Matcher token = TOKEN.matcher(Objects.requireNonNullElse(authorization, ""));
        return token.matches()
                ? checkToken(token.group(1), path)
                : NO_TOKEN;
    }

    private Verdict checkToken(String token, String path) {
        try {
            JsonNode user = user(token);
            if (user.path("username").asText().isEmpty()) {
                return new Denied(401, "the token is not valid");
            }
            return mayGet(user, path)
                    ? new Allowed(user.path("username").asText())
                    : new Denied(403, "user \"" + user.path("username").asText() + "\" may not get " + path);
        } catch (ApiFailure.Forbidden missing) {
            return new Denied(503, "Nodeward cannot check your token: its role may not create tokenreviews and"
                    + " subjectaccessreviews");
        } catch (ApiFailure | IOException e) {
            return new Denied(503, "the API server did not check your token");
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
