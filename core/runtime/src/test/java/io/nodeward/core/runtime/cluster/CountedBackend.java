package io.nodeward.core.runtime.cluster;

import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Knows the connections and calls that were made through it and are not over, whatever else goes on in this process. */
final class CountedBackend implements Backend {
    /** Both together: less than a watch may be silent. */
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofSeconds(10);

    private final Backend backend;
    private final ManualTime time;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private volatile String unclosable = "nowhere";

    CountedBackend(Backend backend, ManualTime time) {
        this.backend = backend;
        this.time = time;
    }

    /** Of the server at this address nothing closes without a failure. */
    void failToClose(String url) {
        unclosable = url;
    }

    int openConnections() {
        return connections.get();
    }

    /** Lets time pass for the next that waits for it, unless something real has to come first: an answer, a bookmark. */
    void passWait() {
        time.waits().stream().findFirst().ifPresent(next -> pass(next.compareTo(STEP) < 0 ? next : STEP));
    }

    /** As above, whether anybody waits or not: what comes again and again is due some time, too. */
    void passStep() {
        pass(STEP);
    }

    private void pass(Duration length) {
        long now = time.nanoTime();
        if (calls.get() == 0 && streams.stream().allMatch(stream -> now - stream.lastByte < SILENCE.toNanos())) {
            time.pass(length);
        }
    }

    @Override
    public String name() {
        return backend.name();
    }

    @Override
    public Transport connect(ClusterAccess access) {
        Transport transport = backend.connect(access);
        connections.incrementAndGet();
        AtomicBoolean open = new AtomicBoolean(true);
        BooleanSupplier fails = () -> access.kubeconfig().contains(unclosable);
        return new Transport() {
            @Override
            public Response exchange(Request call) {
                return counted(transport, call, fails);
            }

            @Override
            public void close() {
                transport.close();
                if (open.compareAndSet(true, false)) {
                    connections.decrementAndGet();
                }
                if (fails.getAsBoolean()) {
                    throw new IllegalStateException("of the test");
                }
            }
        };
    }

    private Response counted(Transport transport, Request call, BooleanSupplier fails) {
        calls.incrementAndGet();
        boolean whole = false;
        try {
            Response answer = transport.exchange(call);
            whole = !call.streaming() || answer.status() != 200;
            return new Response(answer.status(), answer.retryAfter(),
                    whole ? new Whole(answer.body()) : new Stream(answer.body(), fails));
        } finally {
            if (!whole) {
                calls.decrementAndGet();
            }
        }
    }

    /** A body that belongs to its call. */
    private final class Whole extends FilterInputStream {
        private final AtomicBoolean open = new AtomicBoolean(true);

        Whole(InputStream body) {
            super(body);
        }

        @Override
        public void close() throws IOException {
            try {
                super.close();
            } finally {
                if (open.compareAndSet(true, false)) {
                    calls.decrementAndGet();
                }
            }
        }
    }

    private final class Stream extends FilterInputStream {
        private final BooleanSupplier fails;
        private volatile long lastByte = time.nanoTime();

        /** @param fails whether closing it does */
        Stream(InputStream body, BooleanSupplier fails) {
            super(body);
            this.fails = fails;
            streams.add(this);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = -1;
            try {
                count = super.read(bytes, offset, length);
                lastByte = time.nanoTime();
                return count;
            } finally {
                if (count < 0) {
                    streams.remove(this);
                }
            }
        }

        @Override
        public void close() throws IOException {
            streams.remove(this);
            super.close();
            if (fails.getAsBoolean()) {
                throw new IOException("of the test");
            }
        }
    }
}
