package io.nodeward.core.spi;

import io.nodeward.api.json.kubeconfig.AllowedServers;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How to reach and log in to one API server.
 *
 * @param kubeconfig YAML text; its current context is used
 * @param file where the text was read from, which relative paths in it are resolved against; it is its user's own, and
 *     may run programs and name files. Empty for one from a Secret, which somebody else wrote: a backend judges it by
 *     {@link io.nodeward.api.json.kubeconfig.SecretKubeconfig}, and hands its library no more than what that accepts
 * @param userAgent sent with every request
 * @param servers addresses that a kubeconfig from a Secret may lead to; a backend connects to no other
 */
public record ClusterAccess(String kubeconfig, Optional<Path> file, String userAgent, AllowedServers servers) {
    /** Creates an access that may lead to any address. */
    public ClusterAccess(String kubeconfig, Optional<Path> file, String userAgent) {
        this(kubeconfig, file, userAgent, AllowedServers.ALL);
    }

    /** Never shows the kubeconfig. */
    @Override
    public String toString() {
        return "ClusterAccess[" + file.map(Path::toString).orElse("from a Secret") + "]";
    }
}
