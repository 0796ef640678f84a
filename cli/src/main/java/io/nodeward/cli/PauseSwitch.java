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
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The ConfigMap that pauses a controller: a mixin that says which, and writes it. */
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

    PauseSwitch(ClusterOptions cluster) {
        this.cluster = cluster;
    }

    /** Returns what was done. */
    String pause(String reason) {
        try (LiveCluster connected = cluster.connect()) {
            write(connected, true, Optional.of(reason).filter(text -> !text.isEmpty()));
            return said("paused");
        }
    }

    /** As {@link #pause}: without the object nothing is paused, and nothing is to be done. */
    String resume() {
        try (LiveCluster connected = cluster.connect()) {
            if (connected.find(CONFIG_MAPS, key()).isEmpty()) {
                return said("is not there: nothing is paused");
            }
            write(connected, false, Optional.empty());
            return said("resumed");
        }
    }

    private void write(LiveCluster connected, boolean paused, Optional<String> reason) {
        ObjectNode object = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
        object.putObject("metadata").put("namespace", key().namespace()).put("name", key().name());
        ObjectNode data = object.putObject("data").put("paused", Boolean.toString(paused));
        reason.ifPresent(text -> data.put("reason", text));
        connected.patch(CONFIG_MAPS, key(),
                Patch.apply(object.toString().getBytes(StandardCharsets.UTF_8), FIELD_MANAGER, true), false);
    }

    private ObjectKey key() {
        String named = cluster.namedNamespace();
        return new ObjectKey(named.isEmpty() ? NAMESPACE : named, name);
    }

    private String said(String what) {
        return "configmap/" + key().name() + " " + what + " (namespace " + key().namespace() + ")";
    }
}
