package io.nodeward.cli.terminal;

import java.io.PrintWriter;

/** One line on a terminal that says how far a command is, in place of itself; nothing anywhere else. */
public final class Progress implements AutoCloseable {
    /** Fewer are done before anybody reads of them. */
    private static final int FEW = 5;
    private static final int BAR = 24;

    private final PrintWriter err;
    private final boolean shown;
    private final int width;
    /** Whoever interrupts the command gets the terminal back without half a line. */
    private final Thread atExit = new Thread(this::end, "nodeward-progress");
    private boolean guarded;
    private boolean drawn;
    private boolean ended;

    private Progress(PrintWriter err, boolean shown, int width) {
        this.err = err;
        this.shown = shown;
        this.width = width;
    }

    /** @param total how many there are to do */
    public static Progress of(Terminal terminal, PrintWriter err, int total) {
        return new Progress(err, terminal.err() && total > FEW, terminal.width());
    }

    /** Even of a few, as it takes long. */
    public static Progress ofWaiting(Terminal terminal, PrintWriter err) {
        return new Progress(err, terminal.err(), terminal.width());
    }

    /** Replaces the line. */
    public synchronized void show(int done, int total, String text) {
        if (!shown || !isGuarded()) {
            return;
        }
        int filled = total == 0 ? BAR : (int) ((long) BAR * done / total);
        String line = "[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] " + done + "/" + total + " "
                + Harmless.line(text);
        // The last column stays free: some terminals begin a new line after it.
        String cut = line.length() < width ? line : line.substring(0, width - 1);
        err.print("\r\u001b[K" + cut);
        err.flush();
        drawn = true;
    }

    /** Takes the line away, so that something else can be printed in its place. */
    public synchronized void clear() {
        if (drawn) {
            err.print("\r\u001b[K");
            err.flush();
            drawn = false;
        }
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            return; // it runs already
        }
    }

    /** The command may go on for a moment while the process ends. */
    private synchronized void end() {
        clear();
        ended = true;
    }

    /** Whether a line would be taken away; none is drawn any more while the process ends. */
    private boolean isGuarded() {
        if (!guarded && !ended) {
            try {
                Runtime.getRuntime().addShutdownHook(atExit);
                guarded = true;
            } catch (IllegalStateException e) {
                ended = true;
            }
        }
        return !ended;
    }
}
