package com.example.provider;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.core.rules.capacity.CapacityPlan;
import io.nodeward.core.rules.capacity.CapacityPolicy;
import io.nodeward.core.rules.capacity.CapacityTaints;
import io.nodeward.core.rules.capacity.NodeGroups;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a provider with controllers and a client of its own keeps the annotation from which the cluster-autoscaler scales
 * its MachineDeployments from zero.
 */
public final class ScaleFromZero {
    private static final CapacityPolicy POLICY = CapacityPolicy.standard();

    private ScaleFromZero() {}

    /**
     * A merge patch of annotations, to be sent in one request.
     *
     * @param resourceVersion that it has to hold on: planned from another text, it might remove a user's entry
     * @param annotations new text, empty to remove it; the two belong together
     */
    public record Patch(String resourceVersion, Map<String, Optional<String>> annotations) {}

    /**
     * One step of a reconcile; empty if nothing is to be written.
     *
     * @param metadata of the MachineDeployment, as last read
     * @param taints its {@code spec.template.spec.taints}
     * @param template annotations of {@code spec.template.metadata}
     */
    public static Optional<Patch> plan(Metadata metadata, List<MachineTaint> taints, Map<String, String> template) {
        CapacityPlan plan = NodeGroups.isNodeGroup(metadata, ClusterApi.GROUP)
                ? CapacityTaints.plan(taints, template, metadata.annotations(), POLICY)
                : CapacityTaints.withdraw(metadata.annotations());
        return plan.isDue()
                ? Optional.of(new Patch(metadata.resourceVersion(), Map.of(
                        CapacityAnnotations.TAINTS, plan.text(),
                        CapacityAnnotations.TAINTS_TRACKING, plan.tracking())))
                : Optional.empty();
    }
}
