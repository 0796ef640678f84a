package io.nodeward.cli;

import io.nodeward.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Gives each command once, so that a JVM can record an AOT cache from what they load. Needs no cluster. */
final class RehearsalMain {
    private static final String FLEET = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata: {namespace: fleet, name: c}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata: {namespace: fleet, name: m, labels: {cluster.x-k8s.io/cluster-name: c}}
            spec:
              clusterName: c
              providerID: rehearsal://n
              taints: [{key: gpu, value: a100, effect: NoExecute, propagation: Always}]
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: n}
            spec: {providerID: "rehearsal://n", taints: [{key: old, effect: NoSchedule}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: p}
            spec: {nodeName: n, containers: [{name: c, image: c}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: s}
            spec: {driver: d.example.com, nodeName: n, pool: {name: n, generation: 1}, devices: [{name: d}]}
            ---
            apiVersion: nodeward.io/v1alpha1
            kind: DeviceTaintRule
            metadata: {name: r}
            spec:
              deviceSelector: {selectors: [{cel: {expression: device.driver == "d.example.com"}}]}
              taint: {key: example.com/old, effect: None}
            """;
    private static final String CASE = """
            {"id":"1","kind":"match","taint":{"key":"gpu","effect":"NoSchedule"},"toleration":{"operator":"Exists"}}
            """;
    /** Nobody listens there. */
    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:9"}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            users: [{name: u, user: {}}]
            current-context: c
            """;

    private RehearsalMain() {}

    public static void main(String[] args) throws IOException {
        Path kubeconfig = Files.writeString(Files.createTempFile("nodeward-rehearsal-", ".yaml"), KUBECONFIG);
        try {
            for (String command : List.of("--help", "plan -f -", "plan -f - -o json", "validate -f -",
                    "explain node/n -f -", "explain pod/p -n shop -f -", "tree cluster/c -n fleet -f -",
                    "device list -f -",
                    "explain device n/d -f -")) {
                run(FLEET, command.split(" "));
            }
            run(CASE, "eval", "tolerate");
            run("", "taint", "nodes", "n", "a=b:NoSchedule", "--kubeconfig", kubeconfig.toString());
        } finally {
            Files.delete(kubeconfig);
        }
    }

    private static void run(String input, String... command) {
        InputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        int exit = new Invocation(in, System.out, System.out, Map.of(), Terminal.NONE).run(command);
        System.out.println("exit " + exit + " of " + String.join(" ", command));
    }
}
