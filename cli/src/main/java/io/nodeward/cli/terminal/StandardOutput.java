package io.nodeward.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard output of a process that ends once nobody reads it any more, without a word, as {@code head} and its like
 * expect: where others end by SIGPIPE, the JVM ignores it.
 */
public final class StandardOutput extends OutputStream {
    /** What a shell makes of an end by SIGPIPE. */
    private static final int BY_SIGPIPE = 141;

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);

    private StandardOutput() {}

    public static PrintStream open() {
        return new PrintStream(new StandardOutput());
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[]{(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            if ("Broken pipe".equals(e.getMessage())) {
                System.exit(BY_SIGPIPE);
            }
            throw e;
        }
    }
}
