package io.nodeward.core.rules.dedicated;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.taint.TrackedTaints;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** A Node's taints that its Machine or MachinePool declares, no matter who put them there. */
final class TrackedByClusterApi {
    private TrackedByClusterApi() {}

    static Stream<Taint> taints(Node node) {
        Set<TaintId> ids = of(node);
        return node.taints().stream().filter(taint -> ids.contains(taint.id()));
    }

    static Set<TaintId> of(Node node) {
        Set<TaintId> ids = new HashSet<>();
        Stream.of(ClusterApi.TAINTS_FROM_MACHINE, TaintAnnotations.TRACKING)
                .flatMap(annotation -> TrackedTaints.of(node, annotation).stream())
                .forEach(ids::addAll);
        return ids;
    }
}
