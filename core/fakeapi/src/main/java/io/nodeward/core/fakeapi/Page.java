package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** One page of a list, of the version the first page had. */
record Page(List<Stored> items, ObjectNode metadata) {
    static Page of(Store store, String namespace, ListOptions options) {
        Selector selector = options.selector(store.kind());
        Store.Snapshot snapshot = snapshot(store, namespace, options);
        List<Stored> items = new ArrayList<>();
        int limit = options.limit();
        int read = 0;
        for (Stored stored : snapshot.objects()) {
            if (limit > 0 && items.size() == limit) {
                break;
            }
            read++;
            if (selector.matches(stored)) {
                items.add(stored);
            }
        }
        ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(snapshot.version()));
        int remaining = snapshot.objects().size() - read;
        if (remaining > 0) {
            Stored last = snapshot.objects().get(read - 1);
            String start = Store.key(last.namespace(), last.name()) + "\0";
            metadata.put("continue", new ListOptions.Token(snapshot.version(), start).text());
            if (selector.isEmpty()) {
                metadata.put("remainingItemCount", remaining);
            }
        }
        return new Page(items, metadata);
    }

    private static Store.Snapshot snapshot(Store store, String namespace, ListOptions options) {
        long asked = options.version();
        if (options.continueToken().isEmpty()) {
            store.requireReached(asked);
            return store.snapshot(namespace, options.exact() ? asked : 0, "");
        }
        if (asked > 0) {
            throw Refusal.badRequest("specifying resource version is not allowed when using continue");
        }
        ListOptions.Token token = ListOptions.Token.parse(options.continueToken());
        try {
            return store.snapshot(namespace, Math.max(0, token.version()), token.start());
        } catch (Refusal expired) {
            throw expired(expired, token);
        }
    }

    // As the real server, it offers to go on from the same place with what is there now.
    private static Refusal expired(Refusal cause, ListOptions.Token token) {
        if (cause.code() != 410) {
            return cause;
        }
        Refusal refusal =
                Refusal.expired("The provided continue parameter is too old to display a consistent list result. "
                        + "You can start a new list without the continue parameter, or use the continue token in this response to "
                        + "retrieve the remainder of the results.");
        refusal.status().withObject("metadata").put("continue", new ListOptions.Token(-1, token.start()).text());
        return refusal;
    }
}
