package io.nodeward.core.rules.origin;

import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of how a Node's kubelet was to be started.
 *
 * @param name of the configuration, with its kind; empty if none is known
 * @param registered {@code nodeRegistration.taints}, each with its value; empty if the field is absent, so that kubeadm
 *     decides
 * @param arguments taints of the kubelet's {@code --register-with-taints}, each with its value
 * @param controlPlane whether the Node is one of the control plane
 */
public record Bootstrap(
        String name,
        Optional<Map<TaintId, String>> registered,
        Map<TaintId, String> arguments,
        boolean controlPlane) {
    public Bootstrap {
        registered = registered.map(Map::copyOf);
        arguments = Map.copyOf(arguments);
    }

    /** Nothing is known but this. */
    public static Bootstrap unknown(boolean controlPlane) {
        return new Bootstrap("", Optional.empty(), Map.of(), controlPlane);
    }

    boolean registers(Taint taint) {
        return registered.filter(taints -> taint.value().equals(taints.get(taint.id()))).isPresent();
    }

    boolean passes(Taint taint) {
        return taint.value().equals(arguments.get(taint.id()));
    }
}
