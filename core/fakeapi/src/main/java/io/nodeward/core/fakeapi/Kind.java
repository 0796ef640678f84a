package io.nodeward.core.fakeapi;

import java.util.List;

/**
 * A kind the server serves.
 *
 * @param group empty for the core group
 * @param versions the first is the one clients prefer; all show the same objects, with their apiVersion
 * @param custom whether it behaves as a custom resource: generations, no strategic merge, updates need a resourceVersion
 * @param status whether status is written through its own subresource only
 * @param columns after NAME and before AGE; the whole table if one of them is called Name
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
        Rules rules) {

    /** A namespaced custom resource with a status subresource. */
    public static Kind custom(String group, List<String> versions, String plural, String name) {
        return new Kind(group, versions, plural, name, true, List.of(), true, true, List.of(), Rules.NONE);
    }

    /** A namespaced kind of the API server itself, without subresources. */
    static Kind builtIn(String group, String version, String plural, String name) {
        return new Kind(group, List.of(version), plural, name, true, List.of(), false, false, List.of(), Rules.NONE);
    }

    /** The same kind without namespaces. */
    public Kind clusterScoped() {
        return new Kind(group, versions, plural, name, false, shortNames, custom, status, columns, rules);
    }

    public Kind withShortNames(String... names) {
        return new Kind(group, versions, plural, name, namespaced, List.of(names), custom, status, columns, rules);
    }

    public Kind withStatus(boolean subresource) {
        return new Kind(group, versions, plural, name, namespaced, shortNames, custom, subresource, columns, rules);
    }

    public Kind withColumns(Column... shown) {
        return new Kind(
                group, versions, plural, name, namespaced, shortNames, custom, status, List.of(shown), rules);
    }

    public Kind withRules(Rules own) {
        return new Kind(group, versions, plural, name, namespaced, shortNames, custom, status, columns, own);
    }

    /** Plural with group, for example {@code machines.cluster.x-k8s.io}; for the core group the plural alone. */
    public String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    String apiVersion(String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
