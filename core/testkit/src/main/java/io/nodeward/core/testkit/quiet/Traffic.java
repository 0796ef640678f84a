package io.nodeward.core.testkit.quiet;

import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The calls of one controller, and how far its watches have come. */
final class Traffic {
    /** In YAML or JSON. */
    private static final Pattern SERVER = Pattern.compile("\\bserver\"?:\\s*\"?([^\"\\s,}]+)");

    private final AtomicLong begun = new AtomicLong();
    private final AtomicInteger underWay = new AtomicInteger();
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();
    /** By who reads them. While he lives, one that has ended is to be taken up again. */
    private final Map<Thread, Watching> watches = new ConcurrentHashMap<>();

    Transport over(Transport transport, String kubeconfig) {
        Matcher server = SERVER.matcher(kubeconfig);
        if (!server.find()) {
            throw new IllegalArgumentException("a kubeconfig without a server");
        }
        Line line = new Line(transport, server.group(1));
        lines.add(line);
        return line;
    }

    /** Calls so far, watches too. */
    long begun() {
        return begun.get();
    }

    Optional<String> underWay() {
        return underWay.get() == 0 ? Optional.empty() : Optional.of("a call is under way");
    }

    /** The servers it is connected to now. */
    Stream<String> servers() {
        return lines.stream().map(line -> line.server);
    }

    /** Whether he has asked for a watch so far. */
    boolean knows(Thread reader) {
        return watches.containsKey(reader);
    }

    /** A watch of this server that has not come as far as {@code version}. */
    Optional<String> unseen(String server, long version, Collection<String> refused) {
        watches.keySet().removeIf(reader -> !reader.isAlive());
        Optional<String> behind = watches.values().stream()
                .filter(watch -> watch.server.equals(server) && watch.seen() < version)
                .filter(watch -> refused.stream().noneMatch(watch.path::contains))
                .map(watch -> watch.path + " has come to " + watch.seen() + ", not to " + version).findFirst();
        boolean watched = watches.values().stream().anyMatch(watch -> watch.server.equals(server));
        boolean connected = lines.stream().anyMatch(line -> line.server.equals(server));
        return behind.or(() -> connected && !watched
                ? Optional.of(server + " is connected, and not watched yet")
                : Optional.empty());
    }

    /** One asked for, and the last that its reader has asked for. */
    private record Watching(String server, String path, Optional<Followed> stream) {
        /** Less than any version if it does not stand. */
        long seen() {
            return stream.map(Followed::seen).orElse(-1L);
        }
    }

    private final class Line implements Transport {
        private final Transport transport;
        private final String server;

        Line(Transport transport, String server) {
            this.transport = transport;
            this.server = server;
        }

        @Override
        public Response exchange(Request call) {
            return call.path().contains("watch=true") ? watch(call) : once(call);
        }

        private Response watch(Request call) {
            Thread reader = Thread.currentThread();
            watches.put(reader, new Watching(server, call.path(), Optional.empty()));
            begun.incrementAndGet(); // after it is visible, so that a reader of the count sees it
            Response answer = transport.exchange(call);
            if (answer.status() != 200) {
                return answer;
            }
            Followed body = new Followed(answer.body());
            watches.put(reader, new Watching(server, call.path(), Optional.of(body)));
            return new Response(answer.status(), answer.retryAfter(), body);
        }

        private Response once(Request call) {
            underWay.incrementAndGet();
            begun.incrementAndGet(); // as above
            AtomicBoolean over = new AtomicBoolean();
            try {
                Response answer = transport.exchange(call);
                return new Response(answer.status(), answer.retryAfter(), new Body(answer.body(), over));
            } catch (RuntimeException | Error failure) {
                underWay.decrementAndGet();
                throw failure;
            }
        }

        @Override
        public void close() {
            lines.remove(this);
            transport.close();
        }
    }

    /** Of a call that is under way until it is closed. */
    private final class Body extends FilterInputStream {
        private final AtomicBoolean over;

        Body(InputStream body, AtomicBoolean over) {
            super(body);
            this.over = over;
        }

        @Override
        public void close() throws IOException {
            try {
                super.close();
            } finally {
                if (over.compareAndSet(false, true)) {
                    underWay.decrementAndGet();
                }
            }
        }
    }
}
