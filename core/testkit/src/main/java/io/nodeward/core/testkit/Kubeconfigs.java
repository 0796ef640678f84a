package io.nodeward.core.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig;
import java.io.IOException;

/** Kubeconfigs of one context. */
final class Kubeconfigs {
    private Kubeconfigs() {}

    /** @param user fields of the user, in YAML's flow style */
    static String of(String server, String user) {
        return with("server: '" + server + "'", user);
    }

    /** Both in YAML's flow style. */
    static String with(String cluster, String user) {
        return """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {%s}}]
                users: [{name: u, user: {%s}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(cluster, user);
    }

    /** The same access with another field of the cluster. */
    static String changed(String kubeconfig, String field, String value) throws IOException {
        ObjectNode root = root(kubeconfig);
        ((ObjectNode) root.path("clusters").path(0).path("cluster")).put(field, value);
        return root.toString();
    }

    /** The same server for another user. */
    static String withToken(String kubeconfig, String token) throws IOException {
        ObjectNode root = root(kubeconfig);
        ((ObjectNode) root.path("users").path(0)).putObject("user").put("token", token);
        return root.toString();
    }

    static JsonNode user(String kubeconfig) throws IOException {
        return root(kubeconfig).path("users").path(0).path("user");
    }

    private static ObjectNode root(String kubeconfig) throws IOException {
        if (SecretKubeconfig.judge(kubeconfig) instanceof SecretKubeconfig.Accepted accepted) {
            return (ObjectNode) Topic.json(Topic.bytes(accepted.kubeconfig()));
        }
        throw new IllegalArgumentException("the server's kubeconfig names files or programs");
    }
}
