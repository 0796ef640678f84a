package io.nodeward.cli;

import io.nodeward.cli.live.ClusterOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code nodeward resume}: ends what {@link PauseCommand} began. */
@Command(name = "resume", sortOptions = false, description = {
        "Ends the pause that 'nodeward pause' began: the controller makes up for what it held back.",
        "It sets paused: \"false\" in the ConfigMap that the controller reads; without -n that is in the namespace"
                + " nodeward-system, whatever the context says.",
        "Exit codes: 0 nothing is paused, 1 wrong usage, or the cluster cannot be reached or refuses."
})
final class ResumeCommand implements Callable<Integer> {
    @Mixin
    PauseSwitch configMap;

    ResumeCommand(ClusterOptions cluster) {
        this.configMap = new PauseSwitch(cluster);
    }

    @Override
    public Integer call() {
        return configMap.resume();
    }
}
