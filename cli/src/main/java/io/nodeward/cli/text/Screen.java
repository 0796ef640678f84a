package io.nodeward.cli.text;

/**
 * What a text is shown on.
 *
 * @param width columns that a line may have
 * @param colours whether it shows them
 */
public record Screen(int width, boolean colours) {
    /** Of a terminal as they are by default. */
    public static final int USUAL = 80;
    private static final int ENDLESS = Integer.MAX_VALUE / 4;

    /** As wide as the widest line: for {@code -o wide}. */
    public Screen unlimited() {
        return new Screen(ENDLESS, colours);
    }

    /** One paragraph, broken into lines, each with its end. */
    public String paragraph(String text, Style style) {
        return new Table(0).row(new Cell(text, style)).text(this);
    }

    String styled(String text, Style style) {
        return colours ? style.on(text) : text;
    }
}
