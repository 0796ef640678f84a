package io.nodeward.demo;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Machines, their Nodes and the taints of both, side by side. */
final class Table {
    static final String LEGEND = "* managed: from the Machine    o unmanaged: never touched";

    private Table() {}

    static List<Row> rows(List<Pair> pairs) {
        List<Row> rows = new ArrayList<>();
        pairs.forEach(pair -> addRows(pair, rows));
        return rows;
    }

    private static void addRows(Pair pair, List<Row> rows) {
        int start = rows.size();
        List<Taint> left = new ArrayList<>(pair.onNode());
        for (MachineTaint declared : pair.machine().taints()) {
            Optional<Taint> onNode = left.stream().filter(taint -> isSame(taint, declared)).findFirst();
            onNode.ifPresent(left::remove);
            rows.add(row(pair, rows.size() == start, Pair.text(declared), when(declared), onNode));
        }
        for (Taint taint : left) {
            rows.add(row(pair, rows.size() == start, "", "", Optional.of(taint)));
        }
        if (rows.size() == start) {
            rows.add(row(pair, true, "", "", Optional.empty()));
        }
    }

    private static Row row(Pair pair, boolean first, String declared, String when, Optional<Taint> onNode) {
        String missing = pair.node().isEmpty() ? "(no Node)" : "";
        String mark = onNode.map(taint -> pair.isOwned(taint) ? "*" : "o").orElse(missing);
        return new Row(pair.name(), first, declared, when, mark, onNode.map(Pair::text).orElse(""));
    }

    private static boolean isSame(Taint taint, MachineTaint declared) {
        return taint.key().equals(declared.key()) && taint.effect().equals(declared.effect());
    }

    private static String when(MachineTaint declared) {
        return declared.propagation().equals(MachineTaint.ALWAYS) ? "Always" : "OnInit";
    }

    /** At most so long: a key's domain goes first, then the end. */
    static String cut(String text, int longest) {
        String shorter =
                text.length() > longest && text.contains("/") ? "../" + text.substring(text.indexOf('/') + 1) : text;
        return shorter.length() > longest ? shorter.substring(0, longest - 2) + ".." : shorter;
    }
}
