package io.nodeward.core.runtime.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Which kubeconfigs from Secrets are used. Whoever may write such a Secret must not make the controller run a program or
 * read its files; what a backend cannot do is refused by name and not ignored.
 */
final class KubeconfigPolicy {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final List<String> FILES_OF_USER = List.of("client-certificate", "client-key", "tokenFile");
    private static final List<String> BASE64_OF_USER = List.of("client-certificate-data", "client-key-data");

    private KubeconfigPolicy() {}

    /** The first defect, naming the field and never a value that could be a credential; empty if there is none. */
    static Optional<String> defect(String kubeconfig) {
        if (kubeconfig.isBlank()) {
            return Optional.of("data.value is missing, empty or not base64");
        }
        try {
            JsonNode root = YAML.readTree(kubeconfig);
            return root != null && root.isObject() ? defect(root) : Optional.of("it is not a YAML mapping");
        } catch (IOException e) {
            return Optional.of("it is not valid YAML"); // the parser's message quotes the text
        }
    }

    private static Optional<String> defect(JsonNode root) {
        String current = root.path("current-context").asText();
        if (current.isEmpty()) {
            return Optional.of("current-context is missing");
        }
        JsonNode context = named(root, "contexts", current).path("context");
        if (context.isMissingNode()) {
            return Optional.of("contexts has no entry for current-context");
        }
        JsonNode cluster = named(root, "clusters", context.path("cluster").asText()).path("cluster");
        if (cluster.isMissingNode()) {
            return Optional.of("clusters has no entry for the cluster of the current context");
        }
        JsonNode user = named(root, "users", context.path("user").asText()).path("user");
        if (user.isMissingNode()) {
            return Optional.of("users has no entry for the user of the current context");
        }
        return clusterDefect(cluster).or(() -> userDefect(user));
    }

    private static JsonNode named(JsonNode root, String list, String name) {
        for (JsonNode entry : root.path(list)) {
            if (entry.path("name").asText().equals(name) && !name.isEmpty()) {
                return entry;
            }
        }
        return root.path(list).path("missing");
    }

    private static Optional<String> clusterDefect(JsonNode cluster) {
        if (!isHttp(cluster.path("server").asText())) {
            return Optional.of("cluster.server is missing or is no http(s) URL");
        }
        if (cluster.hasNonNull("certificate-authority")) {
            return Optional.of("cluster.certificate-authority names a file; use certificate-authority-data");
        }
        if (cluster.hasNonNull("tls-server-name")) {
            return Optional.of("cluster.tls-server-name is not supported");
        }
        if (cluster.hasNonNull("proxy-url") && !isHttp(cluster.path("proxy-url").asText())) {
            return Optional.of("cluster.proxy-url is no http(s) URL; SOCKS is not supported");
        }
        return base64Defect("cluster", cluster, List.of("certificate-authority-data"));
    }

    private static Optional<String> userDefect(JsonNode user) {
        if (user.hasNonNull("exec")) {
            return Optional.of("user.exec would run a program on the controller");
        }
        if (user.hasNonNull("auth-provider")) {
            return Optional.of("user.auth-provider is not supported");
        }
        if (user.hasNonNull("as")) {
            return Optional.of("user.as (impersonation) is not supported");
        }
        for (String file : FILES_OF_USER) {
            if (user.hasNonNull(file)) {
                return Optional.of("user." + file + " names a file of the controller");
            }
        }
        if (user.hasNonNull("client-certificate-data") != user.hasNonNull("client-key-data")) {
            return Optional.of("user has one of client-certificate-data and client-key-data, and not the other");
        }
        return base64Defect("user", user, BASE64_OF_USER);
    }

    private static Optional<String> base64Defect(String part, JsonNode node, List<String> fields) {
        for (String field : fields) {
            if (node.hasNonNull(field) && !isBase64(node.path(field).asText())) {
                return Optional.of(part + "." + field + " is not base64");
            }
        }
        return Optional.empty();
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getMimeDecoder().decode(text);
            return text.matches("[A-Za-z0-9+/=\\s]+");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }


    private static boolean isHttp(String text) {
        try {
            URI uri = URI.create(text);
            return uri.getHost() != null && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
