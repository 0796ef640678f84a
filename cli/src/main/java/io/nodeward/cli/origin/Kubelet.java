package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.node.TaintId;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.rules.origin.Bootstrap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads from a KubeadmConfig what a kubelet was to register its Node with. */
final class Kubelet {
    private static final String ARGUMENT = "register-with-taints";
    private static final String JOINS = "joinConfiguration";

    private Kubelet() {}

    static Bootstrap of(Optional<Manifest> config, boolean controlPlane) {
        if (config.isEmpty()) {
            return Bootstrap.unknown(controlPlane);
        }
        Map<TaintId, String> registered = new HashMap<>();
        Map<TaintId, String> arguments = new HashMap<>();
        boolean given = false;
        for (String how : controlPlane ? List.of("initConfiguration", JOINS) : List.of(JOINS)) {
            JsonNode registration = config.get().json().path("spec").path(how).path("nodeRegistration");
            given |= registration.path("taints").isArray();
            registration.path("taints").forEach(taint -> registered.put(
                    new TaintId(taint.path("key").asText(), taint.path("effect").asText()),
                    taint.path("value").asText()));
            arguments(registration.path("kubeletExtraArgs"), arguments);
        }
        return new Bootstrap(config.get().id().toString(), given ? Optional.of(registered) : Optional.empty(),
                arguments, controlPlane);
    }

    /** A map in v1beta1; in v1beta2 a list of names and values. */
    private static void arguments(JsonNode given, Map<TaintId, String> taints) {
        parse(given.path(ARGUMENT).asText(), taints);
        given.forEach(argument -> {
            if (argument.path("name").asText().equals(ARGUMENT)) {
                parse(argument.path("value").asText(), taints);
            }
        });
    }

    /** As {@code key=value:effect,key:effect}. */
    private static void parse(String text, Map<TaintId, String> taints) {
        for (String taint : text.split(",")) {
            int colon = taint.lastIndexOf(':');
            if (colon > 0) {
                String[] parts = taint.substring(0, colon).split("=", 2);
                taints.put(new TaintId(parts[0], taint.substring(colon + 1)), parts.length > 1 ? parts[1] : "");
            }
        }
    }
}
