package io.nodeward.core.rules.dedicated;

import io.nodeward.api.meta.ObjectKey;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An object that decides about Nodes of groups.
 *
 * @param object of all but groups and Nodes none: one key stands for all of the kind
 */
public record DedicatedKey(Kind kind, ObjectKey object) {
    /** The kind of the object. Namespaces and DaemonSets have one key, as both concern all groups. */
    public enum Kind {
        GROUP, NODE, NAMESPACES_AND_DAEMONS, CLAIMS, PODS
    }

    /** Makes the key of an object without a namespace; without a name it stands for all of its kind. */
    public static DedicatedKey of(Kind kind, String name) {
        return new DedicatedKey(kind, ObjectKey.clusterScoped(name));
    }

    /** Returns whether what is known of a group or a Node depends on this object: of a group it depends on no other group. */
    public boolean concerns(DedicatedKey about) {
        return kind != Kind.GROUP || about.kind() == Kind.NODE || equals(about);
    }

    /** Returns the objects of one kind. */
    public static Set<ObjectKey> objects(Kind kind, Collection<DedicatedKey> keys) {
        return keys.stream().filter(key -> key.kind() == kind).map(DedicatedKey::object).collect(Collectors.toSet());
    }
}
