package io.nodeward.demo;

import io.nodeward.api.machine.ClusterApi;
import java.util.Optional;

/**
 * A line of the table: a taint as declared and as it is on the Node. Either may be missing; columns are then empty.
 *
 * @param owner the Machine; not shown where it is that of the line above
 * @param mark {@code *} managed, {@code o} unmanaged
 */
record Row(String owner, boolean first, String declared, String when, String mark, String onNode) {
    static final String HEADING = " %-8s %-29s %-6s  %s".formatted("MACHINE", "DECLARES", "WHEN", "ITS NODE HAS");
    private static final int TAINT = 29;

    /** With its owner shown, wherever it stands. */
    Row named() {
        return new Row(owner, true, declared, when, mark, onNode);
    }

    /** Never longer than 79 characters. */
    String text() {
        return " " + left() + "  " + right();
    }

    /** As {@link #text()}, with colours; a changed one is set off. */
    String painted(boolean changed) {
        String right = ink().map(ink -> ink.on(right())).orElse(right());
        return changed ? Ink.BOLD.on(">" + left()) + "  " + Ink.BOLD.on(right) : " " + left() + "  " + right;
    }

    private String left() {
        return "%-8s %-29s %-6s".formatted(first ? Table.cut(owner, 8) : "", Table.cut(declared, TAINT), when);
    }

    private String right() {
        return onNode.isEmpty() ? mark : mark + " " + Table.cut(onNode, TAINT);
    }

    private Optional<Ink> ink() {
        if (onNode.startsWith(ClusterApi.UNINITIALIZED_TAINT)) {
            return Optional.of(Ink.RED);
        }
        return switch (mark) {
            case "*" -> Optional.of(Ink.GREEN);
            case "o" -> Optional.of(Ink.YELLOW);
            default -> Optional.empty();
        };
    }
}
