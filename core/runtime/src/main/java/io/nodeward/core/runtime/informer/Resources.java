package io.nodeward.core.runtime.informer;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.core.spi.Resource;

/** Resources by group, version and plural, for those who watch or change their objects. */
public final class Resources {
    public static final Resource NODES = new Resource("", "v1", "nodes", false);
    public static final Resource PODS = new Resource("", "v1", "pods", true);
    public static final Resource NAMESPACES = new Resource("", "v1", "namespaces", false);
    public static final Resource SECRETS = new Resource("", "v1", "secrets", true);
    public static final Resource CONFIG_MAPS = new Resource("", "v1", "configmaps", true);

    private Resources() {}

    /** @param plural lower case, as in paths */
    public static Resource namespaced(String group, String version, String plural) {
        return new Resource(group, version, plural, true);
    }

    /** @param plural lower case, as in paths */
    public static Resource clusterScoped(String group, String version, String plural) {
        return new Resource(group, version, plural, false);
    }

    /** @param plural of a namespaced kind of Cluster API, as in paths */
    public static Resource clusterApi(String version, String plural) {
        return namespaced(ClusterApi.GROUP, version, plural);
    }
}
