package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.explain.Tree.Branch;
import io.nodeward.cli.explain.Tree.Leaf;
import io.nodeward.cli.explain.Tree.Line;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.text.Names;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A Cluster's declarations for programs; docs/guide/cli.md describes the fields. */
public final class TreeJson {
    private TreeJson() {}

    public static ObjectNode of(Tree tree) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        named(json, tree.cluster()).put("clusterClass", tree.clusterClass()).put("paused", tree.paused());
        branches(json, tree.branches());
        tree.warnings().forEach(json.putArray("warnings")::add);
        return json;
    }

    /** As kubectl takes them: {@code machineset.cluster.x-k8s.io/name}, and {@code node/name}. */
    public static String names(Tree tree) {
        return Names.of(
                Stream.concat(Stream.of(name(tree.cluster())), tree.branches().stream().flatMap(TreeJson::names)));
    }

    private static Stream<String> names(Branch branch) {
        return Stream.of(Stream.of(name(branch.document())), branch.branches().stream().flatMap(TreeJson::names),
                branch.nodes().stream().map(leaf -> "node/" + leaf.node())).flatMap(names -> names);
    }

    private static String name(Document document) {
        return document.id().kind().toLowerCase(Locale.ROOT) + "." + document.id().group() + "/"
                + document.id().key().name();
    }

    private static ObjectNode named(ObjectNode json, Document document) {
        return json.put("kind", document.id().kind()).put("namespace", document.id().key().namespace())
                .put("name", document.id().key().name());
    }

    private static void branches(ObjectNode json, List<Branch> branches) {
        branches.forEach(branch -> {
            ObjectNode below = named(json.withArray("children").addObject(), branch.document());
            branch.declared().forEach(line -> line(below.withArray("declared").addObject(), line));
            branches(below, branch.branches());
            branch.nodes().forEach(leaf -> leaf(below.withArray("nodes").addObject(), leaf));
        });
    }

    private static void line(ObjectNode json, Line line) {
        json.put("taint", line.declared().taint().id().toString()).put("value", line.declared().taint().value())
                .put("propagation", line.declared().taint().propagation())
                .put("annotation", line.declared().annotation()).put("by", line.level().name())
                .put("nodes", line.nodes()).put("missing", line.missing());
    }

    private static void leaf(ObjectNode json, Leaf leaf) {
        json.put("name", leaf.node()).put("known", leaf.origins().isPresent());
        leaf.origins().ifPresent(origins -> NodeJson.origins(json, origins));
    }
}
