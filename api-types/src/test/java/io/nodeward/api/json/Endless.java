package io.nodeward.api.json;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.function.IntFunction;

/** What a server sends that never comes to an end. */
public final class Endless extends SequenceInputStream {
    /**
     * It starts so and goes on for ever.
     *
     * @param more given 1, 2 and so on
     */
    public Endless(String start, IntFunction<String> more) {
        super(new Enumeration<>() {
            private int next;

            @Override
            public boolean hasMoreElements() {
                return true;
            }

            @Override
            public InputStream nextElement() {
                String text = next == 0 ? start : more.apply(next);
                next++;
                return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
            }
        });
    }

    @Override
    public void close() {} // it would go on to the end
}
