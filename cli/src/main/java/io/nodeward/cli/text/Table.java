package io.nodeward.cli.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of cells in columns, which become narrower and their texts broken until all of them fit. */
public final class Table {
    private static final int GAP = 2;
    /** No column becomes narrower than this for others. */
    private static final int NARROWEST = 10;

    private final int indent;
    private final List<List<Cell>> rows = new ArrayList<>();

    /** @param indent blanks before every line */
    public Table(int indent) {
        this.indent = indent;
    }

    /** Names the columns, or goes without if none is given. */
    public Table head(String... names) {
        return row(Arrays.stream(names).map(name -> new Cell(name, Style.FAINT)).toArray(Cell[]::new));
    }

    /** One more row; all have as many cells. */
    public Table row(Cell... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** The lines, each with its end; nothing if there is no row. */
    public String text(Screen screen) {
        StringBuilder text = new StringBuilder();
        if (!rows.isEmpty()) {
            int[] widths = widths(screen.width() - indent);
            rows.forEach(row -> append(text, row, widths, screen));
        }
        return text.toString();
    }

    private int[] widths(int all) {
        int[] widths = new int[rows.get(0).size()];
        rows.forEach(row -> Arrays.setAll(widths, i -> Math.max(widths[i], row.get(i).text().length())));
        int room = all - GAP * (widths.length - 1);
        while (Arrays.stream(widths).sum() > room) {
            int widest = 0;
            for (int i = 1; i < widths.length; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            if (widths[widest] <= NARROWEST) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private void append(StringBuilder text, List<Cell> row, int[] widths, Screen screen) {
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            cells.add(Lines.of(row.get(i).text(), Math.max(1, widths[i])));
        }
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        for (int y = 0; y < height; y++) {
            StringBuilder line = new StringBuilder(" ".repeat(indent));
            int blanks = 0;
            for (int i = 0; i < widths.length; i++) {
                String part = y < cells.get(i).size() ? cells.get(i).get(y) : "";
                if (!part.isEmpty()) {
                    line.append(" ".repeat(blanks)).append(screen.styled(part, row.get(i).style()));
                    blanks = 0;
                }
                blanks += widths[i] - part.length() + GAP;
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }
}
