package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.core.rules.device.DriverTaint;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A device that a ResourceSlice publishes or a claim has.
 *
 * @param source where it is published; empty if it is not
 * @param taints of its driver
 * @param claims that have it
 */
record Device(
        DeviceName name, Optional<Source> source, List<DeviceTaint> taints, List<ResourceClaim> claims) {
    Device {
        taints = List.copyOf(taints);
        claims = List.copyOf(claims);
    }

    /**
     * The place where a device is published.
     *
     * @param slice the name of the ResourceSlice
     */
    record Source(String slice, Reach reach) {}

    /**
     * Which Nodes have it.
     *
     * @param node the only one; empty if there may be several
     * @param text for people
     */
    record Reach(String node, String text) {
        /** Reads what the slice says, or in its place each device. */
        static Reach of(JsonNode spec, JsonNode device) {
            JsonNode said = spec.path("perDeviceNodeSelection").asBoolean() ? device : spec;
            String node = said.path("nodeName").asText();
            return new Reach(node, !node.isEmpty() ? node
                    : said.path("allNodes").asBoolean() ? "all Nodes"
                    : said.path("nodeSelector").isObject() ? "Nodes by labels" : "");
        }
    }

    /** A taint that it has. */
    record Tainted(DeviceTaint taint, Optional<Rule> rule) {
        /** Returns {@code key[=value]:effect}. */
        String text() {
            return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":" + taint.effect();
        }

        /** Returns since when the device has it, if that is known. */
        Optional<Instant> since() {
            return taint.added().equals(Instant.EPOCH) ? rule.flatMap(Rule::since) : Optional.of(taint.added());
        }

        String from() {
            return rule.map(Rule::toString).orElse("driver");
        }

        /** Returns whose controller evicts pods for it; empty if nobody does. */
        Optional<String> evictedBy() {
            return Optional.of(isOfKubernetes() ? DriverTaint.KUBERNETES : "Nodeward")
                    .filter(any -> taint.effect().equals(DeviceVerdict.NO_EXECUTE));
        }

        /** Returns whether it shows what NoExecute would do, if its effect is None. */
        boolean hasPreview() {
            return rule.filter(Rule::hasPreview).isPresent();
        }

        /** Returns whether Kubernetes evicts pods because of it, and not Nodeward. */
        boolean isOfKubernetes() {
            return rule.isEmpty() || rule.get().isOfKubernetes();
        }
    }

    /** Returns the taints of its driver, and of the rules that select it. */
    List<Tainted> tainted(List<Answer> answers) {
        List<Tainted> all = new ArrayList<>();
        taints.forEach(taint -> all.add(new Tainted(taint, Optional.empty())));
        answers.stream().filter(Answer::isSelected).map(Answer::rule).forEach(
                rule -> all.add(new Tainted(rule.taint(), Optional.of(rule))));
        return all;
    }

    /** Returns the name of the Node that has it; empty if no single one does. */
    String node() {
        return source.map(found -> found.reach().node()).orElse("");
    }
}
