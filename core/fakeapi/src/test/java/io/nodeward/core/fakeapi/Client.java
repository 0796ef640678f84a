package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Plain HTTP against a server under test. JSON may be written with single quotes. */
public final class Client implements AutoCloseable {
    static final String MERGE = "application/merge-patch+json";
    static final String JSON_PATCH = "application/json-patch+json";
    static final String STRATEGIC = "application/strategic-merge-patch+json";
    static final String METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    static final String TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
    static final String NODES = "/api/v1/nodes";
    static final String MACHINES = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** What a server said. */
    public record Reply(int code, JsonNode json, HttpResponse<byte[]> http) {
        String at(String pointer) {
            return json.at(pointer).asText();
        }
    }

    private final HttpClient http;
    private final String url;
    private final String accept;

    private Client(HttpClient http, String url, String accept) {
        this.http = http;
        this.url = url;
        this.accept = accept;
    }

    Client(FakeApiServer server) {
        this(HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build(), server.url());
    }

    /** Of any server; {@code http} is closed with it. */
    public Client(HttpClient http, String url) {
        this(http, url, "application/json");
    }

    /** The same client, but it asks for this form. */
    Client accepting(String form) {
        return new Client(http, url, form);
    }

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(30))
                .header("Accept", accept)
                .header("User-Agent", "tests/1.0");
    }

    public Reply get(String path) {
        return send(request(path).GET());
    }

    public Reply post(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").POST(body(json)));
    }

    Reply put(String path, JsonNode json) {
        return send(request(path).header("Content-Type", "application/json").PUT(body(json.toString())));
    }

    Reply patch(String path, String type, String json) {
        return send(request(path).header("Content-Type", type).method("PATCH", body(json)));
    }

    public Reply merge(String path, String json) {
        return patch(path, MERGE, json);
    }

    public Reply delete(String path) {
        return send(request(path).DELETE());
    }

    Reply delete(String path, String options) {
        return send(request(path).header("Content-Type", "application/json").method("DELETE", body(options)));
    }

    private static HttpRequest.BodyPublisher body(String json) {
        return BodyPublishers.ofString(json.replace('\'', '"'));
    }

    Reply send(HttpRequest.Builder request) {
        try {
            HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
            String type = response.headers().firstValue("Content-Type").orElse("");
            boolean plain = response.headers().firstValue("Content-Encoding").isEmpty();
            JsonNode json = plain && type.startsWith("application/json")
                    ? MAPPER.readTree(response.body())
                    : MAPPER.missingNode();
            return new Reply(response.statusCode(), json, response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens a watch; it is there when this returns. */
    Events watch(String path) {
        try {
            HttpResponse<InputStream> response =
                    http.send(request(path).GET().build(), BodyHandlers.ofInputStream());
            return new Events(response.statusCode(), new BufferedReader(
                    new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Events of a watch, read one by one; a missing one shows as the test's time limit. */
    record Events(int code, BufferedReader lines) {
        JsonNode next() throws IOException {
            String line = lines.readLine();
            return line == null ? MAPPER.missingNode() : MAPPER.readTree(line);
        }

        /** Type and name, for example {@code ADDED a}. */
        String nextShort() throws IOException {
            JsonNode event = next();
            return event.path("type").asText() + " " + event.at("/object/metadata/name").asText();
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
