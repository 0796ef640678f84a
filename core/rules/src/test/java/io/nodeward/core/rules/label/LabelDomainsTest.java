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
}
