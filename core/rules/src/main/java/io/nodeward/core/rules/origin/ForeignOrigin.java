package io.nodeward.core.rules.origin;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Taint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where a taint comes from that is not there because of a declaration. */
record ForeignOrigin(Source source, String by, boolean certain, String because) {
    private static final String LIFECYCLE = "node.kubernetes.io/";
    private static final String CLOUD = "node.cloudprovider.kubernetes.io/";
    private static final Map<String, String> CONDITIONS = Map.of(
            "not-ready", "the Node is not ready, or has not been yet",
            "unreachable", "its kubelet has not been heard of",
            "memory-pressure", "its kubelet reports that memory runs out",
            "disk-pressure", "its kubelet reports that disk runs out",
            "pid-pressure", "its kubelet reports that process IDs run out",
            "network-unavailable", "its network is not set up");
    private static final Set<String> AUTOSCALER =
            Set.of("ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler");
    private static final Set<String> ROLES =
            Set.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

    static ForeignOrigin of(Situation situation, Taint taint) {
        return ofKey(situation, taint)
                .or(() -> ofBootstrap(situation, taint))
                .orElseGet(() -> ofWriters(situation));
    }

    /** Keys that belong to somebody. */
    private static Optional<ForeignOrigin> ofKey(Situation situation, Taint taint) {
        String key = taint.key();
        if (key.equals(ClusterApi.UNINITIALIZED_TAINT)) {
            return known(Source.BOOTSTRAP, "the bootstrap provider",
                    "Nodes register with it, and lose it once labels and taints of the Machine are there");
        }
        if (key.equals(ClusterApi.OUTDATED_REVISION_TAINT)) {
            return known(Source.CLUSTER_API, "Cluster API's manager",
                    "the Machine is of an older revision than its MachineDeployment");
        }
        if (AUTOSCALER.contains(key)) {
            return known(Source.AUTOSCALER, "cluster-autoscaler", "it removes the Node, or thinks of it");
        }
        if (key.startsWith("karpenter.sh/")) {
            return known(Source.AUTOSCALER, "karpenter", "the domain of the key is its own");
        }
        return key.startsWith(CLOUD)
                ? ofCloud(key.substring(CLOUD.length()))
                : key.startsWith(LIFECYCLE) ? ofLifecycle(situation, key.substring(LIFECYCLE.length()))
                : Optional.empty();
    }

    private static Optional<ForeignOrigin> ofCloud(String name) {
        return known(Source.CLOUD_PROVIDER, name.equals("uninitialized") ? "kubelet --cloud-provider=external"
                : "cloud-controller-manager",
                name.equals("uninitialized")
                        ? "the cloud controller manager has not initialized the Node yet"
                        : "the cloud provider says so of the Node");
    }

    private static Optional<ForeignOrigin> ofLifecycle(Situation situation, String name) {
        if (CONDITIONS.containsKey(name)) {
            return known(Source.NODE_LIFECYCLE, "node lifecycle controller", CONDITIONS.get(name));
        }
        if (!name.equals("unschedulable")) {
            return Optional.empty();
        }
        Optional<Writer> cordon = Situation.latest(
                situation.writers().stream().filter(Writer::unschedulable).toList());
        return known(Source.NODE_LIFECYCLE, "node lifecycle controller", situation.unschedulable()
                ? "the Node is cordoned" + cordon.map(writer -> ", by " + writer.manager()).orElse("")
                : "the Node was cordoned, and is no longer");
    }

    private static Optional<ForeignOrigin> ofBootstrap(Situation situation, Taint taint) {
        Bootstrap bootstrap = situation.bootstrap();
        if (bootstrap.arguments().contains(taint.id())) {
            return known(Source.BOOTSTRAP, bootstrap.name(), "the kubelet's --register-with-taints has it");
        }
        if (bootstrap.registered().filter(taints -> taints.contains(taint.id())).isPresent()) {
            return known(Source.BOOTSTRAP, bootstrap.name(), "nodeRegistration.taints has it");
        }
        if (bootstrap.controlPlane() && ROLES.contains(taint.key()) && bootstrap.registered().isEmpty()) {
            return Optional.of(new ForeignOrigin(Source.BOOTSTRAP, "kubeadm", false,
                    "kubeadm gives it to control planes unless it is told otherwise"));
        }
        List<Writer> writers = situation.listWriters();
        if (!writers.isEmpty() && writers.stream().allMatch(writer -> Actor.of(writer.manager()) == Actor.KUBELET)) {
            return known(Source.BOOTSTRAP, "kubelet", "nobody has written the list since the Node registered");
        }
        return Optional.empty();
    }

    /** Who wrote the list last owns all of it, what was there before too. */
    private static ForeignOrigin ofWriters(Situation situation) {
        Optional<Writer> last = Situation.latest(situation.listWriters());
        if (last.isEmpty()) {
            return new ForeignOrigin(Source.UNKNOWN, "", false, situation.writers().isEmpty()
                    ? "there are no managedFields: kubectl leaves them out without --show-managed-fields"
                    : "managedFields name nobody who wrote the list of taints");
        }
        String manager = last.get().manager();
        Actor actor = Actor.of(manager);
        if (actor == Actor.CARRIER || actor == Actor.NODE_LIFECYCLE || actor == Actor.KUBELET) {
            return new ForeignOrigin(Source.UNKNOWN, "", false,
                    "it was there before " + manager + " wrote the list; who put it there is not recorded");
        }
        return new ForeignOrigin(actor.source(), manager, false,
                manager + " wrote the list last, and may have found it there");
    }

    private static Optional<ForeignOrigin> known(Source source, String by, String because) {
        return Optional.of(new ForeignOrigin(source, by, true, because));
    }
}
