package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.node.TaintId;
import io.nodeward.cli.fleet.Document;
import io.nodeward.core.rules.origin.Bootstrap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads from a KubeadmConfig what a kubelet was to register its Node with. */
final class Kubelet {
    private static final String ARGUMENT = "register-with-taints";

    private Kubelet() {}

    static Bootstrap of(Optional<Document> config, boolean controlPlane) {
        if (config.isEmpty()) {
            return Bootstrap.unknown(controlPlane);
        }
        Set<TaintId> registered = new HashSet<>();
        Set<TaintId> arguments = new HashSet<>();
        boolean said = false;
        for (String how : List.of("initConfiguration", "joinConfiguration")) {
            JsonNode registration = config.get().json().path("spec").path(how).path("nodeRegistration");
            said |= registration.path("taints").isArray();
            registration.path("taints").forEach(taint -> registered.add(
                    new TaintId(taint.path("key").asText(), taint.path("effect").asText())));
            arguments(registration.path("kubeletExtraArgs"), arguments);
        }
        return new Bootstrap(config.get().id().toString(), said ? Optional.of(registered) : Optional.empty(),
                arguments, controlPlane);
    }

    /** A map in v1beta1; in v1beta2 a list of names and values. */
    private static void arguments(JsonNode given, Set<TaintId> ids) {
        parse(given.path(ARGUMENT).asText(), ids);
        given.forEach(argument -> {
            if (argument.path("name").asText().equals(ARGUMENT)) {
                parse(argument.path("value").asText(), ids);
            }
        });
    }

    /** As {@code key=value:effect,key:effect}. */
    private static void parse(String text, Set<TaintId> ids) {
        for (String taint : text.split(",")) {
            int colon = taint.lastIndexOf(':');
            if (colon > 0) {
                ids.add(new TaintId(taint.substring(0, colon).split("=")[0], taint.substring(colon + 1)));
            }
        }
    }
}
