package io.nodeward.core.runtime.cluster;

import io.nodeward.api.core.KubeconfigSecret;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Refused;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Verdict;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import java.io.IOException;
import java.util.Optional;

/** Reads the Secrets that hold kubeconfigs, {@code <cluster>-kubeconfig} in the Cluster's namespace. */
final class KubeconfigSecrets {
    private static final String SUFFIX = "-kubeconfig";

    private final ApiServer server;
    private final KubeconfigPolicy policy;

    /**
     * A Secret that was read.
     *
     * @param version its resourceVersion
     */
    record Read(String version, Verdict verdict) {}

    KubeconfigSecrets(ApiServer server, KubeconfigPolicy policy) {
        this.server = server;
        this.policy = policy;
    }

    static ObjectKey secretOf(ObjectKey cluster) {
        return new ObjectKey(cluster.namespace(), cluster.name() + SUFFIX);
    }

    /** The Cluster a Secret is for; empty if it is for none. */
    static Optional<ObjectKey> clusterOf(ObjectKey secret) {
        String name = secret.name();
        return name.endsWith(SUFFIX)
                ? Optional.of(
                        new ObjectKey(secret.namespace(), name.substring(0, name.length() - SUFFIX.length())))
                : Optional.empty();
    }

    /** @throws ApiFailure if the management cluster does not give it */
    Read read(Cluster cluster) {
        ObjectKey key = secretOf(cluster.key());
        try {
            KubeconfigSecret secret = Projection.KUBECONFIG_SECRET.read(server.get(Resources.SECRETS, key));
            Verdict verdict = mismatch(cluster, secret).<Verdict>map(Refused::new)
                    .orElseGet(() -> policy.judge(secret.value()));
            return new Read(secret.metadata().resourceVersion(), verdict);
        } catch (IOException e) {
            throw ApiFailure.unreachable("GET of Secret " + key, "the reply is no JSON object", e);
        }
    }

    /** Why this is no kubeconfig of this Cluster, whatever is in it: a name alone can be had by any Secret. */
    private static Optional<String> mismatch(Cluster cluster, KubeconfigSecret secret) {
        if (!secret.type().equals(ClusterApi.SECRET_TYPE)) {
            return Optional.of("type is " + secret.type() + ", not " + ClusterApi.SECRET_TYPE);
        }
        String label = secret.metadata().labels().getOrDefault(ClusterApi.CLUSTER_NAME_LABEL, "");
        if (!label.equals(cluster.key().name())) {
            return Optional.of("label " + ClusterApi.CLUSTER_NAME_LABEL + " names Cluster " + label);
        }
        return secret.metadata()
                .owners()
                .stream()
                .filter(owner -> !mayOwn(cluster, owner))
                .findFirst()
                .map(owner -> "it belongs to " + owner.kind() + " " + owner.name()
                        + ", neither this Cluster nor its control plane");
    }

    // One that somebody made by hand has no owner; one that a control plane provider made has its control plane.
    private static boolean mayOwn(Cluster cluster, OwnerRef owner) {
        if (owner.kind().equals("Cluster") && owner.apiVersion().startsWith(ClusterApi.GROUP + "/")) {
            return owner.uid().equals(cluster.metadata().uid());
        }
        Cluster.ControlPlaneRef controlPlane = cluster.controlPlane();
        return !owner.controller()
                || controlPlane.equals(Cluster.ControlPlaneRef.NONE)
                || controlPlane.equals(new Cluster.ControlPlaneRef(owner.kind(), owner.name()));
    }
}
