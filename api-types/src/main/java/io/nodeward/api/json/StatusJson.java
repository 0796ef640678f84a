package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads {@code meta/v1 Status}. */
public final class StatusJson {
    private static final int LONGEST_TEXT = 256;
    /** Failures are kept and repeated; a server must not fill memory with one. */
    private static final int LONGEST_MESSAGE = 4096;

    private static final Shape SHAPE = ShapeReader.shape(
            "code", "reason", "message", "details.retryAfterSeconds", "details.causes.reason,message");

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
        Tree status = TreeReader.first().read(p, SHAPE);
        Tree details = status.at("details");
        return new Status(number(status.at("code")), text(status, "reason", LONGEST_TEXT),
                text(status, "message", LONGEST_MESSAGE), number(details.at("retryAfterSeconds")),
                details.at("causes").elements().stream().findFirst().map(cause -> text(cause, "reason", LONGEST_TEXT)
                        + ": " + text(cause, "message", LONGEST_MESSAGE)).orElse(""));
    }

    private static int number(Tree field) {
        return Math.clamp(field.integer().orElse(0), 0, Integer.MAX_VALUE);
    }

    private static String text(Tree object, String field, int longest) {
        return cut(Parts.scalar(object.at(field)), longest);
    }
}
