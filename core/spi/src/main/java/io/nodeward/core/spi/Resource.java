package io.nodeward.core.spi;

import io.nodeward.api.meta.ObjectKey;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A served kind of object.
 *
 * @param group empty for the core group
 * @param plural lower case, as in paths
 */
public record Resource(String group, String version, String plural, boolean namespaced) {
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

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
