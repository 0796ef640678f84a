package io.nodeward.core.runtime.controller;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.core.spi.Resource;

/**
 * A namespaced kind of objects.
 *
 * @param group without a version
 * @param kind as in objects
 * @param plural as in paths
 */
public record ObjectKind(String group, String version, String kind, String plural) {
    /** @param version of Cluster API that the management cluster serves */
    public static ObjectKind clusterApi(String version, String kind, String plural) {
        return new ObjectKind(ClusterApi.GROUP, version, kind, plural);
    }

    public Resource resource() {
        return new Resource(group, version, plural, true);
    }
}
