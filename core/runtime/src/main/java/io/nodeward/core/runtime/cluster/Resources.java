package io.nodeward.core.runtime.cluster;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.core.spi.Resource;

/** The kinds Nodeward reads and writes. */
public final class Resources {
    public static final Resource NODES = new Resource("", "v1", "nodes", false);
    public static final Resource SECRETS = new Resource("", "v1", "secrets", true);
    public static final Resource EVENTS = new Resource("", "v1", "events", true);

    private Resources() {}

    /** @param version {@code v1beta2}, or {@code v1beta1} on older management clusters */
    public static Resource machines(String version) {
        return new Resource(ClusterApi.GROUP, version, "machines", true);
    }

    /** @param plural of a namespaced kind of Cluster API, as in paths */
    public static Resource clusterApi(String version, String plural) {
        return new Resource(ClusterApi.GROUP, version, plural, true);
    }

    public static Resource machinePools(String version) {
        return new Resource(ClusterApi.GROUP, version, "machinepools", true);
    }

    public static Resource clusters(String version) {
        return new Resource(ClusterApi.GROUP, version, "clusters", true);
    }
}
