package io.nodeward.core.spi;

import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.ObjectKey;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A served kind of object.
 *
 * @param group empty for the core group
 * @param plural lower case, as in paths
 */
public record Resource(String group, String version, String plural, boolean namespaced) {
    public static Resource of(CustomResourceDefinition definition) {
        return new Resource(
                definition.group(), definition.version(), definition.plural(), definition.namespaced());
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Path of the list; an empty namespace means all of them. */
    public String collection(String namespace) {
        String root = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        return namespaced && !namespace.isEmpty()
                ? root + "/namespaces/" + encoded(namespace) + "/" + plural
                : root + "/" + plural;
    }

    public String object(ObjectKey key) {
        return collection(key.namespace()) + "/" + encoded(key.name());
    }

    /** With a question mark before it; empty if there is none. */
    static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(e -> e.getKey() + "=" + encoded(e.getValue()))
                .collect(Collectors.joining("&", parameters.isEmpty() ? "" : "?", ""));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
