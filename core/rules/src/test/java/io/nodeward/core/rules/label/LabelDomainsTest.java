package io.nodeward.core.rules.label;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelDomainsTest {
    @ParameterizedTest
    @CsvSource({
            "node-role.kubernetes.io/worker, true, false",
            "node-role.kubernetes.io, true, false",
            "node-role.kubernetes.iox/worker, false, false",
            "xnode-role.kubernetes.io/worker, false, false",
            "sub.node-role.kubernetes.io/worker, false, false",
            "mode-role.kubernetes.io/worker, false, false",
            "node-restriction.kubernetes.io/a, true, false",
            "node-restriction.kubernetes.io, true, false",
            "sub.node-restriction.kubernetes.io/a, true, false",
            ".node-restriction.kubernetes.io/a, true, false",
            "xnode-restriction.kubernetes.io/a, false, false",
            "restriction.kubernetes.io/a, false, false",
            "node.cluster.x-k8s.io/a, true, true",
            "node.cluster.x-k8s.io, true, true",
            "a.b.node.cluster.x-k8s.io/c, true, true",
            "a.node.cluster.x-k8s.io, true, true",
            "a-node.cluster.x-k8s.io/c, false, false",
            "node.cluster.x-k8s.io.evil.com/a, false, false",
            "example.com/node.cluster.x-k8s.io, false, false",
            "cluster.x-k8s.io/a, false, false",
            "kubernetes.io/hostname, false, false",
            "a, false, false"
    })
    void the_domain_decides_what_is_carried(String key, boolean label, boolean annotation) {
        assertThat(LabelDomains.isManaged(key)).isEqualTo(label);
        assertThat(LabelDomains.isManaged(key, List.of())).isEqualTo(label);
        assertThat(LabelDomains.isManagedAnnotation(key, List.of())).isEqualTo(annotation);
    }

    @ParameterizedTest
    @CsvSource({
            "pool, true",
            "example.com/pool, true",
            "node.cluster.x-k8s.io/pool, true",
            "kubernetes.io/hostname, true",
            "topology.kubernetes.io/zone, true",
            "node.kubernetes.io/any, true",
            "a.node.kubernetes.io/any, true",
            "kubelet.kubernetes.io/any, true",
            "kubernetes.io/any, false",
            "a.k8s.io/any, false",
            "k8s.io/any, false",
            "xk8s.io/any, true",
            "kubernetes.io, true",
            "node-role.kubernetes.io/infra, false",
            "node-restriction.kubernetes.io/any, false",
            "example.com.node-restriction.kubernetes.io/any, false"
    })
    void most_labels_in_the_domains_of_kubernetes_are_closed_to_kubelets(String key, boolean open) {
        assertThat(LabelDomains.isOpenToKubelets(key)).isEqualTo(open);
    }

    @ParameterizedTest
    @CsvSource({
            "a, node-restriction.kubernetes.io/a",
            "example.com/a, example.com.node-restriction.kubernetes.io/a",
            "node-restriction.kubernetes.io/a, node-restriction.kubernetes.io.node-restriction.kubernetes.io/a"
    })
    void each_key_has_a_label_of_its_own_that_no_kubelet_may_set(String key, String label) {
        assertThat(LabelDomains.restricted(key)).isEqualTo(label);
        assertThat(LabelDomains.isOpenToKubelets(label)).isFalse();
    }
}
