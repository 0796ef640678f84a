package io.nodeward.demo;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a terminal of 24 rows and 80 columns shows after some output; it refuses what would wrap or scroll. */
final class GlassTerminal {
    private static final Pattern SEQUENCE =
            Pattern.compile("\033(\\[([?0-9;]*)([A-Za-z])|[78])|([^\033])", Pattern.DOTALL);
    private static final int ROWS = 24;
    private static final int COLUMNS = 80;

    private final char[][] cells = new char[ROWS][COLUMNS];
    private int row;
    private int column;
    private int savedRow;
    private int savedColumn;
    private boolean alternate;
    private boolean cursor = true;

    private GlassTerminal() {
        erase(0, 0);
    }

    static GlassTerminal after(String output) {
        GlassTerminal terminal = new GlassTerminal();
        Matcher matcher = SEQUENCE.matcher(output);
        int end = 0;
        while (matcher.find()) {
            if (matcher.start() != end) {
                throw new AssertionError("not understood at " + end);
            }
            end = matcher.end();
            if (matcher.group(4) != null) {
                terminal.put(matcher.group(4).charAt(0));
            } else if (matcher.group(3) != null) {
                terminal.control(matcher.group(2), matcher.group(3).charAt(0));
            } else {
                terminal.saveOrRestore(matcher.group(1));
            }
        }
        return terminal;
    }

    private void put(char c) {
        if (c == '\n') {
            row++;
            column = 0;
        } else if (column == COLUMNS) {
            throw new AssertionError("wraps: " + new String(cells[row]));
        } else {
            cells[row][column++] = c;
        }
        if (row == ROWS) {
            throw new AssertionError("scrolls");
        }
    }

    private void control(String arguments, char command) {
        switch (command) {
            case 'H' -> {
                String[] place = arguments.split(";");
                row = Integer.parseInt(place[0]) - 1;
                column = Integer.parseInt(place[1]) - 1;
            }
            case 'K' -> Arrays.fill(cells[row], column, COLUMNS, ' ');
            case 'J' -> erase(arguments.equals("2") ? 0 : row, arguments.equals("2") ? 0 : column);
            case 'm' -> {}
            case 'h', 'l' -> mode(arguments, command == 'h');
            default -> throw new AssertionError("unknown command " + command);
        }
    }

    private void mode(String which, boolean on) {
        switch (which) {
            case "?1049" -> alternate = on;
            case "?25" -> cursor = on;
            case "?7" -> {}
            default -> throw new AssertionError("unknown mode " + which);
        }
    }

    private void saveOrRestore(String which) {
        if (which.equals("7")) {
            savedRow = row;
            savedColumn = column;
        } else {
            row = savedRow;
            column = savedColumn;
        }
    }

    private void erase(int fromRow, int fromColumn) {
        for (int i = fromRow; i < ROWS; i++) {
            Arrays.fill(cells[i], i == fromRow ? fromColumn : 0, COLUMNS, ' ');
        }
    }

    List<String> lines() {
        return Arrays.stream(cells).map(line -> new String(line).stripTrailing()).toList();
    }

    String text() {
        return lines().stream().collect(Collectors.joining("\n"));
    }

    int cursorRow() {
        return row + 1;
    }

    /** Whether the user has the terminal as it was before. */
    boolean isGivenBack() {
        return !alternate && cursor;
    }
}
