package io.nodeward.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard output of a process that ends once nobody reads it any more, without a word, as {@code head} and its like
 * expect: where others end by SIGPIPE, the JVM ignores it. That nobody reads is what goes wrong with a pipe; the message
 * that says so is in the language of the machine.
 */
public final class StandardOutput extends OutputStream {
    /** What a shell makes of an end by SIGPIPE. */
    private static final int BY_SIGPIPE = 141;

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);

    private final boolean pipe;

    private StandardOutput(boolean pipe) {
        this.pipe = pipe;
    }

    /** @param pipe whether it is one, or a socket */
    public static PrintStream open(boolean pipe) {
        return new PrintStream(new StandardOutput(pipe));
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
            if (pipe) {
                System.exit(BY_SIGPIPE);
            }
            throw e;
        }
    }
}
