package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One request with its answer to be. The answer is noted in the request log before its first byte goes out. */
final class Exchange {
    private final HttpExchange http;
    private final byte[] body;
    private final Request request;
    private final RequestLog requestLog;
    private final Map<String, String> query = new HashMap<>();
    private int cutAfter = Integer.MAX_VALUE;

    Exchange(HttpExchange http, RequestLog requestLog) throws IOException {
        this.http = http;
        this.requestLog = requestLog;
        this.body = http.getRequestBody().readAllBytes();
        String raw = http.getRequestURI().getRawQuery();
        this.request = new Request(
                http.getRequestMethod(),
                http.getRequestURI().getRawPath(),
                raw == null ? "" : raw,
                header("User-Agent"),
                header("Content-Type"),
                new String(body, StandardCharsets.UTF_8),
                0);
        for (String pair : request.query().split("&")) {
            String[] sides = pair.split("=", 2);
            query.putIfAbsent(decoded(sides[0]), sides.length == 2 ? decoded(sides[1]) : "");
        }
    }

    Request request() {
        return request;
    }

    byte[] body() {
        return body;
    }

    String header(String name) {
        String value = http.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    /** The first value of a query parameter, or empty. */
    String query(String name) {
        return query.getOrDefault(name, "");
    }

    boolean flag(String name) {
        return query(name).equals("true") || query(name).equals("1");
    }

    List<String> path() {
        return Arrays.stream(request.path().split("/"))
                .filter(s -> !s.isEmpty())
                .map(Exchange::decoded)
                .toList();
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Closes the connection after so many bytes of the body; at -1, before the answer's head. */
    void cutAfter(int bodyBytes) {
        this.cutAfter = bodyBytes;
    }

    void answer(int code, JsonNode json) throws IOException {
        answer(code, Map.of("Content-Type", "application/json"), Json.bytes(json));
    }

    void refuse(Refusal refusal) throws IOException {
        int retryAfter = refusal.status().path("details").path("retryAfterSeconds").asInt();
        Map<String, String> headers = retryAfter > 0
                ? Map.of("Content-Type", "application/json", "Retry-After", Integer.toString(retryAfter))
                : Map.of("Content-Type", "application/json");
        answer(refusal.code(), headers, Json.bytes(refusal.status()));
    }

    void text(int code, String text) throws IOException {
        answer(code, Map.of("Content-Type", "text/plain; charset=utf-8"), text.getBytes(StandardCharsets.UTF_8));
    }

    void answer(int code, Map<String, String> headers, byte[] content) throws IOException {
        headers.forEach(http.getResponseHeaders()::set);
        try (OutputStream out = open(code, content.length)) {
            out.write(content);
        }
    }

    /** @param length -1 if not known yet */
    OutputStream open(int code, long length) throws IOException {
        requestLog.add(this, request.answered(cutAfter < 0 ? 0 : code));
        if (cutAfter < 0) {
            throw new IOException("cut before the answer, as asked for");
        }
        http.getResponseHeaders().set("Cache-Control", "no-cache, private");
        http.sendResponseHeaders(code, length < 0 ? 0 : length == 0 ? -1 : length);
        OutputStream out = http.getResponseBody();
        return cutAfter == Integer.MAX_VALUE ? out : new CutStream(out, cutAfter);
    }

    void setHeader(String name, String value) {
        http.getResponseHeaders().set(name, value);
    }

    /** Lets so many bytes through and then fails, which makes the HTTP server close the connection. */
    private static final class CutStream extends OutputStream {
        private final OutputStream out;
        private int left;

        CutStream(OutputStream out, int left) {
            this.out = out;
            this.left = left;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[]{(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            int some = Math.min(left, length);
            out.write(bytes, from, some);
            left -= some;
            if (some < length) {
                out.flush();
                throw new IOException("cut inside the answer, as asked for");
            }
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }
    }
}
