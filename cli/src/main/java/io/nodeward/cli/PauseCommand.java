package io.nodeward.cli;

import io.nodeward.cli.live.ClusterOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nodeward pause}: stops all writes of the controller. */
@Command(name = "pause", sortOptions = false, description = {
        "Pauses all writes of the controller, in all clusters, until 'nodeward resume'. It goes on reading, and serves its"
                + " webhooks and metrics. Writes that are on their way are finished.",
        "It sets paused: \"true\" in the ConfigMap that the controller reads; without -n that is in the namespace"
                + " nodeward-system, whatever the context says.",
        "Exit codes: 0 paused, 1 wrong usage, or the cluster cannot be reached or refuses."
})
final class PauseCommand implements Callable<Integer> {
    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why, for others who read the"
            + " ConfigMap")
    String reason = "";

    @Mixin
    PauseSwitch configMap;

    PauseCommand(ClusterOptions cluster) {
        this.configMap = new PauseSwitch(cluster);
    }

    @Override
    public Integer call() {
        return configMap.pause(reason);
    }
}
