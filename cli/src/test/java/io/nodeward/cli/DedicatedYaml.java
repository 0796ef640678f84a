package io.nodeward.cli;

/** Groups of dedicated Nodes, and a Node of one, as they are written in files. */
final class DedicatedYaml {
    /** Node foo with the taint and the label of group banana, and what proves them to be managed. */
    static final String MANAGED_NODE = """
            ---
            apiVersion: v1
            kind: Node
            metadata:
              name: foo
              labels:
                node-restriction.kubernetes.io/dedicated: banana
                nodeward.node-restriction.kubernetes.io/dedicated-nodes-digest: \
            d60126d547a891c1181da74062371927cba5463f
              annotations:
                nodeward.io/taints-from-dedicated-nodes: dedicated:NoSchedule
                nodeward.io/labels-from-dedicated-nodes: node-restriction.kubernetes.io/dedicated
            spec: {taints: [{key: dedicated, value: banana, effect: NoSchedule}]}
            """;

    private DedicatedYaml() {}

    /** With {@code Enforce}, and the taint {@code dedicated=NAME:NoSchedule}. */
    static String spec(String name, String nodes, String who) {
        return "{nodes: {%s}, who: {%s}, taint: {key: dedicated, value: %s, effects: [NoSchedule]}, enforcement: Enforce}"
                .formatted(nodes, who, name);
    }

    /** Of Nodes by their names, for the namespace of the group's name. */
    static String named(String name, String nodes) {
        return spec(name, "names: [" + nodes + "]", "namespaces: [" + name + "]");
    }

    /** One that is not in force yet. */
    static String group(String name, String spec) {
        return group(name, spec, "{}");
    }

    /** One whose status has this spec in force. */
    static String group(String name, String spec, String applied) {
        return """
                ---
                apiVersion: nodeward.io/v1alpha1
                kind: DedicatedNodes
                metadata: {name: %s, generation: 2}
                spec: %s
                status: %s
                """.formatted(name, spec, applied.equals("{}") ? applied : "{applied: " + applied + "}");
    }
}
