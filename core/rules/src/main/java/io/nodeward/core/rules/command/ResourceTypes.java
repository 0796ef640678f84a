package io.nodeward.core.rules.command;

import java.util.Optional;

/** What the names of resource types stand for in a cluster. */
@FunctionalInterface
public interface ResourceTypes {
    /** The kind of objects; empty if the server has no such type. */
    Optional<String> kind(String type);

    /** What Kubernetes itself serves, by its names in singular and plural; of short names only {@code no}. */
    static ResourceTypes builtIn() {
        return BuiltInTypes.TYPES;
    }
}
