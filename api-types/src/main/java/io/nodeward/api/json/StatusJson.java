package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads {@code meta/v1 Status}. */
public final class StatusJson {
    private static final int LONGEST_TEXT = 256;
    /** Failures are kept and repeated; a server must not fill memory with one. */
    private static final int LONGEST_MESSAGE = 4096;

    private StatusJson() {}

    /**
     * Reads the body of an answer that is not a success. A body that is no Status (a proxy's page, plain text) becomes
     * the message, cut to 256 characters; a Status's own is cut to 4096.
     *
     * @param code HTTP status, which wins over the body's
     */
    public static Status read(int code, byte[] body) {
        try (JsonParser p = Json.parser(body)) {
            p.nextToken();
            Status status = read(p);
            return new Status(code, status.reason(), status.message(), status.retryAfterSeconds(),
                    status.cause());
        } catch (IOException | NullPointerException notJson) {
            String text = new String(body, StandardCharsets.UTF_8).strip();
            return new Status(code, "", cut(text, LONGEST_TEXT), 0);
        }
    }

    private static String cut(String text, int longest) {
        return text.length() > longest ? text.substring(0, longest) : text;
    }

    static Status read(JsonParser p) throws IOException {
        String[] texts = {"", "", ""};
        int[] numbers = {0, 0};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "code" -> numbers[0] = Json.number(value);
                case "reason" -> texts[0] = cut(Json.text(value), LONGEST_TEXT);
                case "message" -> texts[1] = cut(Json.text(value), LONGEST_MESSAGE);
                case "details" -> Json.fields(value, (name, v) -> {
                    switch (name) {
                        case "retryAfterSeconds" -> numbers[1] = Json.number(v);
                        case "causes" -> Json.endless(v, each -> {
                            String cause = cause(each);
                            texts[2] = texts[2].isEmpty() ? cause : texts[2];
                        });
                        default -> v.skipChildren();
                    }
                });
                default -> value.skipChildren();
            }
        });
        return new Status(numbers[0], texts[0], texts[1], numbers[1], texts[2]);
    }

    private static String cause(JsonParser p) throws IOException {
        String[] texts = {"", ""};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "reason" -> texts[0] = cut(Json.text(value), LONGEST_TEXT);
                case "message" -> texts[1] = cut(Json.text(value), LONGEST_MESSAGE);
                default -> value.skipChildren();
            }
        });
        return texts[0] + ": " + texts[1];
    }
}
