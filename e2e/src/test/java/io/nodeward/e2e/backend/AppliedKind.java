package io.nodeward.e2e.backend;

import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Rules;
import io.nodeward.core.spi.Resource;
import java.util.List;

/** What is applied to at random, and what its creator has put there, so that no struct that a schema requires runs empty. */
enum AppliedKind {
    NODE("Node", "", "v1", "nodes", "{}"),
    MACHINE("Machine", "cluster.x-k8s.io", "v1beta2", "machines", Specs.MACHINE),
    MACHINE_DEPLOYMENT("MachineDeployment", "cluster.x-k8s.io", "v1beta2", "machinedeployments", """
            {"clusterName":"c","selector":{"matchLabels":{"s":"1"}},"template":%s}""".formatted(Specs.TEMPLATE)),
    MACHINE_POOL("MachinePool", "cluster.x-k8s.io", "v1beta2", "machinepools", """
            {"clusterName":"c","template":%s}""".formatted(Specs.TEMPLATE)),
    CLUSTER("Cluster", "cluster.x-k8s.io", "v1beta2", "clusters", """
            {"topology":{"classRef":{"name":"c"},"version":"v1.36.3",
             "controlPlane":{"metadata":{"labels":{"base":"1"}}},
             "workers":{"machineDeployments":[{"class":"w","name":"base"}]}}}""");

    final String kind;
    final Resource resource;
    final String spec;

    AppliedKind(String kind, String group, String version, String plural, String spec) {
        this.kind = kind;
        this.resource = new Resource(group, version, plural, !group.isEmpty());
        this.spec = spec;
    }

    /** FakeApiServer serves no MachineDeployments unless they are registered. */
    static Options served() {
        return Options.defaults().withKind(Kind.custom("cluster.x-k8s.io", List.of("v1beta2", "v1beta1"),
                "machinedeployments", "MachineDeployment")
                .withRules(Rules.conditions())
                .withPlaces("spec.selector!", "spec.template.metadata.labels<string>",
                        "spec.template.metadata.annotations<string>",
                        "spec.template.spec.readinessGates[conditionType]", "spec.template.spec.taints[key,effect]",
                        "status.conditions[type]", "status.versions[version]"));
    }

    private static final class Specs {
        private static final String MACHINE = """
                {"clusterName":"c","bootstrap":{"dataSecretName":"b"},
                 "infrastructureRef":{"apiGroup":"a.test","kind":"K","name":"n"}}""";
        private static final String TEMPLATE = """
                {"metadata":{"labels":{"base":"1"}},"spec":%s}""".formatted(MACHINE);
    }
}
