package io.nodeward.controller.guard;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Flags of the guard controller. */
public final class GuardConfig {
    @Option(names = "--guard-exempt-users", paramLabel = "USER", split = ",", description = "Users that each"
            + " NodeTaintGuard exempts besides the user of this process, such as the ServiceAccount of another Nodeward"
            + " that changes Nodes of this cluster: system:serviceaccount:NAMESPACE:NAME")
    List<String> exemptUsers = new ArrayList<>();
}
