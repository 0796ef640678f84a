package io.nodeward.e2e;

import java.util.List;

/** What suites are about, and in which packages they are. Each feature has a suite in the quick tier. */
enum Feature {
    MACHINE("Nodes of Machines, alone and beside others who write", "machine", "handover"),
    MACHINE_POOL("Nodes of MachinePools", "machinepool"),
    TOPOLOGY("Clusters with a topology, and what the manager drops", "topology"),
    ANNOTATIONS("Taints declared by annotation", "annotations"),
    CLUSTERS("Workload clusters: connected, refused, away, many", "clusters"),
    ADMISSION("Admission: webhook and policies", "admission"),
    AUTOSCALER("The autoscaler's capacity annotations", "autoscaler"),
    DEDICATED("Nodes that belong to namespaces", "dedicated", "home"),
    GUARD("Who may change the taints of Nodes", "guard"),
    DEVICES("Devices that rules taint", "device"),
    EXAMPLES("A controller with a kind of its own", "examples"),
    SCHEDULER("What the real scheduler says", "scheduler"),
    SCHEMA("CRDs and their schema", "crd"),
    CLI("Commands: plan, explain, tree, taint", "cli", "kubectl"),
    INSTALL("The Helm chart", "install"),
    LAUNCHER("The launcher, packages and the image", "launcher", "image"),
    BACKEND("The contract of backends on the real server", "backend"),
    CONTROL_PLANE("The control plane that suites run on", "controlplane"),
    FAULTS("What the tests themselves notice, and how long they take", "faults", "report"),
    BENCH("The bench's own parts", "bench", "bench.load", "bench.report", "bench.scale", "bench.scenario");

    final String title;
    /** Below {@code io.nodeward.e2e}. */
    final List<String> packages;

    Feature(String title, String... packages) {
        this.title = title;
        this.packages = List.of(packages);
    }
}
