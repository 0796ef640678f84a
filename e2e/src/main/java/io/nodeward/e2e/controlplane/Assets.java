package io.nodeward.e2e.controlplane;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** A directory with programs that somebody else provides, as KUBEBUILDER_ASSETS names it. */
record Assets(Path directory) {
    private static final Set<Component> HELD =
            EnumSet.of(Component.ETCD, Component.KUBE_APISERVER, Component.KUBECTL);

    boolean holds(Component component) {
        return HELD.contains(component);
    }

    /** @throws IllegalStateException if it is not there: a half-filled directory is a mistake, not a wish to build */
    Path path(Component component) {
        Path program = directory.resolve(component.program());
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException("KUBEBUILDER_ASSETS=" + directory + " has no program " + component.program()
                    + "; put it there, or unset KUBEBUILDER_ASSETS to build it with Go");
        }
        return program;
    }
}
