package io.nodeward.core.fakeapi;

import java.util.stream.Stream;

/** What {@link Kind#withPlaces} needs to be told of the kinds served, as their published schemas have it. */
final class Places {
    static final String[] NAMESPACE = {"spec{}", "spec.finalizers[]", "status{}", "status.conditions[type?]"};

    static final String[] BUDGET = {
            "spec{}", "spec.selector!", "status{}", "status.conditions[type]", "status.disruptedPods<>"
    };

    static final String[] NODE = {
            "spec{}", "spec.podCIDRs[=]", "spec.taints[]", "status{}", "status.addresses[type?]",
            "status.allocatable<>",
            "status.capacity<>", "status.conditions[type?]", "status.daemonEndpoints{}",
            "status.daemonEndpoints.kubeletEndpoint{}", "status.images[]", "status.nodeInfo{}",
            "status.volumesAttached[]",
            "status.volumesInUse[]"
    };

    static final String[] SECRET = {"data<string>", "stringData<string>"};

    static final String[] CONFIG_MAP = {"data<string>", "binaryData<string>"};

    static final String[] EVENT = {"involvedObject!", "related!", "source{}"};

    static final String[] SERVICE_ACCOUNT = {"secrets[name]", "imagePullSecrets[]"};

    /** Of Pods only what is outside their containers, which are told apart by name and are otherwise plain structs. */
    static final String[] POD = {
            "spec{}", "spec.nodeSelector<>", "spec.containers[name]", "spec.initContainers[name]",
            "spec.ephemeralContainers[name]", "spec.volumes[name]", "spec.imagePullSecrets[name?]",
            "spec.hostAliases[ip]", "spec.readinessGates[]", "spec.schedulingGates[name]", "spec.tolerations[]",
            "spec.topologySpreadConstraints[topologyKey,whenUnsatisfiable]", "spec.overhead<>", "status{}",
            "status.conditions[type]", "status.podIPs[ip]", "status.hostIPs[]", "status.containerStatuses[]"
    };

    static final String[] LEASE = {"spec{}"};

    static final String[] MACHINE = {
            "spec.readinessGates[conditionType]", "spec.taints[key,effect]", "status.addresses[]",
            "status.conditions[type]", "status.v1beta2.conditions[type]"
    };

    static final String[] MACHINE_POOL = {
            "spec.template.metadata.labels<string>", "spec.template.metadata.annotations<string>",
            "spec.template.spec.readinessGates[conditionType]", "spec.template.spec.taints[key,effect]",
            "status.conditions[type]", "status.v1beta2.conditions[type]"
    };

    static final String[] CLUSTER = Stream.of(
            Stream.of("spec.availabilityGates[conditionType]", "spec.topology.variables[name]",
                    "status.conditions[type]",
                    "status.v1beta2.conditions[type]", "spec.topology.workers.machineDeployments[name]",
                    "spec.topology.workers.machinePools[name]"),
            group("spec.topology.controlPlane"),
            group("spec.topology.workers.machineDeployments"),
            group("spec.topology.workers.machinePools"))
            .flatMap(places -> places)
            .toArray(String[]::new);

    private Places() {}

    private static Stream<String> group(String at) {
        return Stream.of("metadata.labels<string>", "metadata.annotations<string>", "readinessGates[conditionType]",
                "taints[key,effect]", "variables.overrides[name]").map(place -> at + "." + place);
    }
}
