package io.nodeward.core.fakeapi;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A JSON answer of unknown size: held back while small, and beyond 128 KB streamed, compressed if the client takes it. */
final class Reply extends OutputStream {
    private static final int SMALL = 128 * 1024;

    private final Exchange exchange;
    private final int code;
    private final ByteArrayOutputStream small = new ByteArrayOutputStream(8192);
    private @Nullable OutputStream large;

    Reply(Exchange exchange, int code) {
        this.exchange = exchange;
        this.code = code;
        exchange.setHeader("Content-Type", "application/json");
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[]{(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (large == null && small.size() + length > SMALL) {
            large = stream();
            small.writeTo(large);
        }
        if (large == null) {
            small.write(bytes, from, length);
        } else {
            large.write(bytes, from, length);
        }
    }

    private OutputStream stream() throws IOException {
        if (!exchange.header("Accept-Encoding").contains("gzip")) {
            return exchange.open(code, -1);
        }
        exchange.setHeader("Content-Encoding", "gzip");
        exchange.setHeader("Vary", "Accept-Encoding");
        return new GZIPOutputStream(exchange.open(code, -1), 16 * 1024) {
            {
                def.setLevel(Deflater.BEST_SPEED);
            }
        };
    }

    /** Ends the answer. Only a whole one is ended: a failure before leaves the connection to be cut. */
    @Override
    public void close() throws IOException {
        if (large != null) {
            large.close();
        } else {
            try (OutputStream out = exchange.open(code, small.size())) {
                small.writeTo(out);
            }
        }
    }
}
