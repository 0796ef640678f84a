package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The watches that are open. Each reads the store's log at its own pace, so a slow one holds nobody up. */
final class Watches {
    /** Before its deadline, a watch says for the last time how far it has seen. */
    private static final Duration LAST_BOOKMARK = Duration.ofSeconds(2);

    private final Duration bookmarkEvery;
    private final Set<Watch> open = ConcurrentHashMap.newKeySet();

    Watches(Duration bookmarkEvery) {
        this.bookmarkEvery = bookmarkEvery;
    }

    int count() {
        return open.size();
    }

    /** Cuts the connections of all watches; says how many there were. */
    int drop() {
        List<Watch> now = List.copyOf(open);
        now.forEach(watch -> {
            watch.dropped = true;
            watch.store.wake();
        });
        return now.size();
    }

    void serve(Exchange exchange, Store store, String namespace, View view) throws IOException {
        ListOptions options = new ListOptions(exchange, true);
        Watch watch = new Watch(store, namespace, options.selector(store.kind()), view, options);
        Store.@Nullable Snapshot initial = null;
        long version = options.version();
        try {
            if (options.sendsInitialEvents()) {
                initial = store.snapshot(namespace, 0, "");
                watch.position = initial.next();
            } else {
                watch.position = store.positionAfter(version == 0 ? Long.MAX_VALUE : version);
            }
        } catch (Refusal expired) {
            watch.failed(exchange, expired);
            return;
        }
        long seconds = exchange.query("timeoutSeconds").matches("[1-9][0-9]{0,8}")
                ? Long.parseLong(exchange.query("timeoutSeconds"))
                : ThreadLocalRandom.current().nextLong(1800, 3600);
        open.add(watch);
        try (OutputStream out = head(exchange)) {
            watch.run(out, initial, System.nanoTime() + Duration.ofSeconds(seconds).toNanos());
        } catch (InterruptedException e) {
            throw new IOException("the server stops", e);
        } finally {
            open.remove(watch);
        }
    }

    // The head goes out at once: a client waits for it before it waits for events.
    private static OutputStream head(Exchange exchange) throws IOException {
        exchange.setHeader("Content-Type", "application/json");
        OutputStream out = new Unclosed(exchange.open(200, -1));
        out.flush();
        return out;
    }

    /** Closing would end the answer properly, which after a failure is not what happened; the handler ends it. */
    private static final class Unclosed extends BufferedOutputStream {
        Unclosed(OutputStream out) {
            super(out, 32 * 1024);
        }

        @Override
        public void close() {}
    }

    private final class Watch {
        private final Store store;
        private final String namespace;
        private final Selector selector;
        private final View view;
        private final ListOptions options;
        private long position;
        private boolean columnsSent;
        private volatile boolean dropped;

        Watch(Store store, String namespace, Selector selector, View view, ListOptions options) {
            this.store = store;
            this.namespace = namespace;
            this.selector = selector;
            this.view = view;
            this.options = options;
        }

        void failed(Exchange exchange, Refusal refusal) throws IOException {
            try (OutputStream out = exchange.open(200, -1)) {
                error(out, refusal);
            }
        }

        void run(OutputStream out, Store.@Nullable Snapshot initial, long deadline)
                throws IOException, InterruptedException {
            if (initial != null) {
                for (Stored stored : initial.objects()) {
                    if (selector.matches(stored)) {
                        event(out, "ADDED", stored);
                    }
                }
                if (options.bookmarks()) {
                    bookmark(out, initial.version(), true);
                }
            }
            out.flush();
            try {
                follow(out, deadline);
            } catch (Refusal expired) {
                error(out, expired);
            }
            out.flush();
        }

        private void follow(OutputStream out, long deadline) throws IOException, InterruptedException {
            long bookmarkAt = nextBookmark(System.nanoTime(), deadline);
            while (true) {
                long until = Math.min(deadline, bookmarkAt);
                List<Store.Change> changes = store.changes(position, until - System.nanoTime(), () -> dropped);
                if (dropped) {
                    throw new IOException("watch dropped, as asked for");
                }
                for (Store.Change change : changes) {
                    show(out, change);
                }
                position += changes.size();
                long now = System.nanoTime();
                if (now >= deadline) {
                    return;
                }
                long seen = store.seenUpTo(position);
                if (now >= bookmarkAt && seen > 0) {
                    bookmarkAt = nextBookmark(now, deadline);
                    if (options.bookmarks()) {
                        bookmark(out, seen, false);
                    }
                }
                if (seen > 0) {
                    out.flush();
                }
            }
        }

        private long nextBookmark(long now, long deadline) {
            long regular = now + bookmarkEvery.toNanos();
            long last = deadline - LAST_BOOKMARK.toNanos();
            return last - now > 0 && last - regular < 0 ? last : regular;
        }

        // An object that starts to match was added for this watch, and one that stops was deleted.
        private void show(OutputStream out, Store.Change change) throws IOException {
            Stored before = change.before();
            Stored after = change.after();
            boolean was = before != null && concerns(before);
            if (after != null && concerns(after)) {
                event(out, was ? "MODIFIED" : "ADDED", after);
            } else if (was && before != null) {
                event(out, "DELETED", before.at(store.kind(), change.version()));
            }
        }

        private boolean concerns(Stored stored) {
            return (namespace.isEmpty() || namespace.equals(stored.namespace())) && selector.matches(stored);
        }

        private void event(OutputStream out, String type, Stored stored) throws IOException {
            start(out, type);
            view.writeObject(out, stored, !columnsSent);
            columnsSent = true;
            out.write(bytes("}\n"));
        }

        private void bookmark(OutputStream out, long version, boolean initialEventsEnd) throws IOException {
            whole(out, "BOOKMARK", view.bookmark(version, initialEventsEnd));
        }

        private void error(OutputStream out, Refusal refusal) throws IOException {
            whole(out, "ERROR", refusal.status());
        }

        private void whole(OutputStream out, String type, ObjectNode object) throws IOException {
            start(out, type);
            out.write(Json.bytes(object));
            out.write(bytes("}\n"));
        }

        private void start(OutputStream out, String type) throws IOException {
            out.write(bytes("{\"type\":\"" + type + "\",\"object\":"));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
