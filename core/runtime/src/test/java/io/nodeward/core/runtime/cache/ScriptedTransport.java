package io.nodeward.core.runtime.cache;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Answers as written down, one after the other; the last of them to all further calls. */
final class ScriptedTransport implements Transport {
    /** How a body goes on after its text. */
    enum Then {
        END,
        CUT,
        SILENCE
    }

    /** One answer. */
    @FunctionalInterface
    interface Step {
        Response to(Request call);
    }

    final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile InputStream last = InputStream.nullInputStream();
    private final Deque<Step> script = new ArrayDeque<>();

    ScriptedTransport(Step... script) {
        this.script.addAll(List.of(script));
    }

    /** Single quotes become double ones. */
    static Step says(int status, String text, Then then) {
        return call -> new Response(status, Optional.empty(), new Body(text.replace('\'', '"'), then));
    }

    static Step watch(Then then, String... events) {
        return says(200, String.join("\n", events), then);
    }

    /** The call gets no answer until its thread is interrupted. */
    static Response hang(Request call) {
        try {
            new CountDownLatch(1).await();
            throw new IllegalStateException("nobody counts it down");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiFailure.unreachable(call.path(), "interrupted", e);
        }
    }

    static String event(String type, String node, int version) {
        return "{'type':'%s','object':{'metadata':{'name':'%s','resourceVersion':'%d','labels':{'v':'%d'}}}}"
                .formatted(type, node, version, version);
    }

    static String bookmark(int version) {
        return "{'type':'BOOKMARK','object':{'metadata':{'resourceVersion':'%d'}}}".formatted(version);
    }

    static String initialEventsEnd(int version) {
        String metadata =
                "{'resourceVersion':'%d','annotations':{'k8s.io/initial-events-end':'true'}}".formatted(version);
        return "{'type':'BOOKMARK','object':{'metadata':" + metadata + "}}";
    }

    static Step list(int version, String... names) {
        String items = Stream.of(names)
                .map(n -> "{'metadata':{'name':'%s','resourceVersion':'%d'}}".formatted(n, version))
                .collect(Collectors.joining(","));
        return says(200, "{'metadata':{'resourceVersion':'%d'},'items':[%s]}".formatted(version, items), Then.END);
    }

    @Override
    public Response exchange(Request call) {
        Step next;
        synchronized (script) {
            calls.add(call.path());
            next = script.size() > 1 ? script.removeFirst() : script.getFirst();
        }
        Response answer = next.to(call);
        last = answer.body();
        return answer;
    }

    /** Whether the reader of the last answer has had all its text and waits for more, which never comes. */
    boolean silent() {
        return last instanceof Body body && body.silent;
    }

    @Override
    public void close() {}

    private static final class Body extends InputStream {
        private final InputStream text;
        private final Then then;
        private final CountDownLatch closed = new CountDownLatch(1);
        private volatile boolean silent;

        Body(String text, Then then) {
            this.text = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
            this.then = then;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = text.read(bytes, offset, length);
            if (count >= 0 || then == Then.END) {
                return count;
            }
            if (then == Then.SILENCE) {
                silent = true;
                try {
                    closed.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                silent = false;
            }
            throw new IOException(then == Then.CUT ? "connection reset" : "closed");
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }
}
