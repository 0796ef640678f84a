package io.nodeward.cli;

import io.nodeward.core.rules.toleration.Tolerance;
import picocli.CommandLine.Option;

/** How the scheduler of the cluster compares tolerations with taints. */
final class Tolerated {
    @Option(names = "--toleration-comparisons", description = "The cluster's gate TaintTolerationComparisonOperators is"
            + " on: Lt and Gt count")
    boolean comparisons;

    Tolerance tolerance() {
        return new Tolerance(comparisons);
    }
}
