package io.nodeward.core.rules.command;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Commands and Nodes for tests. */
final class Commands {
    private Commands() {}

    /** @param line blanks between the arguments */
    static TaintCommand command(String line) {
        return command(line.isBlank() ? new String[0] : line.strip().split(" +"));
    }

    static TaintCommand command(String... args) {
        return TaintCommand.of(TaintArguments.parse(Arrays.asList(args)), ResourceTypes.builtIn());
    }

    static Node node(String name, Taint... taints) {
        return node(name, Map.of(), taints);
    }

    static Node node(String name, Map<String, String> labels, Taint... taints) {
        Metadata metadata = new Metadata(new ObjectKey("", name), "uid", "1", labels, Map.of(), List.of(), false);
        return new Node(metadata, "", List.of(taints));
    }

    /** {@code key[=value]:effect}. */
    static Taint taint(String text) {
        int colon = text.indexOf(':');
        int equals = text.indexOf('=');
        return Taint.of(text.substring(0, equals < 0 ? colon : equals),
                equals < 0 ? "" : text.substring(equals + 1, colon), text.substring(colon + 1));
    }

    static String texts(List<Taint> taints) {
        return String.join(" ", taints.stream()
                .map(t -> t.key() + (t.value().isEmpty() ? "" : "=" + t.value()) + ":" + t.effect())
                .toList());
    }
}
