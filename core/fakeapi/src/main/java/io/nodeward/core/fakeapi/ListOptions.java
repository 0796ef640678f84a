package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The query parameters of a list or a watch, checked as the real server checks them. */
final class ListOptions {
    /** Where a page starts and of which version it is; version -1 is the newest. */
    record Token(long version, String start) {
        static Token parse(String text) {
            try {
                JsonNode token = Json.MAPPER.readTree(Base64.getUrlDecoder().decode(text));
                if (!token.path("v").asText().equals("meta.k8s.io/v1")) {
                    throw Refusal.badRequest("invalid continue token: continue key is not valid: unknown version");
                }
                return new Token(token.path("rv").asLong(), Json.text(token, "start"));
            } catch (IOException | IllegalArgumentException e) {
                throw Refusal.badRequest("invalid continue token: continue key is not valid: " + e.getMessage());
            }
        }

        String text() {
            ObjectNode token = Json.object();
            token.put("v", "meta.k8s.io/v1").put("rv", version).put("start", start);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(
                    token.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private final Exchange exchange;
    private final boolean watch;
    private final String match;
    private final String initial;

    ListOptions(Exchange exchange, boolean watch) {
        this.exchange = exchange;
        this.watch = watch;
        this.match = exchange.query("resourceVersionMatch");
        this.initial = exchange.query("sendInitialEvents");
        List<Violation> wrong = watch ? checkWatch() : checkList();
        if (!wrong.isEmpty()) {
            throw Refusal.invalid("meta.k8s.io", "ListOptions", "", wrong);
        }
    }

    Selector selector(Kind kind) {
        return new Selector(kind, exchange.query("labelSelector"), exchange.query("fieldSelector"));
    }

    int limit() {
        String limit = exchange.query("limit");
        return limit.matches("[0-9]{1,9}") ? Integer.parseInt(limit) : 0;
    }

    String continueToken() {
        return exchange.query("continue");
    }

    boolean exact() {
        return match.equals("Exact");
    }

    String asked() {
        return exchange.query("resourceVersion");
    }

    /** The resourceVersion asked for; 0 for none. */
    long version() {
        String text = asked();
        if (text.isEmpty()) {
            return 0;
        }
        if (!text.matches("[0-9]{1,18}")) {
            String why = "resourceVersion: Invalid value: \"" + text + "\": strconv.ParseUint: parsing \"" + text
                    + "\": invalid syntax";
            throw watch ? Refusal.of(500, "", why) : Refusal.badRequest("invalid resource version: " + why);
        }
        return Long.parseLong(text);
    }

    boolean bookmarks() {
        return exchange.flag("allowWatchBookmarks");
    }

    /** Whether a watch begins with what is there. */
    boolean sendsInitialEvents() {
        return initial.isEmpty() ? version() == 0 : exchange.flag("sendInitialEvents");
    }

    private List<Violation> checkList() {
        List<Violation> wrong = new ArrayList<>();
        if (!match.isEmpty() && asked().isEmpty()) {
            wrong.add(matchForbidden("resourceVersionMatch is forbidden unless resourceVersion is provided"));
        }
        if (match.equals("Exact") && asked().equals("0")) {
            wrong.add(matchForbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
        }
        if (!match.isEmpty() && !match.equals("Exact") && !match.equals("NotOlderThan")) {
            wrong.add(Violation.unsupported("resourceVersionMatch", match, "Exact", "NotOlderThan", ""));
        }
        if (!initial.isEmpty()) {
            wrong.add(Violation.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        return wrong;
    }

    private List<Violation> checkWatch() {
        List<Violation> wrong = new ArrayList<>();
        if (initial.isEmpty() && !match.isEmpty()) {
            wrong.add(
                    matchForbidden("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
        }
        if (!initial.isEmpty() && match.isEmpty()) {
            wrong.add(matchForbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        }
        if (!match.isEmpty() && !match.equals("NotOlderThan")) {
            wrong.add(Violation.unsupported("resourceVersionMatch", match, "NotOlderThan"));
        }
        return wrong;
    }

    private static Violation matchForbidden(String why) {
        return Violation.forbidden("resourceVersionMatch", why);
    }
}
