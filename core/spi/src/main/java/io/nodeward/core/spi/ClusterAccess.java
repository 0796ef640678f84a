package io.nodeward.core.spi;

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
 */
public record ClusterAccess(String kubeconfig, Optional<Path> file, String userAgent) {
    /** Never shows the kubeconfig. */
    @Override
    public String toString() {
        return "ClusterAccess[" + file.map(Path::toString).orElse("from a Secret") + "]";
    }
}
