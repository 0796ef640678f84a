package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.core.rules.command.DryRun;
import io.nodeward.core.spi.DeleteOptions;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.PatchOptions;
import io.nodeward.core.spi.PatchOptions.FieldValidation;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Creates, changes and deletes rules one by one. What was done is in kubectl's words. */
final class RuleWriting {
    private static final Resource RULES = Resource.of(DeviceTaintRule.DEFINITION);
    private static final String TYPE = "devicetaintrule." + RULES.group();
    private static final String MANAGER = "nodeward-device-taint";

    private static final String UNTAINT_AFTER = "untaintAfter";
    private static final List<String> EVICTION = List.of("eviction", "deadlineSeconds");

    private final DryRun dryRun;
    private final Optional<LiveCluster> cluster;

    /** @param cluster empty for files, to which nothing is written */
    RuleWriting(DryRun dryRun, Optional<LiveCluster> cluster) {
        if (dryRun != DryRun.CLIENT && cluster.isEmpty()) {
            throw new IllegalArgumentException("nothing is written to files: --dry-run=client prints the rule");
        }
        this.dryRun = dryRun;
        this.cluster = cluster;
    }

    /**
     * A rule as it was written.
     *
     * @param line for people
     * @param object as it is then; empty if it is gone
     */
    record Written(String name, String line, Optional<ObjectNode> object) {
        private static Written of(String name, String done, ObjectNode object) {
            return new Written(name, TYPE + "/" + name + " " + done, Optional.of(object));
        }

        String resource() {
            return TYPE + "/" + name;
        }
    }

    /** Returns the names of the rules that have the taint. */
    List<String> having(TaintWord taint) {
        return cluster.orElseThrow().list(RULES, "", "").stream()
                .filter(rule -> taint.matches(Rule.declared(rule).taint()))
                .map(rule -> rule.at("/metadata/name").asText()).toList();
    }

    /** @param overwrite whether the rule may be there already, if it selects the same */
    Written write(String name, ObjectNode rule, boolean overwrite) {
        if (dryRun == DryRun.CLIENT) {
            return Written.of(name, "created (dry run)", rule);
        }
        LiveCluster server = cluster.orElseThrow();
        ObjectKey key = ObjectKey.clusterScoped(name);
        Optional<ObjectNode> before = server.find(RULES, key);
        if (before.isPresent()) {
            if (!overwrite) {
                throw LiveFailure.unusable(
                        "Error from server (AlreadyExists): " + DeviceTaintRule.DEFINITION.plural() + "."
                                + RULES.group() + " \"" + name + "\" already exists",
                        "--overwrite changes its taint, and --name makes another rule.");
            }
            return changed(server, before.get(), rule);
        }
        return Written.of(name, "created" + suffix(), server.create(RULES, rule, MANAGER, options()));
    }

    /** A server whose CRD lacks a field would store the rule without it: one that respects no budgets, for example. */
    private PatchOptions options() {
        PatchOptions strict = PatchOptions.NONE.withFieldValidation(FieldValidation.STRICT);
        return dryRun == DryRun.SERVER ? strict.withDryRun() : strict;
    }

    /**
     * Changes the taint, the time of its end and, if the user gives them, how it evicts and when devices lose the taint;
     * nothing else, and in the version that was seen.
     */
    private Written changed(LiveCluster server, ObjectNode before, ObjectNode rule) {
        String name = before.at("/metadata/name").asText();
        if (!before.at("/spec/deviceSelector").equals(rule.at("/spec/deviceSelector"))) {
            throw LiveFailure.unusable("error: DeviceTaintRule " + name + " selects other devices",
                    "--name makes another rule.");
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.set("resourceVersion", before.at("/metadata/resourceVersion"));
        boolean stays = !rule.path("metadata").has("annotations");
        boolean noLonger = stays && before.at("/metadata/annotations").has(DeviceTaintRule.EXPIRES);
        if (noLonger) {
            metadata.putObject("annotations").putNull(DeviceTaintRule.EXPIRES);
        } else if (!stays) {
            metadata.set("annotations", rule.at("/metadata/annotations"));
        }
        ObjectNode spec = patch.putObject("spec");
        spec.putObject("taint").putNull("value").setAll((ObjectNode) rule.at("/spec/taint"));
        if (rule.path("spec").has("eviction")) {
            EVICTION.forEach(field -> spec.set(field, rule.path("spec").get(field)));
        }
        rule.path("spec").optional(UNTAINT_AFTER).ifPresent(delay -> spec.set(UNTAINT_AFTER, delay));
        ObjectNode after = server.patch(RULES, ObjectKey.clusterScoped(name), Patch.merge(bytes(patch), MANAGER),
                options());
        boolean same = after.path("spec").equals(before.path("spec"))
                && after.at("/metadata/annotations").equals(before.at("/metadata/annotations"));
        return Written.of(name,
                (same ? "unchanged" : "configured") + (noLonger ? ", no longer expires" : "") + suffix(),
                after);
    }

    /**
     * Deletes a rule.
     *
     * @param having the taint that it must still have; empty for any
     * @throws LiveFailure if there is no such rule
     */
    Written delete(String name, Optional<TaintWord> having) {
        LiveCluster server = cluster.orElseThrow();
        ObjectKey key = ObjectKey.clusterScoped(name);
        DeleteOptions options = having.isPresent() || dryRun != DryRun.NONE
                ? seen(server.get(RULES, key), having)
                : DeleteOptions.NONE;
        if (dryRun == DryRun.NONE) {
            server.delete(RULES, key, options);
        }
        return new Written(name, TYPE + " \"" + name + "\" deleted" + suffix(),
                Optional.empty());
    }

    private static DeleteOptions seen(ObjectNode rule, Optional<TaintWord> having) {
        if (having.isEmpty()) {
            return DeleteOptions.NONE;
        }
        if (!having.get().matches(Rule.declared(rule).taint())) {
            throw LiveFailure.unusable("error: DeviceTaintRule " + rule.at("/metadata/name").asText()
                    + " no longer has the taint \"" + having.get() + "\"", "");
        }
        return new DeleteOptions(rule.at("/metadata/uid").asText(), rule.at("/metadata/resourceVersion").asText(), "");
    }

    private String suffix() {
        return switch (dryRun) {
            case NONE -> "";
            case CLIENT -> " (dry run)";
            case SERVER -> " (server dry run)";
        };
    }

    private static byte[] bytes(JsonNode tree) {
        return tree.toString().getBytes(StandardCharsets.UTF_8);
    }
}
