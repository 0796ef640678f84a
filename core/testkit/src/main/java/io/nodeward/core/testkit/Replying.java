package io.nodeward.core.testkit;

import io.nodeward.core.testkit.FaultyServer.Reply;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** The replies that a {@link FaultyServer} is told to give. */
final class Replying {
    static final String GZIP = "Content-Encoding: gzip\r\n";

    private Replying() {}

    /** One reply for each request; the last one for all that follow. */
    static Reply each(Reply... replies) {
        AtomicInteger next = new AtomicInteger();
        return (request, out) -> replies[Math.min(next.getAndIncrement(), replies.length - 1)].answer(request, out);
    }

    static Reply with(int status, String body) {
        return with(status, "", body);
    }

    /** @param headers complete lines, each ended by CRLF */
    static Reply with(int status, String headers, String body) {
        return (request, out) -> write(out, head(status, headers, bytes(body).length) + body);
    }

    /** @param headers complete lines, each ended by CRLF */
    static Reply with(int status, String headers, byte[] body) {
        return (request, out) -> {
            write(out, head(status, headers, body.length));
            out.write(body);
            out.flush();
        };
    }

    /** With a Status as API servers write them. */
    static Reply status(int code, String reason, String message) {
        return with(code, "Content-Type: application/json\r\n", statusJson(code, reason, message));
    }

    static String statusJson(int code, String reason, String message) {
        return """
                {"kind":"Status","apiVersion":"v1","status":"Failure","message":"%s","reason":"%s","code":%d}
                """.formatted(message, reason, code);
    }

    /** Closes the connection before the head. */
    static Reply nothing() {
        return (request, out) -> {
            throw new EOFException("as told");
        };
    }

    /** Promises ten more bytes of body than it sends, then closes the connection. */
    static Reply cut(int status, String body) {
        return (request, out) -> {
            write(out, head(status, "", bytes(body).length + 10) + body);
            throw new EOFException("as told");
        };
    }

    /** Never answers; the connection stays open. */
    static Reply silence() {
        return (request, out) -> Thread.sleep(Long.MAX_VALUE);
    }

    /** Sends the head and {@code first}; the rest when told, in chunks. */
    static Reply inTwoParts(String first, CountDownLatch goOn, String rest) {
        return inChunks("", chunks -> {
            chunks.write(bytes(first));
            goOn.await();
            chunks.write(bytes(rest));
        });
    }

    /** Sends the head and {@code first}, and no more; the connection stays open. */
    static Reply openEnded(String first) {
        return inTwoParts(first, new CountDownLatch(1), "");
    }

    /** Writes a body; each write is a chunk on the wire, at once. An EOFException cuts it there. */
    @FunctionalInterface
    interface Body {
        void writeTo(OutputStream chunks) throws IOException, InterruptedException;
    }

    /**
     * 200 with a body of unknown length.
     *
     * @param headers complete lines, each ended by CRLF
     */
    static Reply inChunks(String headers, Body body) {
        return (request, out) -> {
            write(out, "HTTP/1.1 200 OK\r\n" + headers
                    + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            body.writeTo(new Chunks(out));
            write(out, "0\r\n\r\n");
        };
    }

    /** As {@link #inChunks} with everything compressed. */
    static Reply gzipped(Body body) {
        return inChunks(GZIP, chunks -> {
            try (GZIPOutputStream gzip = new GZIPOutputStream(chunks, 16 * 1024)) {
                body.writeTo(gzip);
            }
        });
    }

    private static final class Chunks extends OutputStream {
        private final OutputStream out;

        Chunks(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[]{(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (length > 0) {
                out.write(bytes(Integer.toHexString(length) + "\r\n"));
                out.write(bytes, from, length);
                Replying.write(out, "\r\n");
            }
        }
    }

    private static String head(int status, String headers, int length) {
        return "HTTP/1.1 " + status + " Told\r\n" + headers + "Content-Length: " + length + "\r\n\r\n";
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(bytes(text));
        out.flush();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
