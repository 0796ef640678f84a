package io.nodeward.demo;

import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the demo is shown on.
 *
 * @param interactive whether somebody sits there, so that text can be typed
 * @param drawn whether text can be put in place
 * @param rows if drawn
 */
record Terminal(boolean interactive, boolean drawn, int rows) {
    private static final int ROWS = 24;
    private static final int COLUMNS = 80;

    static Terminal detect(Map<String, String> environment) {
        if (!isTerminal(System.console())) {
            return new Terminal(false, false, 0);
        }
        boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "dumb").equals("dumb");
        int[] size = plain ? new int[]{0, 0} : size();
        return new Terminal(true, size[0] >= ROWS && size[1] >= COLUMNS, size[0]);
    }

    Display open(PrintStream out) {
        return drawn ? new Screen(out, rows) : new Lines(out);
    }

    // From Java 22 on there may be a console without a terminal, and a method to tell; before there is neither.
    private static boolean isTerminal(@Nullable Console console) {
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /** Rows and columns; those of the smallest usual terminal where nobody says. */
    private static int[] size() {
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(ProcessBuilder.Redirect.INHERIT).start();
            String[] answer =
                    new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip().split(" ");
            if (stty.waitFor(5, TimeUnit.SECONDS) && answer.length == 2 && !answer[0].equals("0")) {
                return new int[]{Integer.parseInt(answer[0]), Integer.parseInt(answer[1])};
            }
        } catch (IOException | NumberFormatException e) {
            // No stty, or one that says something else.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new int[]{ROWS, COLUMNS};
    }
}
