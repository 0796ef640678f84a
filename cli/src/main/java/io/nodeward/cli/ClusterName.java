package io.nodeward.cli;

import picocli.CommandLine.Option;

/** The Cluster that a command is about. */
final class ClusterName {
    @Option(names = "--cluster", paramLabel = "[NAMESPACE/]NAME", defaultValue = "", description = "The Cluster whose"
            + " Nodes or devices are meant (default: of Nodes the only one there is, else the one that has the named"
            + " Node; of devices the context's own cluster)")
    String given = "";

    /** Empty if none is named. */
    String named() {
        if (!given.matches("|([^/]+/)?[^/]+")) {
            throw new IllegalArgumentException("--cluster is [NAMESPACE/]NAME, not '" + given + "'");
        }
        return given;
    }
}
