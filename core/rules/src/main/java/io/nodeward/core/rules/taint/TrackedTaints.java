package io.nodeward.core.rules.taint;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a Node says of the taints that are owned. */
public final class TrackedTaints {
    static final List<String> ANNOTATIONS = List.of(ClusterApi.TAINTS_FROM_MACHINE, TaintAnnotations.TRACKING);

    private TrackedTaints() {}

    /** Those that its Machine or MachinePool declares, be it by its spec or by annotations. */
    public static Set<TaintId> of(Node node) {
        Set<TaintId> ids = new HashSet<>();
        ANNOTATIONS.forEach(annotation -> of(node, annotation).ifPresent(ids::addAll));
        return ids;
    }

    /** What the Node has of them, no matter who put it there. */
    public static Stream<Taint> onNode(Node node) {
        Set<TaintId> ids = of(node);
        return node.taints().stream().filter(taint -> ids.contains(taint.id()));
    }

    /** Those that an annotation of the Node names; empty if the Node does not have it. */
    public static Optional<Set<TaintId>> of(Node node, String annotation) {
        return Optional.ofNullable(node.metadata().annotations().get(annotation)).map(text -> TaintTracking.parse(
                node.metadata().key().name(), annotation, text, new ArrayList<>(0)));
    }
}
