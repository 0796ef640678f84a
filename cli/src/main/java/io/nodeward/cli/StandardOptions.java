package io.nodeward.cli;

import picocli.CommandLine.Option;

/** What every command is asked about itself. */
final class StandardOptions {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help message and exit.")
    boolean help;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Print version information and exit.")
    boolean version;
}
