package io.nodeward.e2e.controlplane;

import java.util.function.Supplier;

/** A program that suites start. */
public enum Component {
    ETCD(GoModule.ETCD, "etcd", "."),
    KUBE_APISERVER(() -> KubernetesRelease.used().module(), "kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver"),
    KUBE_SCHEDULER(() -> KubernetesRelease.used().module(), "kube-scheduler", "k8s.io/kubernetes/cmd/kube-scheduler"),
    KUBE_CONTROLLER_MANAGER(() -> KubernetesRelease.used().module(), "kube-controller-manager",
            "k8s.io/kubernetes/cmd/kube-controller-manager"),
    KUBECTL(() -> KubernetesRelease.used().module(), "kubectl", "k8s.io/kubernetes/cmd/kubectl"),
    KUBEMARK(() -> KubernetesRelease.used().module(), "kubemark", "k8s.io/kubernetes/cmd/kubemark"),
    CLUSTER_API(GoModule.CLUSTER_API, "cluster-api", "sigs.k8s.io/cluster-api/core"),
    KUBEADM_CONTROL_PLANE(
            GoModule.CLUSTER_API, "kubeadm-control-plane", "sigs.k8s.io/cluster-api/controlplane/kubeadm"),
    CLUSTER_API_1_13(GoModule.CLUSTER_API_1_13, "cluster-api-1.13", "sigs.k8s.io/cluster-api"),
    KUBEADM_CONTROL_PLANE_1_13(
            GoModule.CLUSTER_API_1_13, "kubeadm-control-plane-1.13", "sigs.k8s.io/cluster-api/controlplane/kubeadm"),
    CLUSTER_API_1_12(GoModule.CLUSTER_API_1_12, "cluster-api-1.12", "sigs.k8s.io/cluster-api"),
    KUBEADM_CONTROL_PLANE_1_12(
            GoModule.CLUSTER_API_1_12, "kubeadm-control-plane-1.12", "sigs.k8s.io/cluster-api/controlplane/kubeadm"),
    HELM(GoModule.HELM, "helm", "helm.sh/helm/v4/cmd/helm"),
    HELM_3(GoModule.HELM_3, "helm-3", "helm.sh/helm/v3/cmd/helm"),
    CRANE(GoModule.CRANE, "crane", "github.com/google/go-containerregistry/cmd/crane"),
    PROMTOOL(GoModule.PROMETHEUS, "promtool", "github.com/prometheus/prometheus/cmd/promtool");

    private final Supplier<GoModule> module;
    private final String program;
    private final String goPackage;

    Component(GoModule module, String program, String goPackage) {
        this(() -> module, program, goPackage);
    }

    Component(Supplier<GoModule> module, String program, String goPackage) {
        this.module = module;
        this.program = program;
        this.goPackage = goPackage;
    }

    /** Returns the module that the program is built from. Kubernetes' programs come from the release in use. */
    GoModule module() {
        return module.get();
    }

    /** Returns its name in a KUBEBUILDER_ASSETS directory. */
    String program() {
        return program;
    }

    String goPackage() {
        return goPackage;
    }

    /** Returns its name in the cache, {@code etcd-v3.7.3}. */
    public String cacheName() {
        return program + "-" + module().version();
    }
}
