package io.nodeward.cli.text;

/** A text of a table. What in it would command a terminal is replaced: names come from anybody. */
public record Cell(String text, Style style) {
    public Cell {
        text = printable(text);
    }

    public static Cell of(String text) {
        return new Cell(text, Style.PLAIN);
    }

    private static String printable(String text) {
        return text.codePoints().map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }
}
