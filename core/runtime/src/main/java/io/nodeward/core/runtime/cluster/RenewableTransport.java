package io.nodeward.core.runtime.cluster;

import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A transport whose credentials can be renewed in place: what comes after goes out with the new ones, an answer that is
 * still streaming (a watch) goes on with those it was asked with. The old ones are let go with the last such answer.
 */
final class RenewableTransport implements Transport {
    /** Guarded by this, as is the rest. */
    private final Set<Generation> retired = new HashSet<>();
    private Generation current;
    private boolean closed;

    RenewableTransport(Transport first) {
        this.current = new Generation(first);
    }

    @Override
    public Response exchange(Request request) {
        Generation used = use();
        try {
            Response response = used.transport.exchange(request);
            return new Response(response.status(), response.retryAfter(), new Body(response.body(), used));
        } catch (RuntimeException failure) {
            release(used);
            throw failure;
        }
    }

    /** Closes {@code newer} if this transport is closed already. */
    void renew(Transport newer) {
        Generation old;
        boolean over;
        synchronized (this) {
            old = closed ? new Generation(newer) : current;
            if (!closed) {
                current = new Generation(newer);
            }
            over = old.inUse == 0;
            if (!over) {
                retired.add(old);
            }
        }
        if (over) {
            old.transport.close();
        }
    }

    private synchronized Generation use() {
        current.inUse++;
        return current;
    }

    private void release(Generation used) {
        boolean over;
        synchronized (this) {
            used.inUse--;
            over = used.inUse == 0 && retired.remove(used);
        }
        if (over) {
            Thread.ofVirtual().name("nodeward-retire").start(used.transport::close); // closing may block
        }
    }

    @Override
    public void close() {
        Set<Generation> all;
        synchronized (this) {
            closed = true;
            all = new HashSet<>(retired);
            all.add(current);
            retired.clear();
        }
        all.forEach(generation -> generation.transport.close());
    }

    private static final class Generation {
        private final Transport transport;
        private int inUse;

        Generation(Transport transport) {
            this.transport = transport;
        }
    }

    private final class Body extends FilterInputStream {
        private final Generation used;
        private final AtomicBoolean released = new AtomicBoolean();

        Body(InputStream body, Generation used) {
            super(body);
            this.used = used;
        }

        @Override
        public void close() throws IOException {
            try {
                super.close();
            } finally {
                if (released.compareAndSet(false, true)) {
                    release(used);
                }
            }
        }
    }
}
