package io.nodeward.demo;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.util.List;
import java.util.Optional;

/** A Machine and its Node as the server has them now. */
record Pair(Machine machine, Optional<Node> node) {
    static String text(MachineTaint taint) {
        return text(taint.key(), taint.value(), taint.effect());
    }

    static String text(Taint taint) {
        return text(taint.key(), taint.value(), taint.effect());
    }

    private static String text(String key, String value, String effect) {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }

    String name() {
        return machine.key().name();
    }

    List<Taint> onNode() {
        return node.map(Node::taints).orElse(List.of());
    }

    /** Whether the Node's tracking annotation says that the taint came from the Machine and goes with it. */
    boolean isOwned(Taint taint) {
        return List.of(tracking().split(",")).contains(taint.id().toString());
    }

    boolean isTracked() {
        return node.filter(n -> n.metadata().annotations().containsKey(ClusterApi.TAINTS_FROM_MACHINE)).isPresent();
    }

    private String tracking() {
        return node.map(n -> n.metadata().annotations().getOrDefault(ClusterApi.TAINTS_FROM_MACHINE, ""))
                .orElse("");
    }

    /** Whether the Node has exactly these taints, in any order; an owned one is given with a star in front. */
    boolean hasOnly(String... taints) {
        return onNode().stream().map(t -> (isOwned(t) ? "*" : "") + text(t)).sorted().toList()
                .equals(List.of(taints).stream().sorted().toList());
    }
}
