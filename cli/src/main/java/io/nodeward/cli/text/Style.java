package io.nodeward.cli.text;

/** How a text looks where a terminal can show it; what it says never depends on it. */
public enum Style {
    PLAIN(""),
    STRONG("1"),
    FAINT("2"),
    GOOD("32"),
    BAD("31"),
    DOUBTFUL("33");

    private static final String ESCAPE = "\u001b[";

    private final String code;

    Style(String code) {
        this.code = code;
    }

    String on(String text) {
        return code.isEmpty() || text.isBlank() ? text : ESCAPE + code + 'm' + text + ESCAPE + "0m";
    }
}
