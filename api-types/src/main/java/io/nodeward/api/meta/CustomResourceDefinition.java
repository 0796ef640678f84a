package io.nodeward.api.meta;

/**
 * What clients need of the CustomResourceDefinition of a kind.
 *
 * @param plural lower case, as in paths
 * @param namespaced whether its objects are in namespaces
 */
public record CustomResourceDefinition(
        String group, String version, String kind, String plural, boolean namespaced) {}
