package io.nodeward.demo;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The whole terminal: the table above, the text below it, a line to type on at the end. Everything is drawn at its place,
 * never wider than 80 columns, on the alternate screen, so that what was there before is there again afterwards.
 */
final class Screen implements Display {
    private static final String SAVE_AND_HIDE = "\0337\033[?25l\033[?7l";
    private static final String RESTORE_AND_SHOW = "\033[?7h\0338\033[?25h";
    private static final String ENTER = "\033[?1049h\033[2J";
    private static final String LEAVE = "\033[?7h\033[?25h\033[?1049l";
    private static final String ERASE_LINE = "\033[K";
    private static final String TOUR_KEYS = "Enter: go on   q and Enter: quit > ";
    /** Rows that are not table: title, heading, legend, ten of text, the line to type on, and one spare below it. */
    private static final int OTHER_ROWS = 14;

    private final PrintStream out;
    private final int rows;
    private List<Row> baseline = List.of();
    private List<Row> shown = List.of();
    private List<String> text = List.of();
    private String prompt = TOUR_KEYS;
    private boolean closed;

    /** @param rows of the terminal, 24 at least */
    Screen(PrintStream out, int rows) {
        this.out = out;
        this.rows = rows;
        out.print(ENTER);
        typed();
    }

    @Override
    public void before(List<Pair> fleet, List<String> narration) {
        baseline = Table.rows(fleet);
        draw(fleet, narration);
    }

    @Override
    public void during(List<Pair> fleet) {
        draw(fleet, text);
    }

    @Override
    public void after(List<Pair> fleet, List<String> narration, String machine) {
        draw(fleet, narration);
    }

    @Override
    public void live(List<Pair> fleet, List<String> help, List<String> news, boolean edited) {
        if (edited) {
            baseline = shown;
        }
        List<String> below = new ArrayList<>(help);
        below.addAll(news);
        draw(fleet, below);
        if (!prompt.equals("> ")) {
            prompt = "> ";
            typed();
        }
    }

    private synchronized void draw(List<Pair> fleet, List<String> below) {
        if (closed) {
            return;
        }
        text = below;
        shown = Table.rows(fleet);
        List<String> lines = lines();
        StringBuilder frame = new StringBuilder(SAVE_AND_HIDE);
        for (int row = 1; row < rows - 1; row++) {
            String line = row <= lines.size() ? lines.get(row - 1) : "";
            frame.append("\033[").append(row).append(";1H").append(line).append(ERASE_LINE);
        }
        out.print(frame.append(RESTORE_AND_SHOW));
        out.flush();
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(Ink.BOLD.on("Nodeward demo") + ": the real controller, a small API server, no cluster needed");
        lines.add(Ink.DIM.on(Row.HEADING));
        lines.addAll(table());
        lines.add(Ink.DIM.on(" " + Table.LEGEND));
        if (lines.size() + text.size() < rows - 2) {
            lines.add("");
        }
        for (int i = 0; i < text.size(); i++) {
            lines.add(i == 0 ? Ink.BOLD.on(text.get(i)) : text.get(i));
        }
        return lines;
    }

    private List<String> table() {
        int room = rows - OTHER_ROWS;
        List<String> lines = new ArrayList<>();
        int fit = shown.size() > room ? room - 1 : shown.size();
        for (Row row : shown.subList(0, fit)) {
            lines.add(row.painted(!baseline.contains(row)));
        }
        if (fit < shown.size()) {
            lines.add(Ink.DIM.on("   and " + (shown.size() - fit) + " more; a taller terminal shows them"));
        }
        return lines;
    }

    /** Only then is the line to type on drawn: redrawing it any time would wipe away what is being typed. */
    @Override
    public synchronized void typed() {
        if (!closed) {
            out.print("\033[" + (rows - 1) + ";1H\033[J" + prompt);
            out.flush();
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            out.print(LEAVE);
            out.flush();
        }
    }
}
