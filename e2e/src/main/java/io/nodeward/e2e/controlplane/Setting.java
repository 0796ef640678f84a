package io.nodeward.e2e.controlplane;

import java.nio.file.Path;
import java.util.Optional;

/** What a machine may say about its control plane: as system property or, second, as environment variable. */
enum Setting {
    /** Kubeconfig of an existing cluster. */
    NODEWARD_E2E_KUBECONFIG,
    /** Directory with etcd, kube-apiserver and kubectl, as other test kits use it. */
    KUBEBUILDER_ASSETS,
    /** Minor release of Kubernetes that is built and started where none of the above is given, as {@code 1.36}. */
    NODEWARD_E2E_KUBERNETES,
    /** Where caches live; {@code ~/.cache} if not set. */
    XDG_CACHE_HOME,
    /** Where Go keeps modules; asked from Go if not set. */
    GOMODCACHE;

    Optional<String> text() {
        return Optional.ofNullable(System.getProperty(name())).filter(value -> !value.isBlank())
                .or(() -> Optional.ofNullable(System.getenv(name())).filter(value -> !value.isBlank()));
    }

    Optional<Path> path() {
        return text().map(Path::of);
    }
}
