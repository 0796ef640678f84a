package io.nodeward.cli.eval;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Lines of standard input, each of which is a case or the reason why it cannot be one. */
public final class CaseLines {
    /** Bytes of one line; the largest case that is published has some thousand. */
    static final int MOST = 16 << 20;

    private final Buffered in;

    public CaseLines(InputStream in) {
        this.in = new Buffered(in);
    }

    /**
     * One line.
     *
     * @param text empty if it is not known
     * @param fault why not; empty if it is
     */
    public record Line(String text, String fault) {}

    /** Empty at the end. */
    public Optional<Line> next() throws IOException {
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean fits = true;
        for (int next = first; next >= 0 && next != '\n'; next = in.read()) {
            fits = fits && bytes.size() < MOST;
            if (fits) {
                bytes.write(next);
            }
        }
        return Optional.of(fits ? decoded(bytes) : new Line("", "the line has more than " + MOST + " bytes"));
    }

    /** Whether something of another line is there already. */
    public boolean isReady() throws IOException {
        return in.holdsMore() || in.available() > 0;
    }

    /** What is not UTF-8 is not guessed: an answer of another name would be nobody's. */
    private static Line decoded(ByteArrayOutputStream bytes) {
        try {
            return new Line(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString(),
                    "");
        } catch (CharacterCodingException e) {
            return new Line("", "the line is not UTF-8");
        }
    }

    /** Asks the system what is available only when it holds nothing itself. */
    private static final class Buffered extends BufferedInputStream {
        Buffered(InputStream in) {
            super(in);
        }

        boolean holdsMore() {
            return pos < count;
        }
    }
}
