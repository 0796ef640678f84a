package io.nodeward.cli.terminal;

import java.util.Map;

/**
 * What is at the other end of a command's output.
 *
 * @param err whether standard error is read by somebody who sees it at once
 * @param colours whether colours are wanted there
 * @param width columns, 80 at the most
 */
public record Terminal(boolean err, boolean colours, int width) {
    /** A file, or a program. */
    public static final Terminal NONE = new Terminal(false, false, 80);

    private static final int WIDEST = 80;
    private static final int NARROWEST = 20;

    /**
     * As the launcher has found it out, which the JVM cannot do.
     *
     * @param streams those that are terminals, among {@code out} and {@code err}
     * @param columns empty if nobody knows
     */
    public static Terminal of(String streams, String columns, Map<String, String> environment) {
        boolean able = !environment.getOrDefault("TERM", "").equals("dumb");
        boolean coloured = environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Terminal(able && streams.contains("err"), able && coloured && streams.contains("out"),
                width(columns));
    }

    private static int width(String columns) {
        return columns.matches("[1-9][0-9]{0,3}")
                ? Math.max(NARROWEST, Math.min(WIDEST, Integer.parseInt(columns)))
                : WIDEST;
    }
}
