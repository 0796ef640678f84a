package io.nodeward.core.runtime.controller;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.core.spi.Resource;

/**
 * A kind of objects, as those name it who change one.
 *
 * @param group without a version; empty for the core group
 * @param kind as in objects
 * @param plural as in paths
 */
public record ObjectKind(String group, String version, String kind, String plural, boolean namespaced) {
    /** @param version of Cluster API that the management cluster serves */
    public static ObjectKind clusterApi(String version, String kind, String plural) {
        return new ObjectKind(ClusterApi.GROUP, version, kind, plural, true);
    }

    public static ObjectKind of(CustomResourceDefinition definition) {
        return new ObjectKind(definition.group(), definition.version(), definition.kind(), definition.plural(),
                definition.namespaced());
    }

    public Resource resource() {
        return new Resource(group, version, plural, namespaced);
    }
}
