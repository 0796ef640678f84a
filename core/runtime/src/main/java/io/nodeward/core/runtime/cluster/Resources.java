package io.nodeward.core.runtime.cluster;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.core.spi.Resource;

/** The kinds Nodeward reads and writes. */
public final class Resources {
    public static final Resource NODES = new Resource("", "v1", "nodes", false);
    public static final Resource SECRETS = new Resource("", "v1", "secrets", true);

    private Resources() {}

    /** @param plural of a namespaced kind of Cluster API, as in paths */
    public static Resource clusterApi(String version, String plural) {
        return new Resource(ClusterApi.GROUP, version, plural, true);
    }
}
