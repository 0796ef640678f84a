package io.nodeward.core.rules.origin;

import io.nodeward.api.node.TaintId;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of how a Node's kubelet was started.
 *
 * @param name of the configuration, with its kind; empty if none is known
 * @param registered {@code nodeRegistration.taints}; empty if the field is absent, so that kubeadm decides
 * @param arguments taints of the kubelet's {@code --register-with-taints}
 * @param controlPlane whether the Node is one of the control plane
 */
public record Bootstrap(String name, Optional<Set<TaintId>> registered, Set<TaintId> arguments, boolean controlPlane) {
    public Bootstrap {
        registered = registered.map(Set::copyOf);
        arguments = Set.copyOf(arguments);
    }

    /** Nothing is known but this. */
    public static Bootstrap unknown(boolean controlPlane) {
        return new Bootstrap("", Optional.empty(), Set.of(), controlPlane);
    }
}
