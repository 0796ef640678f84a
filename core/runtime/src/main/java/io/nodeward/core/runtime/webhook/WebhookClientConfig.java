package io.nodeward.core.runtime.webhook;

import java.net.URI;
import java.util.List;
import java.util.Map;

/** Where API servers reach the webhooks. */
public sealed interface WebhookClientConfig {
    int HTTPS = 443;

    /** A Service of the management cluster. */
    record InCluster(String namespace, String name, int port) implements WebhookClientConfig {
        @Override
        public List<String> names() {
            return List.of(name + "." + namespace + ".svc", name + "." + namespace);
        }

        @Override
        public Map<String, Object> client(String path) {
            return Map.of("service", Map.of("namespace", namespace, "name", name, "port", port, "path", path));
        }
    }

    /** Outside of it, or of any cluster. */
    record Url(URI root) implements WebhookClientConfig {
        @Override
        public List<String> names() {
            return List.of(root.getHost().replaceAll("^\\[|]$", ""));
        }

        @Override
        public Map<String, Object> client(String path) {
            return Map.of("url", root + path);
        }
    }

    /** DNS names and addresses that its certificate must be good for. */
    List<String> names();

    /** A {@code clientConfig} that trusts those whom API servers trust anyway. */
    Map<String, Object> client(String path);

    /**
     * Reads {@code NAMESPACE/NAME[:PORT]} or {@code https://HOST:PORT}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static WebhookClientConfig parse(String text) {
        if (text.startsWith("https://")) {
            URI root = URI.create(text.replaceFirst("/$", ""));
            if (root.getHost() == null || !root.getPath().isEmpty() || root.getQuery() != null) {
                throw new IllegalArgumentException("'" + text + "' is more, or less, than https://HOST:PORT");
            }
            return new Url(root);
        }
        String label = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
        if (!text.matches(label + "/" + label + "(:[0-9]{1,5})?")) {
            throw new IllegalArgumentException("'" + text + "' is neither NAMESPACE/NAME[:PORT] nor https://HOST:PORT");
        }
        String[] parts = text.split("[/:]");
        return new InCluster(parts[0], parts[1], parts.length > 2 ? Integer.parseInt(parts[2]) : HTTPS);
    }
}
