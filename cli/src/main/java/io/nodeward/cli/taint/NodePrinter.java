package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.terminal.Harmless;
import io.nodeward.cli.taint.NodeEditor.Edited;
import io.nodeward.core.rules.command.TaintOutput;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Set;

/**
 * Prints each Node as soon as it is done: a line, or the whole object.
 *
 * @param managedFields whether objects keep theirs
 */
record NodePrinter(PrintWriter out, TaintOutput output, boolean managedFields, LiveCluster cluster) {
    private static final Set<String> FORMATS = Set.of("", "name", "json", "yaml");

    /** @throws IllegalArgumentException if it is a format that kubectl alone has */
    static void requireOwn(TaintOutput output) {
        String format = output.format().toLowerCase(Locale.ROOT);
        if (output.isKnown() && (!FORMATS.contains(format) || !output.template().isEmpty())) {
            throw new IllegalArgumentException(
                    "of kubectl's output formats, json, yaml and name are supported: -o json | jq does what "
                            + (format.isEmpty() ? "--template" : format.replaceFirst("=.*", "")) + " does");
        }
    }

    void print(Edited edited) {
        String name = edited.before().key().name();
        output.line(name, edited.edit().operation())
                .ifPresentOrElse(line -> out.println(Harmless.line(line)), () -> object(edited));
        out.flush();
    }

    private void object(Edited edited) {
        boolean json = output.format().equalsIgnoreCase("json");
        ObjectNode node = edited.reply().orElseGet(() -> Trees.with(
                cluster.get(LiveCluster.NODES, edited.before().key()), edited.edit().taints()));
        if (!managedFields) {
            node.withObject("/metadata").remove("managedFields");
        }
        // What a server has answered keeps its order.
        JsonNode ordered = edited.reply().isPresent() ? node : GoFormats.sorted(node);
        out.print(json ? GoFormats.json(ordered) : GoFormats.yaml(ordered));
    }
}
