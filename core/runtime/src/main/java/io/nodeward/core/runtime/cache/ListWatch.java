package io.nodeward.core.runtime.cache;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;

/**
 * Where the objects of a cache come from.
 *
 * @param name of logs and metrics, for example {@code machines} or {@code nodes of default/prod}
 * @param namespace empty for all
 * @param only name of the only object; empty for all
 * @param labelSelector empty for all
 * @param metadataOnly whether the projection reads nothing but metadata
 */
public record ListWatch<T extends KubernetesObject>(
        String name,
        ApiServer server,
        Resource resource,
        String namespace,
        String only,
        String labelSelector,
        boolean metadataOnly,
        Projection<T> projection) {

    /** In all namespaces. */
    public ListWatch(
            String name,
            ApiServer server,
            Resource resource,
            String labelSelector,
            boolean metadataOnly,
            Projection<T> projection) {
        this(name, server, resource, "", "", labelSelector, metadataOnly, projection);
    }

    /** @param one namespace; empty for all */
    public ListWatch<T> in(String one) {
        return new ListWatch<>(one.isEmpty() ? name : name + " in " + one, server, resource, one, only, labelSelector,
                metadataOnly, projection);
    }

    /** Of the same objects, read in another way. */
    public <R extends KubernetesObject> ListWatch<R> with(Projection<R> other) {
        return new ListWatch<>(name, server, resource, namespace, only, labelSelector, metadataOnly, other);
    }

    /** What ends a failure of these requests that does not pass by itself; empty if it may. */
    public String remedy(ApiFailure failure) {
        String kind = resource.group().isEmpty() ? resource.plural() : resource.plural() + "." + resource.group();
        String where = namespace.isEmpty() || !only.isEmpty() ? "" : " in namespace " + namespace;
        return switch (failure) {
            case ApiFailure.Forbidden f -> "grant the controller list and watch of " + kind + where;
            case ApiFailure.NotServed f -> "install " + kind + " in version " + resource.version();
            case ApiFailure.Unauthorized f -> "renew the controller's credentials";
            default -> "";
        };
    }

    ListOptions options(ListOptions options) {
        ListOptions named = only.isEmpty() ? options : options.withName(only);
        return metadataOnly ? named.withMetadataOnly() : named;
    }
}
