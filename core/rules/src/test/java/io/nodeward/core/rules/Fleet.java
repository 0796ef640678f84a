package io.nodeward.core.rules;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.validation.DeclaredTaint;
import io.nodeward.core.rules.validation.Given;
import java.util.List;
import java.util.Map;

/** Machines and Nodes for tests: {@code machine-1} in namespace {@code fleet}, and {@code node-1}. */
public final class Fleet {
    public static final Taint UNINITIALIZED = Taint.of(ClusterApi.UNINITIALIZED_TAINT, "", "NoSchedule");
    public static final Taint OUTDATED = Taint.of(ClusterApi.OUTDATED_REVISION_TAINT, "", "PreferNoSchedule");

    private Fleet() {}

    public static MachineTaint always(String key, String value, String effect) {
        return new MachineTaint(key, value, effect, MachineTaint.ALWAYS);
    }

    /** As it arrives; the empty value counts as absent. */
    public static DeclaredTaint declared(MachineTaint taint) {
        return new DeclaredTaint(
                Given.of(taint.key()),
                taint.value().isEmpty() ? Given.absent() : Given.of(taint.value()),
                Given.of(taint.effect()),
                Given.of(taint.propagation()));
    }

    public static MachineTaint once(String key, String value, String effect) {
        return new MachineTaint(key, value, effect, MachineTaint.ON_INITIALIZATION);
    }

    public static Machine machine(MachineTaint... taints) {
        return machine(Map.of(), Map.of(), List.of(taints));
    }

    public static Machine machine(Map<String, String> labels, Map<String, String> annotations) {
        return machine(labels, annotations, List.of());
    }

    public static Machine machine(
            Map<String, String> labels,
            Map<String, String> annotations,
            List<MachineTaint> taints,
            OwnerRef... owners) {
        Metadata metadata = new Metadata(
                new ObjectKey("fleet", "machine-1"), "m-uid", "7", labels, annotations, List.of(owners), false);
        return new Machine(metadata, "cluster-1", "", "node-1", taints, List.of());
    }

    /** A Node that was initialized and whose tracking annotation of taints holds this text. */
    public static Node tracking(String text, Taint... taints) {
        return node(Map.of(), Map.of(ClusterApi.TAINTS_FROM_MACHINE, text), taints);
    }

    /** A Node that has just registered. */
    public static Node fresh(Taint... taints) {
        return node(Map.of(), Map.of(), taints);
    }

    public static Node node(Map<String, String> labels, Map<String, String> annotations, Taint... taints) {
        Metadata metadata =
                new Metadata(new ObjectKey("", "node-1"), "n-uid", "42", labels, annotations, List.of(), false);
        return new Node(metadata, "", List.of(taints));
    }
}
