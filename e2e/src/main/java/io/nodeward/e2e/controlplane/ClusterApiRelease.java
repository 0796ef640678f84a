package io.nodeward.e2e.controlplane;

import java.nio.file.Path;

/** A minor release of Cluster API: its managers, CRDs and webhooks, all from its Go module. */
public enum ClusterApiRelease {
    /** The one that Nodeward is developed beside. */
    LATEST(Component.CLUSTER_API, Component.KUBEADM_CONTROL_PLANE, "core/config"),
    V1_13(Component.CLUSTER_API_1_13, Component.KUBEADM_CONTROL_PLANE_1_13, "config"),
    V1_12(Component.CLUSTER_API_1_12, Component.KUBEADM_CONTROL_PLANE_1_12, "config");

    private final Component manager;
    private final Component controlPlaneManager;
    private final String config;

    ClusterApiRelease(Component manager, Component controlPlaneManager, String config) {
        this.manager = manager;
        this.controlPlaneManager = controlPlaneManager;
        this.config = config;
    }

    /** {@code v1.14.2}. */
    public String version() {
        return manager.module().version();
    }

    Component manager() {
        return manager;
    }

    /** Its own control plane provider. */
    Component controlPlaneManager() {
        return controlPlaneManager;
    }

    /** The folder in Go's module cache; the module is downloaded when it is not there. */
    Path crds() {
        return sources().resolve("crd/bases");
    }

    /** The folder with those of its own control plane provider, likewise. */
    Path controlPlaneCrds() {
        return new GoTool("go").sources(manager.module()).resolve("controlplane/kubeadm/config/crd/bases");
    }

    /** The file with its webhook configurations. */
    Path webhooks() {
        return sources().resolve("webhook/manifests.yaml");
    }

    /** The folder with the CRDs of its own bootstrap provider. */
    Path bootstrapCrds() {
        return new GoTool("go").sources(manager.module()).resolve("bootstrap/kubeadm/config/crd/bases");
    }

    /** The file with the webhook configurations of its own control plane provider. */
    Path controlPlaneWebhooks() {
        return new GoTool("go").sources(manager.module()).resolve("controlplane/kubeadm/config/webhook/manifests.yaml");
    }

    private Path sources() {
        return new GoTool("go").sources(manager.module()).resolve(config);
    }
}
