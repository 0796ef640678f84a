package io.nodeward.core.fakeapi;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Who may do what, by bearer token. Like the real server, it looks when a request begins: watches outlive their token. */
final class Authorizer {
    private static final String SCHEME = "Bearer ";
    private static final Predicate<Request> NOT_ANY_MORE = request -> false;

    private final boolean anyone;
    private final Map<String, Predicate<Request>> admitted = new ConcurrentHashMap<>();

    /** @param token of one who may do everything; if empty, everybody may who was not turned away */
    Authorizer(Optional<String> token) {
        this.anyone = token.isEmpty();
        token.ifPresent(t -> admit(t, request -> true));
    }

    void admit(String token, Predicate<Request> allowed) {
        admitted.put(token, allowed);
    }

    void turnAway(String token) {
        admitted.put(token, NOT_ANY_MORE);
    }

    void require(Exchange exchange) {
        String header = exchange.header("Authorization");
        String token = header.startsWith(SCHEME) ? header.substring(SCHEME.length()) : "";
        Predicate<Request> allowed = admitted.getOrDefault(token, request -> anyone);
        if (allowed == NOT_ANY_MORE || !anyone && !admitted.containsKey(token)) {
            throw Refusal.of(401, "Unauthorized", "Unauthorized");
        }
        Request request = exchange.request();
        if (!allowed.test(request)) {
            throw Refusal.of(403, "Forbidden", "forbidden: User \"guest\" cannot "
                    + request.method().toLowerCase(Locale.ROOT) + " path \"" + request.path() + "\"");
        }
    }
}
