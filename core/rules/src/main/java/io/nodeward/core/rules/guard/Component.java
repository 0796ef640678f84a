package io.nodeward.core.rules.guard;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A component that changes Nodes in many clusters, by the identities that it usually has there. */
enum Component {
    /** NodeRestriction lets a kubelet set taints of its own Node when it registers it, and never after that. */
    KUBELETS("Kubelets", "request.operation == \"CREATE\" && request.userInfo.username == \"system:node:\""
            + " + object.metadata.name && " + GuardPolicy.GROUPS + ".exists(g, g == \"system:nodes\")"),
    /** The first user is that of a kube-controller-manager without {@code --use-service-account-credentials}. */
    NODE_LIFECYCLE("NodeLifecycle", "", "system:kube-controller-manager", system("node-controller")),
    CLOUD_CONTROLLERS("CloudControllers", "", "system:cloud-controller-manager", system("cloud-controller-manager"),
            system("cloud-node-controller"), system("cloud-node-lifecycle-controller"), system("cloud-node-manager")),
    CLUSTER_AUTOSCALER("ClusterAutoscaler", "", system("cluster-autoscaler")),
    /** It uses the kubeconfig Secret of the Cluster, whose user the group tells from an administrator of kubeadm. */
    CLUSTER_API("ClusterAPI", userOf("kubernetes-admin", "system:masters"),
            "system:serviceaccount:capi-system:capi-manager"),
    KARPENTER("Karpenter", "", system("karpenter"), "system:serviceaccount:karpenter:karpenter"),
    /** They remove the taint that keeps pods off a Node without a network, and with the scope Spec set its ranges of addresses. */
    NETWORK_PLUGINS("NetworkPlugins", "", system("calico-node"), system("cilium"), system("cilium-operator"),
            "system:serviceaccount:calico-system:calico-node", "system:serviceaccount:cilium:cilium",
            "system:serviceaccount:cilium:cilium-operator", "system:serviceaccount:kube-flannel:flannel"),
    /** It taints Nodes of the control plane, when it creates them, as the administrator that it makes. */
    KUBEADM("Kubeadm", userOf("kubernetes-admin", "kubeadm:cluster-admins") + " || "
            + userOf("kubernetes-super-admin", "system:masters"));

    final String text;
    /** CEL that is true of requests by this component; empty if its users say all. */
    final String condition;
    final List<String> users;

    Component(String text, String condition, String... users) {
        this.text = text;
        this.condition = condition;
        this.users = List.of(users);
    }

    private static String system(String serviceAccount) {
        return "system:serviceaccount:kube-system:" + serviceAccount;
    }

    private static String userOf(String user, String group) {
        return "request.userInfo.username == \"" + user + "\" && " + GuardPolicy.GROUPS + ".exists(g, g == \"" + group
                + "\")";
    }

    static Optional<Component> of(String text) {
        return Arrays.stream(values()).filter(component -> component.text.equals(text)).findFirst();
    }

    static List<String> texts() {
        return Arrays.stream(values()).map(component -> component.text).toList();
    }
}
