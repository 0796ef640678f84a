package io.nodeward.core.testkit;

import io.nodeward.core.testkit.FaultyServer.Reply;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** The replies that a {@link FaultyServer} is told to give. */
final class Replying {
    private Replying() {}

    static Reply with(int status, String body) {
        return with(status, "", body);
    }

    /** @param headers complete lines, each ended by CRLF */
    static Reply with(int status, String headers, String body) {
        return (request, out) -> write(out, head(status, headers, bytes(body).length) + body);
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
        return (request, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            chunk(out, first);
            goOn.await();
            chunk(out, rest);
            write(out, "0\r\n\r\n");
        };
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        if (!text.isEmpty()) {
            write(out, Integer.toHexString(bytes(text).length) + "\r\n" + text + "\r\n");
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
