package io.nodeward.api.admission;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an API server asks a webhook: the request of an AdmissionReview.
 *
 * @param uid to be sent back
 * @param kind of the object
 * @param resource that is written; of a subresource the one it belongs to
 * @param subresource such as {@code status} or {@code binding}; empty for the object itself
 * @param namespace empty for a cluster-scoped object
 * @param name of the object; empty while a generateName has not become one
 * @param operation {@code CREATE}, {@code UPDATE}, {@code DELETE} or {@code CONNECT}
 * @param userInfo of the caller
 * @param dryRun whether nothing will be stored
 * @param object the parts of it that were to be read; absent in a deletion
 * @param oldObject likewise, as it is stored; absent in a creation
 */
public record AdmissionRequest(
        String uid,
        GroupVersionKind kind,
        GroupVersionResource resource,
        String subresource,
        String namespace,
        String name,
        String operation,
        UserInfo userInfo,
        boolean dryRun,
        Tree object,
        Tree oldObject) {

    public record GroupVersionKind(String group, String version, String kind) {}

    public record GroupVersionResource(String group, String version, String resource) {}

    /**
     * Who makes the request, as the API server has authenticated him.
     *
     * @param extra whatever else the authenticator knows, by name
     */
    public record UserInfo(String username, String uid, List<String> groups, Map<String, List<String>> extra) {
        public static final UserInfo UNKNOWN = new UserInfo("", "", List.of(), Map.of());

        public UserInfo {
            groups = List.copyOf(groups);
            extra = Map.copyOf(extra);
        }

        /** Of the object that an AdmissionReview has; what is of another type is left out. */
        public static UserInfo of(Tree user) {
            Map<String, List<String>> extra = new TreeMap<>();
            if (user.at("extra") instanceof Tree.Fields(Map<String, Tree> fields)) {
                fields.forEach((name, values) -> extra.put(name, texts(values)));
            }
            return new UserInfo(
                    user.at("username").string(), user.at("uid").string(), texts(user.at("groups")), extra);
        }

        private static List<String> texts(Tree list) {
            return list.elements().stream().map(Tree::string).filter(text -> !text.isEmpty()).toList();
        }
    }
}
