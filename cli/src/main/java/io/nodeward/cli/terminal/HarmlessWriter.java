package io.nodeward.cli.terminal;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last place before a terminal, that nothing passes by: control characters are written out, but for ends of lines,
 * tabs, and the few commands to a terminal that are our own. In JSON that says the same.
 */
public final class HarmlessWriter extends FilterWriter {
    private static final Pattern CONTROL = Pattern.compile("\\r(?!\\n)|[\\p{Cntrl}\\x80-\\x9f&&[^\\r\\n\\t]]");
    /** Of styles here, and of picocli's help. */
    private static final Pattern COLOUR = Pattern.compile("\\x1b\\[(?:[0-4]|2[1-4]|3[1-7]|39)m");
    /** A line that takes the place of itself, always at the start of what is written at once. */
    private static final String REPLACED = "\r\u001b[K";

    private final boolean colours;
    private final boolean progress;

    /** For standard output of a terminal, or of what is in its place. */
    public static HarmlessWriter out(Writer out, Terminal terminal) {
        return new HarmlessWriter(out, terminal.colours(), false);
    }

    /** Likewise for standard error. */
    public static HarmlessWriter err(Writer err, Terminal terminal) {
        return new HarmlessWriter(err, terminal.colours(), terminal.err());
    }

    private HarmlessWriter(Writer out, boolean colours, boolean progress) {
        super(out);
        this.colours = colours;
        this.progress = progress;
    }

    @Override
    public void write(int c) throws IOException {
        write(String.valueOf((char) c), 0, 1);
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        write(new String(text, offset, length), 0, length);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        String part = text.substring(offset, offset + length);
        if (progress && part.startsWith(REPLACED)) {
            out.write(REPLACED);
            part = part.substring(REPLACED.length());
        }
        out.write(harmless(part));
    }

    private String harmless(String text) {
        Matcher control = CONTROL.matcher(text);
        if (!control.find()) {
            return text;
        }
        Matcher colour = COLOUR.matcher(text);
        StringBuilder shown = new StringBuilder();
        int done = 0;
        do {
            int at = control.start();
            shown.append(text, done, at);
            if (colours && colour.region(at, text.length()).lookingAt()) {
                shown.append(colour.group());
                done = colour.end();
            } else {
                shown.append("\\u%04x".formatted((int) text.charAt(at)));
                done = at + 1;
            }
        } while (control.find(done));
        return shown.append(text, done, text.length()).toString();
    }
}
