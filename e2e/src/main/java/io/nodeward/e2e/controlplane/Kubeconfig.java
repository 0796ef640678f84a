package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.testkit.Relay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * One server and one user. Everything is embedded: the text works from a Secret as from a file.
 *
 * @param server URL
 * @param caPem certificates the server's one is checked against
 */
public record Kubeconfig(String server, String caPem, Credentials credentials) {
    /** How the user logs in. */
    public sealed interface Credentials {}

    /** Both in PEM. */
    public record ClientCertificate(String certificatePem, String keyPem) implements Credentials {
        /** Never shows the key. */
        @Override
        public String toString() {
            return "ClientCertificate[...]";
        }
    }

    /** A bearer token. */
    public record Token(String value) implements Credentials {
        /** Never shows the token. */
        @Override
        public String toString() {
            return "Token[...]";
        }
    }

    /** @throws IllegalArgumentException if the current context needs what this launcher does not do, naming it */
    public static Kubeconfig read(Path file) {
        try {
            JsonNode config = Json.yaml(Files.readString(file)).getFirst();
            JsonNode context = named(config, "contexts", "context", config.path("current-context").asText());
            JsonNode cluster = named(config, "clusters", "cluster", context.path("cluster").asText());
            JsonNode user = named(config, "users", "user", context.path("user").asText());
            return new Kubeconfig(
                    cluster.path("server").asText(),
                    data(file, cluster, "certificate-authority"),
                    credentials(file, user));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the same user and server, reached through a relay. */
    public Kubeconfig through(Relay relay) {
        return new Kubeconfig(relay.url(), caPem, credentials);
    }

    public String toYaml() {
        return Json.toYaml(Map.of(
                "apiVersion", "v1",
                "kind", "Config",
                "clusters", List.of(Map.of("name", "cluster", "cluster",
                        Map.of("server", server, "certificate-authority-data", base64(caPem)))),
                "users", List.of(Map.of("name", "user", "user", userFields())),
                "contexts", List.of(Map.of("name", "context", "context", Map.of("cluster", "cluster", "user", "user"))),
                "current-context", "context"));
    }

    public Path writeTo(Path file) {
        return Directories.write(file, toYaml());
    }

    private Map<String, String> userFields() {
        return switch (credentials) {
            case ClientCertificate c -> Map.of(
                    "client-certificate-data", base64(c.certificatePem()),
                    "client-key-data", base64(c.keyPem()));
            case Token t -> Map.of("token", t.value());
        };
    }

    private static Credentials credentials(Path file, JsonNode user) throws IOException {
        if (user.hasNonNull("token")) {
            return new Token(user.path("token").asText());
        }
        if (user.hasNonNull("client-certificate-data") || user.hasNonNull("client-certificate")) {
            return new ClientCertificate(data(file, user, "client-certificate"), data(file, user, "client-key"));
        }
        throw new IllegalArgumentException(
                file + ": the user of the current context needs a token or a client certificate");
    }

    private static JsonNode named(JsonNode config, String list, String field, String name) {
        for (JsonNode entry : config.path(list)) {
            if (entry.path("name").asText().equals(name)) {
                return entry.path(field);
            }
        }
        throw new IllegalArgumentException("no entry '" + name + "' in " + list + " of the kubeconfig");
    }

    private static String data(Path file, JsonNode node, String field) throws IOException {
        if (node.hasNonNull(field + "-data")) {
            byte[] pem = Base64.getMimeDecoder().decode(node.path(field + "-data").asText());
            return new String(pem, StandardCharsets.US_ASCII);
        }
        if (node.hasNonNull(field)) {
            return Files.readString(file.resolveSibling(node.path(field).asText()));
        }
        throw new IllegalArgumentException(file + ": " + field + " or " + field + "-data is missing");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
