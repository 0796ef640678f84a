package io.nodeward.cli.text;

import io.nodeward.cli.terminal.Harmless;

/** A text of a table. What in it would command a terminal is written out: names come from anybody. */
public record Cell(String text, Style style) {
    public Cell {
        text = Harmless.line(text);
    }

    public static Cell of(String text) {
        return new Cell(text, Style.PLAIN);
    }
}
