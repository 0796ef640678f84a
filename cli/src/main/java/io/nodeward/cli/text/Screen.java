package io.nodeward.cli.text;

import io.nodeward.cli.terminal.Terminal;

/**
 * What a text is shown on.
 *
 * @param width columns that a line may have
 * @param colours whether it shows them
 */
public record Screen(int width, boolean colours) {
    private static final int ENDLESS = Integer.MAX_VALUE / 4;

    /** Of a terminal, or of what is in its place. */
    public static Screen of(Terminal terminal) {
        return new Screen(terminal.width(), terminal.colours());
    }

    /** As wide as the widest line: for {@code -o wide}. */
    public Screen unlimited() {
        return new Screen(ENDLESS, colours);
    }

    /** One paragraph, broken into lines, each with its end. */
    public String paragraph(String text, Style style) {
        return new Table(0).row(new Cell(text, style)).text(this);
    }

    /** Returns the text in a style, if the screen shows styles. */
    public String styled(String text, Style style) {
        return colours ? style.on(text) : text;
    }
}
