package io.nodeward.e2e.bench.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a line of the audit log as a stream; a run has hundreds of thousands. */
final class AuditLine {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Set<String> INTO = Set.of("user", "objectRef", "responseStatus");
    private static final int REFUSED = 400;

    private AuditLine() {}

    /** Empty for a line that counts elsewhere: a watch counts when it starts, others when they end. */
    static Optional<LoggedRequest> read(byte[] bytes, int from, int length) throws IOException {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(bytes, from, length)) {
            parser.nextToken();
            object(parser, "", fields);
        }
        String verb = fields.getOrDefault("verb", "");
        int code = Integer.parseInt(fields.getOrDefault("responseStatus.code", "0"));
        boolean started = fields.getOrDefault("stage", "").equals("ResponseStarted");
        boolean counts = verb.equals("watch") ? started || code >= REFUSED : !started;
        return counts ? Optional.of(request(fields, verb, code)) : Optional.empty();
    }

    private static LoggedRequest request(Map<String, String> fields, String verb, int code) {
        String subresource = fields.getOrDefault("objectRef.subresource", "");
        String uri = fields.getOrDefault("requestURI", "");
        return new LoggedRequest(
                fields.getOrDefault("user.username", ""),
                fields.getOrDefault("userAgent", ""),
                verb,
                fields.getOrDefault("objectRef.resource", "") + (subresource.isEmpty() ? "" : "/" + subresource),
                fields.getOrDefault("objectRef.name", ""),
                uri.replaceFirst("\\?.*", ""),
                uri.contains("sendInitialEvents=true"),
                code,
                Instant.parse(fields.getOrDefault("requestReceivedTimestamp", "1970-01-01T00:00:00Z")));
    }

    private static void object(JsonParser parser, String prefix, Map<String, String> fields) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_OBJECT && prefix.isEmpty() && INTO.contains(name)) {
                object(parser, name + ".", fields);
            } else if (value.isScalarValue()) {
                fields.put(prefix + name, parser.getText());
            } else {
                parser.skipChildren();
            }
        }
    }
}
