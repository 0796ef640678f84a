package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Requests of a suite to an API server, on nothing but the JDK and Jackson: what it finds does not depend on the code
 * under test. Paths are as on the wire, {@code /api/v1/nodes/n1}. Safe for many threads.
 */
public final class AdminClient implements AutoCloseable {
    public static final String JSON = "application/json";
    public static final String MERGE_PATCH = "application/merge-patch+json";
    public static final String JSON_PATCH = "application/json-patch+json";
    public static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";
    public static final String APPLY_PATCH = "application/apply-patch+yaml";

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Kubeconfig kubeconfig;
    private final HttpClient http;

    public AdminClient(Kubeconfig kubeconfig) {
        this.kubeconfig = kubeconfig;
        this.http = HttpClient.newBuilder()
                .sslContext(TlsContext.of(kubeconfig))
                .connectTimeout(TIMEOUT)
                .build();
    }

    /**
     * What a server said, whatever it said.
     *
     * @param warnings headers {@code Warning}, as they came
     */
    public record Reply(int code, JsonNode body, List<String> warnings) {
        public Reply {
            warnings = List.copyOf(warnings);
        }

        public boolean isOk() {
            return code >= 200 && code < 300;
        }

        /** {@code Status.reason} of a refusal. */
        public String reason() {
            return body.path("reason").asText();
        }
    }

    /** A reply that was not wanted. */
    public static final class RefusedException extends RuntimeException {
        RefusedException(String request, Reply reply) {
            super(request + " was answered with " + reply.code() + ": " + reply.body().path("message").asText());
        }
    }

    public JsonNode get(String path) {
        return wanted("GET", path, JSON, "");
    }

    /** Empty on 404. */
    public Optional<JsonNode> find(String path) {
        Reply reply = send("GET", path, JSON, "");
        return reply.code() == 404 ? Optional.empty() : Optional.of(orThrow("GET " + path, reply));
    }

    /** @param path of the collection */
    public JsonNode create(String path, JsonNode object) {
        return wanted("POST", path, JSON, object.toString());
    }

    /** Leaves an object that is there as it is. */
    public void createIfAbsent(String path, JsonNode object) {
        Reply reply = send("POST", path, JSON, object.toString());
        if (reply.code() != 409) {
            orThrow("POST " + path, reply);
        }
    }

    public JsonNode replace(String path, JsonNode object) {
        return wanted("PUT", path, JSON, object.toString());
    }

    public JsonNode mergePatch(String path, String patch) {
        return wanted("PATCH", path, MERGE_PATCH, patch);
    }

    public JsonNode jsonPatch(String path, String patch) {
        return wanted("PATCH", path, JSON_PATCH, patch);
    }

    /** An object that is gone already is as good. */
    public void delete(String path) {
        Reply reply = send("DELETE", path, JSON, "");
        if (reply.code() != 404) {
            orThrow("DELETE " + path, reply);
        }
    }

    /**
     * Every version that objects of a collection have had since, in their order, as a watch tells them.
     *
     * @param resourceVersion of the collection or of any object of it
     */
    public List<JsonNode> versionsSince(String collection, String resourceVersion) {
        // The server tells what has been, and ends the watch after a second.
        HttpRequest request = request(collection + "?watch=true&timeoutSeconds=1&resourceVersion=" + resourceVersion)
                .GET().build();
        return response(request).body().lines().map(Json::parse).map(event -> {
            if (event.path("type").asText().equals("ERROR")) {
                throw new IllegalStateException("the watch of " + collection + " says " + event.path("object"));
            }
            return event.path("object");
        }).toList();
    }

    /** @param body empty for none; only an unreachable server is an exception */
    public Reply send(String method, String path, String contentType, String body) {
        HttpRequest.Builder request = request(path);
        if (body.isEmpty()) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", contentType).method(method, HttpRequest.BodyPublishers.ofString(body));
        }
        return exchange(request.build());
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(kubeconfig.server() + path))
                .timeout(TIMEOUT)
                .header("Accept", JSON)
                .header("User-Agent", "nodeward-e2e");
        if (kubeconfig.credentials() instanceof Kubeconfig.Token token) {
            request.header("Authorization", "Bearer " + token.value());
        }
        return request;
    }

    private Reply exchange(HttpRequest request) {
        HttpResponse<String> response = response(request);
        boolean isJson = response.headers().firstValue("Content-Type").orElse("").startsWith(JSON);
        return new Reply(response.statusCode(), isJson ? Json.parse(response.body()) : Json.tree(response.body()),
                response.headers().allValues("Warning"));
    }

    private HttpResponse<String> response(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.uri(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + request.method() + " " + request.uri(), e);
        }
    }

    private JsonNode wanted(String method, String path, String contentType, String body) {
        return orThrow(method + " " + path, send(method, path, contentType, body));
    }

    private static JsonNode orThrow(String request, Reply reply) {
        if (!reply.isOk()) {
            throw new RefusedException(request, reply);
        }
        return reply.body();
    }
}
