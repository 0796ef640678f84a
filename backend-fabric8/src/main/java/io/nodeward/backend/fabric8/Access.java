package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A kubeconfig that was read and found usable.
 *
 * @param config server, TLS, proxy and credentials, every path absolute
 * @param tokenFile read anew for each request, as the kubelet rotates such tokens
 * @param plugin whether an exec plugin or auth provider of an operator's own file gives the credentials
 */
record Access(Config config, Optional<Path> tokenFile, boolean plugin, String userAgent) {
    /** Without the slash at its end; a path may be part of it. */
    String server() {
        String url = config.getMasterUrl();
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    boolean tls() {
        return server().startsWith("https:");
    }

    /** Never shows credentials. */
    @Override
    public String toString() {
        return "Access[" + server() + "]";
    }
}
