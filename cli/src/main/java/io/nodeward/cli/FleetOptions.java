package io.nodeward.cli;

import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.WorkloadOptions;
import io.nodeward.cli.snapshot.Manifests;
import io.nodeward.cli.snapshot.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The fleet that a command is about: the live one, or files in its place. */
class FleetOptions {
    @Option(names = {"-f",
            "--filename"}, paramLabel = "FILE", description = "YAML or JSON of all objects, as 'kubectl get"
                    + " -o yaml --show-managed-fields' writes them; a directory, or - for standard input. No cluster is asked")
    List<String> files = new ArrayList<>();

    @Mixin
    WorkloadOptions workload = new WorkloadOptions();

    @Mixin
    ClusterOptions cluster;

    private final InputStream in;

    /** @param in read where a file is named {@code -} */
    FleetOptions(ClusterOptions cluster, InputStream in) {
        this.cluster = cluster;
        this.in = in;
    }

    boolean isGiven() {
        return !files.isEmpty();
    }

    /** @param named {@code [NAMESPACE/]NAME} of the Cluster that is meant; empty for the only one */
    Snapshot read(String named) throws IOException {
        Manifests.Reading reading = new Manifests.Reading(namespace(), false, in);
        return new Snapshot(Manifests.read(files, reading), named);
    }

    /** Where no context says one. */
    String namespace() {
        return cluster.namedNamespace().isEmpty() ? "default" : cluster.namedNamespace();
    }
}
