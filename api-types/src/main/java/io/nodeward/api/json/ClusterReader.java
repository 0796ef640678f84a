package io.nodeward.api.json;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Cluster.ControlPlaneRef;
import io.nodeward.api.machine.Cluster.Initialization;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/** Reads Clusters, from v1beta2 or v1beta1. */
final class ClusterReader {
    static final Projection.Reader<Cluster> CLUSTER = new ShapeReader<>(ClusterReader::cluster,
            "spec.paused", "spec.controlPlaneRef" + Parts.REFERENCE, "status.phase", "status.infrastructureReady",
            "status.initialization", "status.conditions" + Parts.CONDITION,
            "status.v1beta2.conditions" + Parts.CONDITION);

    private ClusterReader() {}

    private static Cluster cluster(Metadata metadata, Tree object) {
        Tree spec = object.at("spec");
        Tree status = object.at("status");
        Tree reference = spec.at("controlPlaneRef");
        return new Cluster(metadata, Parts.isTrue(spec.at("paused")),
                new ControlPlaneRef(Parts.text(reference, "kind"), Parts.text(reference, "name")),
                initialization(status), Parts.ownConditions(status));
    }

    /** v1beta2 says how far the cluster is in {@code status.initialization}, v1beta1 in a flag and a condition. */
    private static Initialization initialization(Tree status) {
        Tree ready = status.at("infrastructureReady");
        Tree initialization = status.at("initialization");
        List<Tree> conditions = Parts.conditions(status).toList();
        // A condition with a domain is not Cluster API's own.
        boolean reported = !Parts.scalar(status.at("phase")).isEmpty() || !ready.equals(Tree.ABSENT)
                || initialization.size() > 1
                || conditions.stream().anyMatch(one -> !one.at("type").string().contains("/"));
        if (!reported) {
            return Initialization.NOT_REPORTED;
        }
        if (!Parts.isTrue(ready) && !Parts.isTrue(initialization.at("infrastructureProvisioned"))) {
            return Initialization.AWAITING_INFRASTRUCTURE;
        }
        boolean initialized = Parts.isTrue(initialization.at("controlPlaneInitialized"))
                || conditions.stream().anyMatch(one -> one.at("type").string().equals("ControlPlaneInitialized")
                        && one.at("status").string().equals(Condition.TRUE));
        return initialized ? Initialization.INITIALIZED : Initialization.AWAITING_CONTROL_PLANE;
    }
}
