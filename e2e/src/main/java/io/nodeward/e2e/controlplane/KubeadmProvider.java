package io.nodeward.e2e.controlplane;

import java.nio.file.Path;

/** What Cluster API's latest release brings for clusters that kubeadm sets up, besides the core. */
enum KubeadmProvider {
    BOOTSTRAP("bootstrap/kubeadm/config"),
    CONTROL_PLANE("controlplane/kubeadm/config");

    private final String config;

    KubeadmProvider(String config) {
        this.config = config;
    }

    /** The folder in Go's module cache; the module is downloaded when it is not there. */
    Path crds() {
        return sources().resolve("crd/bases");
    }

    /** The file with its webhook configurations. */
    Path webhooks() {
        return sources().resolve("webhook/manifests.yaml");
    }

    private Path sources() {
        return new GoTool("go").sources(GoModule.CLUSTER_API).resolve(config);
    }
}
