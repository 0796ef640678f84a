package io.nodeward.cli;

import picocli.CommandLine.Command;

/** {@code nodeward} alone: one of its commands has to be named. */
@Command(name = "nodeward", mixinStandardHelpOptions = true, versionProvider = Version.class, description = "Taints of Cluster API's fleets.")
final class NodewardCommand {}
