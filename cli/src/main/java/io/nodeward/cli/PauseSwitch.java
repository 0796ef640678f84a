package io.nodeward.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The ConfigMap that pauses a controller: a mixin that has its name, writes it and prints what was done. */
final class PauseSwitch {
    private static final ObjectMapper JSON = new JsonMapper();
    private static final Resource CONFIG_MAPS = new Resource("", "v1", "configmaps", true);
    private static final String NAMESPACE = "nodeward-system";
    private static final String FIELD_MANAGER = "nodeward-cli";

    @Option(names = "--configmap", paramLabel = "NAME", defaultValue = "nodeward-pause", description = "As in"
            + " --pause-configmap of the controller (default: ${DEFAULT-VALUE})")
    String name = "nodeward-pause";

    @Mixin
    ClusterOptions cluster;

    /** The command that has these options. */
    @Spec(Spec.Target.MIXEE)
    @Nullable
    CommandSpec spec;

    PauseSwitch(ClusterOptions cluster) {
        this.cluster = cluster;
    }

    /** Pauses the controller. An empty reason is none. Returns the exit code. */
    int pause(String reason) {
        try (LiveCluster connected = cluster.connect()) {
            write(connected, true, reason);
            return done("paused");
        }
    }

    /** Ends the pause. Without the object nothing is paused. Returns the exit code. */
    int resume() {
        try (LiveCluster connected = cluster.connect()) {
            if (connected.find(CONFIG_MAPS, key()).isEmpty()) {
                return done("is not there: nothing is paused");
            }
            write(connected, false, "");
            return done("resumed");
        }
    }

    private void write(LiveCluster connected, boolean paused, String reason) {
        ObjectNode object = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
        object.putObject("metadata").put("namespace", key().namespace()).put("name", key().name());
        ObjectNode data = object.putObject("data").put("paused", Boolean.toString(paused));
        if (!reason.isEmpty()) {
            data.put("reason", reason);
        }
        connected.patch(CONFIG_MAPS, key(),
                Patch.apply(object.toString().getBytes(StandardCharsets.UTF_8), FIELD_MANAGER, true), false);
    }

    private ObjectKey key() {
        String named = cluster.namedNamespace();
        return new ObjectKey(named.isEmpty() ? NAMESPACE : named, name);
    }

    private int done(String what) {
        if (spec != null) {
            spec.commandLine().getOut().println(
                    "configmap/" + key().name() + " " + what + " (namespace " + key().namespace() + ")");
        }
        return 0;
    }
}
