package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.explain.Tree.Branch;
import io.nodeward.cli.explain.Tree.Leaf;
import io.nodeward.cli.explain.Tree.Line;
import io.nodeward.cli.snapshot.Manifest;
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
        return Stream.of(Stream.of(name(branch.manifest())), branch.branches().stream().flatMap(TreeJson::names),
                branch.nodes().stream().map(leaf -> "node/" + leaf.node())).flatMap(names -> names);
    }

    private static String name(Manifest manifest) {
        return manifest.id().kind().toLowerCase(Locale.ROOT) + "." + manifest.id().group() + "/"
                + manifest.id().key().name();
    }

    private static ObjectNode named(ObjectNode json, Manifest manifest) {
        return json.put("kind", manifest.id().kind()).put("namespace", manifest.id().key().namespace())
                .put("name", manifest.id().key().name());
    }

    private static void branches(ObjectNode json, List<Branch> branches) {
        branches.forEach(branch -> {
            ObjectNode below = named(json.withArray("children").addObject(), branch.manifest());
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
