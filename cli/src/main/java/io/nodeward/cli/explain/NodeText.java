package io.nodeward.cli.explain;

import io.nodeward.cli.text.Cell;
import io.nodeward.cli.text.Names;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Style;
import io.nodeward.cli.text.Table;
import io.nodeward.core.rules.origin.DeclaringObject;
import io.nodeward.core.rules.origin.Missing;
import io.nodeward.core.rules.origin.TaintOrigin;
import io.nodeward.core.rules.origin.TaintOrigin.Status;
import io.nodeward.core.rules.toleration.NodeFit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A Node's taints for people. */
public final class NodeText {
    private final Screen screen;
    private final StringBuilder text = new StringBuilder();

    private NodeText(Screen screen) {
        this.screen = screen;
    }

    /** Each taint with all that is known of it. */
    public static String full(NodeExplanation node, Screen screen) {
        NodeText view = new NodeText(screen);
        view.title(node);
        node.origins().taints().forEach(view::taint);
        if (node.origins().taints().isEmpty()) {
            view.paragraph("\nIt has no taint.", Style.PLAIN);
        }
        if (!node.origins().missing().isEmpty()) {
            view.paragraph("\nMissing:", Style.STRONG);
            node.origins().missing().forEach(view::missing);
        }
        return view.text.toString();
    }

    /** One line for each taint, however wide. */
    public static String wide(NodeExplanation node, Screen screen) {
        Table table = new Table(0).head("TAINT", "SOURCE", "FROM", "SINCE", "MANAGED BY", "STATUS");
        node.origins().taints().forEach(origin -> table.row(Cell.of(NodeFit.text(origin.taint())),
                Cell.of(origin.source().text()), Cell.of(Words.from(origin)),
                Cell.of(origin.since().map(Words::since).orElse("")),
                Cell.of(origin.tracked().stream().map(Words::tracked).collect(Collectors.joining("; "))),
                status(origin.status())));
        node.origins().missing().forEach(missing -> table.row(
                Cell.of(missing.declared().taint().id().toString()), Cell.of(missing.path().getLast().source().text()),
                Cell.of(missing.path().getLast().name()), Cell.of(""), Cell.of(""),
                new Cell("missing: " + missing.reason().text(), Style.BAD)));
        return table.text(screen.unlimited());
    }

    /** The objects that declare its taints, as kubectl takes them. */
    public static String names(NodeExplanation node) {
        return Names.of(node.scope().levels().stream()
                .filter(level -> node.origins().taints().stream().anyMatch(origin -> origin.path().contains(level)))
                .map(level -> level.kind().toLowerCase(Locale.ROOT) + "/" + level.key().name()));
    }

    private void title(NodeExplanation node) {
        List<DeclaringObject> levels = node.scope().levels();
        paragraph("Node " + node.name() + (levels.isEmpty() ? "" : ", of " + levels.get(0).name()), Style.STRONG);
    }

    private void taint(TaintOrigin origin) {
        text.append('\n');
        paragraph(NodeFit.text(origin.taint()), Style.STRONG);
        Table table = new Table(2);
        row(table, "from", Cell.of(Words.from(origin) + ": " + origin.because()));
        through(table, origin.path());
        row(table, "since", Cell.of(origin.since().map(Words::since).orElse("not recorded")));
        origin.tracked().forEach(tracking -> row(table, "managed", Cell.of(Words.tracked(tracking))));
        row(table, "status", status(origin.status()));
        text.append(table.text(screen));
    }

    private void missing(Missing missing) {
        text.append('\n');
        paragraph(missing.declared().taint().id() + " (" + missing.declared().taint().propagation() + ")",
                Style.STRONG);
        Table table = new Table(2);
        String how = missing.declared().annotation().isEmpty()
                ? ""
                : ", annotation " + missing.declared().annotation();
        row(table, "declared", Cell.of(missing.path().getLast().name() + how));
        through(table, missing.path());
        missing.below().ifPresent(level -> row(table, "stopped", Cell.of("before " + level.name())));
        row(table, "because", new Cell(missing.because() + " (" + missing.reason().text() + ")", Style.PLAIN));
        text.append(table.text(screen));
    }

    private static void through(Table table, List<DeclaringObject> path) {
        if (path.size() > 1) {
            row(table, "through", Cell.of(path.subList(0, path.size() - 1).reversed().stream()
                    .map(DeclaringObject::name).collect(Collectors.joining(", "))));
        }
    }

    private static void row(Table table, String name, Cell value) {
        table.row(new Cell(name, Style.FAINT), value);
    }

    static Cell status(Status status) {
        return new Cell(status.text(), switch (status) {
            case ALWAYS, ONCE, DEDICATED_NODES -> Style.GOOD;
            case UNMANAGED, UNSEEN -> Style.PLAIN;
            case OTHER_VALUE, HELD, NO_MORE -> Style.DOUBTFUL;
        });
    }

    private void paragraph(String line, Style style) {
        if (line.startsWith("\n")) {
            text.append('\n');
        }
        text.append(screen.paragraph(line.strip(), style));
    }

}
