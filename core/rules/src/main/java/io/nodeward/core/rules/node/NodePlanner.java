package io.nodeward.core.rules.node;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.label.MetadataSync;
import io.nodeward.core.rules.taint.TaintPlan;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compares a Node with what its owner declares and says the one write that makes them agree. Planning the Node that
 * this write leads to gives an empty change. An owner that is being deleted is planned like any other: its Node stays
 * as declared until it is gone.
 */
public final class NodePlanner {
    private final Owner owner;
    private final Node node;
    private Optional<List<Taint>> taints = Optional.empty();
    private SortedMap<String, Optional<String>> labels = Collections.emptySortedMap();
    private SortedMap<String, Optional<String>> annotations = Collections.emptySortedMap();
    private List<Warning> warnings = List.of();

    private NodePlanner(Owner owner, Node node) {
        this.owner = owner;
        this.node = node;
    }

    public static NodePlan plan(Owner owner, Node node, NodePolicy policy) {
        NodePlanner planner = new NodePlanner(owner, node);
        if (policy.syncsMetadata()) {
            planner.metadata(policy);
        }
        if (policy.keepsBookkeeping()) {
            planner.bookkeeping();
        }
        if (policy.propagatesTaints()) {
            planner.taints(TaintPlan.propagate(owner.taints(), owner.annotated(), node, policy.initialization(),
                    policy.removesUninitialized()));
        } else if (policy.removesUninitialized()) {
            planner.taints(TaintPlan.dropUninitialized(node));
        }
        return planner.plan();
    }

    /**
     * Plans the same without any removal of a tracked taint, for an owner that may declare more than was read.
     *
     * @param plan with the removals
     * @return empty if there are none
     */
    public static Optional<NodePlan> withoutRemovals(NodePlan plan, Owner owner, Node node, NodePolicy policy) {
        return Optional.of(plan).filter(one -> !one.change().isEmpty() && policy.propagatesTaints())
                .map(one -> plan(owner.asIncomplete(), node, policy))
                .filter(kept -> !kept.change().equals(plan.change()));
    }

    private NodePlan plan() {
        NodeChange change = new NodeChange(
                node.metadata().key().name(), node.metadata().resourceVersion(), taints, labels, annotations);
        return new NodePlan(change, warnings);
    }

    private void metadata(NodePolicy policy) {
        MetadataSync fromLabels = MetadataSync.labels(owner.metadata().labels(), policy.labels(), node);
        MetadataSync fromAnnotations =
                MetadataSync.annotations(owner.metadata().annotations(), policy.annotations(), node);
        labels = fromLabels.changes();
        fromAnnotations.changes().forEach(this::annotate);
        fromLabels.tracking().ifPresent(text -> annotate(ClusterApi.LABELS_FROM_MACHINE, Optional.of(text)));
        fromAnnotations.tracking().ifPresent(text -> annotate(ClusterApi.ANNOTATIONS_FROM_MACHINE, Optional.of(text)));
        warn(fromLabels.warnings());
        warn(fromAnnotations.warnings());
    }

    private void bookkeeping() {
        ObjectKey key = owner.metadata().key();
        Optional<OwnerRef> controller = owner.metadata().controller();
        ensure(ClusterApi.CLUSTER_NAME_ANNOTATION, Optional.of(owner.clusterName()));
        ensure(ClusterApi.CLUSTER_NAMESPACE_ANNOTATION, Optional.of(key.namespace()));
        ensure(ClusterApi.MACHINE_ANNOTATION, Optional.of(key.name()));
        ensure(ClusterApi.OWNER_KIND_ANNOTATION, controller.map(OwnerRef::kind));
        ensure(ClusterApi.OWNER_NAME_ANNOTATION, controller.map(OwnerRef::name));
    }

    private void ensure(String key, Optional<String> value) {
        if (!value.equals(Optional.ofNullable(node.metadata().annotations().get(key)))) {
            annotate(key, value);
        }
    }

    private void taints(TaintPlan plan) {
        taints = plan.taints();
        plan.tracking().ifPresent(text -> annotate(ClusterApi.TAINTS_FROM_MACHINE, Optional.of(text)));
        plan.annotated().ifPresent(text -> annotate(TaintAnnotations.TRACKING, Optional.of(text)));
        warn(plan.warnings());
    }

    private void annotate(String key, Optional<String> value) {
        if (annotations.isEmpty()) {
            annotations = new TreeMap<>();
        }
        annotations.put(key, value);
    }

    private void warn(List<Warning> more) {
        if (!more.isEmpty()) {
            warnings = new ArrayList<>(warnings);
            warnings.addAll(more);
        }
    }
}
