package io.nodeward.e2e.controlplane;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A minor release of Kubernetes that the suites run on: its servers and kubectl, all from its Go modules. */
public enum KubernetesRelease {
    /** The one that Nodeward is developed on. */
    V1_37(GoModule.KUBERNETES),
    V1_36(GoModule.KUBERNETES_1_36);

    private final GoModule module;

    KubernetesRelease(GoModule module) {
        this.module = module;
    }

    /**
     * The one that this JVM starts, {@link #V1_37} unless NODEWARD_E2E_KUBERNETES says another.
     *
     * @throws IllegalStateException if that is none of these, naming them
     */
    public static KubernetesRelease used() {
        String wanted = Setting.NODEWARD_E2E_KUBERNETES.text().orElse(V1_37.minor());
        return Arrays.stream(values()).filter(release -> release.minor().equals(wanted)).findFirst()
                .orElseThrow(() -> new IllegalStateException("NODEWARD_E2E_KUBERNETES=" + wanted + " is none of "
                        + Arrays.stream(values()).map(KubernetesRelease::minor).collect(Collectors.joining(", "))));
    }

    /** {@code v1.37.2}. */
    public String version() {
        return module.version();
    }

    /** {@code 1.37}, as NODEWARD_E2E_KUBERNETES takes it. */
    public String minor() {
        return version().substring(1, version().lastIndexOf('.'));
    }

    GoModule module() {
        return module;
    }
}
