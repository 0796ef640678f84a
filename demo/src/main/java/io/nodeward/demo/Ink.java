package io.nodeward.demo;

/** How text is set off, where the terminal can. */
enum Ink {
    BOLD("1"),
    DIM("2"),
    RED("31"),
    GREEN("32"),
    YELLOW("33");

    private final String code;

    Ink(String code) {
        this.code = code;
    }

    String on(String text) {
        return "\033[" + code + "m" + text + "\033[0m";
    }
}
