package io.nodeward.core.fakeapi;

import io.nodeward.core.apply.Shape;
import java.util.List;
import java.util.stream.Stream;

/**
 * A kind the server serves.
 *
 * @param group empty for the core group
 * @param versions the first is the one clients prefer; all show the same objects, with their apiVersion
 * @param custom whether it behaves as a custom resource: generations, no strategic merge, updates need a resourceVersion
 * @param status whether status is written through its own subresource only
 * @param columns after NAME and before AGE; the whole table if one of them is called Name
 * @param places how far its fields have owners of their own, see {@link #withPlaces}
 */
public record Kind(
        String group,
        List<String> versions,
        String plural,
        String name,
        boolean namespaced,
        List<String> shortNames,
        boolean custom,
        boolean status,
        List<Column> columns,
        Rules rules,
        List<String> places) {
    /** A namespaced custom resource with a status subresource. */
    public static Kind custom(String group, List<String> versions, String plural, String name) {
        return new Kind(group, versions, plural, name, true, List.of(), true, true, List.of(), Rules.NONE,
                Shape.METADATA);
    }

    /** A namespaced kind of the API server itself, without subresources. */
    static Kind builtIn(String group, String version, String plural, String name) {
        return new Kind(group, List.of(version), plural, name, true, List.of(), false, false, List.of(), Rules.NONE,
                Shape.METADATA);
    }

    /** The same kind without namespaces. */
    public Kind clusterScoped() {
        return new Kind(group, versions, plural, name, false, shortNames, custom, status, columns, rules, places);
    }

    public Kind withShortNames(String... names) {
        return new Kind(group, versions, plural, name, namespaced, List.of(names), custom, status, columns, rules,
                places);
    }

    public Kind withStatus(boolean subresource) {
        return new Kind(group, versions, plural, name, namespaced, shortNames, custom, subresource, columns, rules,
                places);
    }

    public Kind withColumns(Column... shown) {
        return new Kind(
                group, versions, plural, name, namespaced, shortNames, custom, status, List.of(shown), rules, places);
    }

    public Kind withRules(Rules own) {
        return new Kind(group, versions, plural, name, namespaced, shortNames, custom, status, columns, own, places);
    }

    /**
     * With maps, and lists that are more than one value, for server-side apply and managedFields: {@code a.b<>} a map,
     * {@code a.b[x,y]} a list with items told apart by x and y, {@code a.b[=]} a set, {@code a.b[]} a list that is one
     * value, {@code a.b!} an object that is one value, {@code a.b{}} a struct that is always there.
     */
    public Kind withPlaces(String... own) {
        List<String> all = Stream.concat(Shape.METADATA.stream(), Stream.of(own)).toList();
        return new Kind(
                group, versions, plural, name, namespaced, shortNames, custom, status, columns, rules, all);
    }

    /** The fields of the object that a write of this subresource leaves alone. */
    List<String> untouched(String subresource) {
        if (!status) {
            return List.of();
        }
        return subresource.isEmpty() ? List.of("status") : custom ? List.of("metadata", "spec") : List.of("spec");
    }

    /** Plural with group, for example {@code machines.cluster.x-k8s.io}; for the core group the plural alone. */
    public String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** Whether each change of the spec is counted, and a new object has no status yet. */
    boolean hasGenerations() {
        return custom || plural.equals(Kinds.BUDGETS);
    }

    boolean isEvictable() {
        return group.isEmpty() && plural.equals("pods");
    }

    /** @param subresource empty for the object itself */
    boolean hasSubresource(String subresource) {
        return switch (subresource) {
            case "" -> true;
            case "status" -> status;
            case Evictions.SUBRESOURCE -> isEvictable();
            default -> false;
        };
    }

    String apiVersion(String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
