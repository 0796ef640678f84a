package io.nodeward.backend.fabric8;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A gzip encoded body, decoded. The JDK's stream reads the header when made, which would make the answer wait for its
 * first byte; and closing it under a reader is a NullPointerException there.
 */
final class GzipBody extends InputStream {
    private final InputStream encoded;
    private @Nullable GZIPInputStream decoded;
    private volatile boolean closed;

    GzipBody(InputStream encoded) {
        this.encoded = encoded;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (closed) {
            throw new IOException("the answer was closed");
        }
        if (decoded == null) {
            decoded = new GZIPInputStream(encoded, 16 * 1024);
        }
        return decoded.read(bytes, offset, length);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        encoded.close();
    }
}
