package io.nodeward.e2e.controlplane;

import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * One of Cluster API's managers.
 *
 * @param webhooks the file with its webhook configurations; the module is downloaded when it is not there
 */
record UpstreamProgram(Component component, Supplier<Path> webhooks) {
    static UpstreamProgram core(ClusterApiRelease release) {
        return new UpstreamProgram(release.manager(), release::webhooks);
    }

    /** That of control planes which kubeadm sets up. */
    static UpstreamProgram kubeadmControlPlane(ClusterApiRelease release) {
        return new UpstreamProgram(release.controlPlaneManager(), release::controlPlaneWebhooks);
    }

    /** As its processes and files are called. */
    String name() {
        return component.program();
    }
}
