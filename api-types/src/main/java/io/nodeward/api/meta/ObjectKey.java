package io.nodeward.api.meta;

/**
 * Where an object is found within its kind.
 *
 * @param namespace empty for a cluster-scoped object
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
    public static ObjectKey clusterScoped(String name) {
        return new ObjectKey("", name);
    }

    @Override
    public int compareTo(ObjectKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    /** {@code namespace/name}, or the name alone when cluster-scoped: the form of logs and messages. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
