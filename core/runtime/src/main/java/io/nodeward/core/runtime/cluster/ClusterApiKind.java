package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ObjectCache;

/**
 * A kind of Cluster API that somebody reads.
 *
 * @param filtered whether only those with the watch-filter label are read, if there is one
 * @param optional whether Cluster API may be installed without it
 */
record ClusterApiKind<T extends KubernetesObject>(
        String plural, Projection<T> projection, ObjectCache<T> cache, boolean filtered, boolean optional) {}
