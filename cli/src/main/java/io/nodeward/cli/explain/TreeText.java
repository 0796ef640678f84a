package io.nodeward.cli.explain;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.cli.explain.Tree.Branch;
import io.nodeward.cli.explain.Tree.Leaf;
import io.nodeward.cli.explain.Tree.Line;
import io.nodeward.cli.origin.Ancestry;
import io.nodeward.cli.text.Cell;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Style;
import io.nodeward.cli.text.Table;
import io.nodeward.core.rules.origin.Missing;
import io.nodeward.core.rules.origin.Source;
import io.nodeward.core.rules.origin.TaintOrigin;
import io.nodeward.core.rules.toleration.NodeFit;
import java.util.List;

/** A Cluster's declarations for people: what is below an object is indented, and marked with what has become of it. */
public final class TreeText {
    private static final int STEP = 2;
    /** More Machines of one object than this are printed only where something is not as declared. */
    private static final int MOST = 10;

    private final StringBuilder text = new StringBuilder();
    private final Screen screen;
    private final boolean all;

    private TreeText(Screen screen, boolean all) {
        this.screen = screen;
        this.all = all;
    }

    /** @param all whether every Machine has its line, however many there are */
    public static String of(Tree tree, Screen screen, boolean all) {
        TreeText view = new TreeText(screen, all);
        String of = tree.clusterClass().isEmpty() ? "" : ", of ClusterClass " + tree.clusterClass();
        view.line(0, tree.cluster().id() + of + (tree.paused() ? ", paused" : ""), Style.STRONG);
        tree.branches().forEach(branch -> view.branch(branch, STEP));
        if (tree.branches().isEmpty()) {
            view.line(STEP, "nothing of it is known", Style.FAINT);
        }
        return view.text.toString();
    }

    private void branch(Branch branch, int indent) {
        line(indent, branch.manifest().id().kind() + " " + branch.manifest().id().key().name(), Style.STRONG);
        Table table = new Table(indent + 2 * STEP);
        branch.declared().forEach(line -> table.row(Cell.of(declared(line)), state(line)));
        text.append(table.text(screen));
        List<Branch> live = branch.branches().stream().filter(below -> all || !isRetired(below)).toList();
        List<Branch> shown = shown(live);
        shown.forEach(below -> branch(below, indent + STEP));
        int retired = branch.branches().size() - live.size();
        if (retired > 0) {
            line(indent + STEP, Words.counted(retired, "MachineSet") + " without Machines", Style.FAINT);
        }
        int left = live.size() - shown.size();
        if (left > 0) {
            String kind = live.get(0).manifest().id().kind();
            line(indent + STEP, Words.counted(left, kind) + ", all Nodes as declared", Style.GOOD);
        }
        leaves(branch, indent + STEP);
    }

    /** Former revisions of a MachineDeployment are kept for a way back. */
    private static boolean isRetired(Branch branch) {
        return Ancestry.source(branch.manifest()) == Source.MACHINE_SET && branch.branches().isEmpty();
    }

    private void leaves(Branch branch, int indent) {
        List<Leaf> odd = all || branch.nodes().size() <= MOST
                ? branch.nodes()
                : branch.nodes().stream().filter(leaf -> !leaf.isAsDeclared()).toList();
        odd.forEach(leaf -> leaf(leaf, indent));
        int left = branch.nodes().size() - odd.size();
        if (left > 0) {
            line(indent, Words.counted(left, "Node") + " as declared", Style.GOOD);
        }
        if (branch.nodes().isEmpty() && Ancestry.source(branch.manifest()) == Source.MACHINE) {
            line(indent, "no Node yet", Style.FAINT);
        }
    }

    private List<Branch> shown(List<Branch> branches) {
        return all || branches.size() <= MOST ? branches : branches.stream()
                .filter(branch -> branch.leaves().anyMatch(leaf -> !leaf.isAsDeclared())
                        || branch.leaves().findAny().isEmpty())
                .toList();
    }

    private void leaf(Leaf leaf, int indent) {
        line(indent, "Node " + leaf.node() + (leaf.origins().isEmpty() ? " (not known here)" : ""), Style.PLAIN);
        Table table = new Table(indent + 2 * STEP);
        leaf.origins().ifPresent(origins -> {
            origins.taints().forEach(origin -> table.row(Cell.of(NodeFit.text(origin.taint())), mark(origin)));
            origins.missing().forEach(missing -> table.row(Cell.of(missing.declared().taint().id().toString()),
                    new Cell("missing: " + why(missing), Style.BAD)));
        });
        text.append(table.text(screen));
    }

    private static String why(Missing missing) {
        return missing.reason().text() + missing.below().map(level -> " (before " + level.kind() + ")").orElse("");
    }

    private static Cell mark(TaintOrigin origin) {
        Marks mark = Marks.of(origin);
        return new Cell(switch (mark) {
            case DECLARED, DEDICATED_NODES -> mark.word;
            case CHANGING -> origin.status().text();
            case UNMANAGED -> mark.word + ": " + Words.from(origin);
        }, mark.style);
    }

    private static String declared(Line line) {
        MachineTaint taint = line.declared().taint();
        Source source = line.level().source();
        String by = source == Source.CLUSTER || source == Source.CLUSTER_CLASS ? " (" + source.text() + ")" : "";
        String once = taint.propagation().equals(MachineTaint.ALWAYS) ? "" : " " + taint.propagation();
        return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":" + taint.effect() + once + by;
    }

    private static Cell state(Line line) {
        if (line.nodes() == 0) {
            return new Cell("no Nodes", Style.FAINT);
        }
        return line.missing() == 0
                ? new Cell("at " + Words.counted(line.nodes(), "Node"), Style.GOOD)
                : new Cell("missing at " + line.missing() + " of " + Words.counted(line.nodes(), "Node"), Style.BAD);
    }

    private void line(int indent, String line, Style style) {
        text.append(new Table(indent).row(new Cell(line, style)).text(screen));
    }
}
