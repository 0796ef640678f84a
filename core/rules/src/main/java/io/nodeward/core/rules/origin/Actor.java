package io.nodeward.core.rules.origin;

import java.util.Locale;
import java.util.stream.Stream;

/** Who is behind a field manager, as far as its name tells. */
enum Actor {
    KUBELET(Source.BOOTSTRAP),
    NODE_LIFECYCLE(Source.NODE_LIFECYCLE),
    CLOUD_PROVIDER(Source.CLOUD_PROVIDER),
    AUTOSCALER(Source.AUTOSCALER),
    /** Propagates taints, and leaves those of others as they are. */
    PROPAGATOR(Source.CLUSTER_API),
    HUMAN(Source.HUMAN),
    OTHER(Source.CONTROLLER);

    /** The nodeward command; what its controllers write propagates. */
    private static final String COMMAND = "nodeward-taint";

    private final Source source;

    Actor(Source source) {
        this.source = source;
    }

    Source source() {
        return source;
    }

    static Actor of(String manager) {
        String name = manager.toLowerCase(Locale.ROOT);
        if (name.equals("kubelet")) {
            return KUBELET;
        }
        if (name.equals("kube-controller-manager")) {
            return NODE_LIFECYCLE;
        }
        if (name.contains("cloud-controller") || name.contains("cloud-node-manager")) {
            return CLOUD_PROVIDER;
        }
        if (name.contains("autoscaler") || name.startsWith("karpenter")) {
            return AUTOSCALER;
        }
        // "manager" is what Cluster API's manager is called, as are others that do not say who they are.
        if (isCommand(name)) {
            return HUMAN;
        }
        boolean propagates = Stream.of("nodeward-", "capi-", "cluster-api-").anyMatch(name::startsWith)
                || name.equals("manager");
        return propagates ? PROPAGATOR : OTHER;
    }

    private static boolean isCommand(String name) {
        return name.startsWith(COMMAND) || name.equals("nodeward-cli")
                || Stream.of("kubectl", "oc", "k9s", "lens", "freelens", "mozilla").anyMatch(
                        command -> name.equals(command) || name.startsWith(command + "-"));
    }
}
