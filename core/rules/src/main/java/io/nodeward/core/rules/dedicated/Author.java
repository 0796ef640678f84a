package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.OwnerRef;

/**
 * Who creates a pod, as the API server has authenticated him: what a pod says of itself, anybody may write.
 *
 * @param user his name
 */
public record Author(String user) {
    private static final String DAEMON_SETS = "system:serviceaccount:kube-system:daemon-set-controller";
    /** Of all its controllers, where they have no ServiceAccounts of their own. */
    private static final String CONTROLLER_MANAGER = "system:kube-controller-manager";

    /** Whether the pod shows a static pod of this kubelet, which runs it whatever it tolerates. */
    public boolean mirrors(CandidatePod pod) {
        return pod.pod().isMirror() && user.equals("system:node:" + pod.pod().nodeName());
    }

    /** Whether this is the DaemonSet controller at work on the pod: it has chosen the Node already. */
    public boolean runsDaemon(CandidatePod pod) {
        return user.equals(DAEMON_SETS) || user.equals(CONTROLLER_MANAGER) && pod.metadata().controller()
                .filter(Author::isDaemonSet).isPresent();
    }

    static boolean isDaemonSet(OwnerRef owner) {
        return owner.kind().equals("DaemonSet") && owner.group().equals("apps");
    }
}
