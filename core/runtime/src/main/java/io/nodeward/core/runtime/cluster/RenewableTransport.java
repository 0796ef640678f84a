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
import java.util.concurrent.locks.ReentrantLock;

/**
 * A transport whose credentials can be renewed in place: what comes after goes out with the new ones, an answer that is
 * still streaming (a watch) goes on with those it was asked with. The old ones are let go with the last such answer.
 */
final class RenewableTransport implements Transport {
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Generation> retired = new HashSet<>();
    private Generation current;
    private boolean closed;

    RenewableTransport(Transport first) {
        this.current = new Generation(first);
    }

    @Override
    public Response exchange(Request request) {
        Generation used = use();
        Runnable done = once(used);
        try {
            Response response = used.transport.exchange(request);
            return new Response(response.status(), response.retryAfter(), new Body(response.body(), done));
        } catch (RuntimeException failure) {
            done.run();
            throw failure;
        }
    }

    /** Closes {@code newer} if this transport is closed already. */
    void renew(Transport newer) {
        Generation old;
        boolean over;
        lock.lock();
        try {
            old = closed ? new Generation(newer) : current;
            if (!closed) {
                current = new Generation(newer);
            }
            over = old.inUse == 0;
            if (!over) {
                retired.add(old);
            }
        } finally {
            lock.unlock();
        }
        if (over) {
            old.transport.close();
        }
    }

    private Generation use() {
        lock.lock();
        try {
            current.inUse++;
            return current;
        } finally {
            lock.unlock();
        }
    }

    private Runnable once(Generation used) {
        AtomicBoolean released = new AtomicBoolean();
        return () -> {
            if (released.compareAndSet(false, true)) {
                release(used);
            }
        };
    }

    private void release(Generation used) {
        boolean over;
        lock.lock();
        try {
            used.inUse--;
            over = used.inUse == 0 && retired.remove(used);
        } finally {
            lock.unlock();
        }
        if (over) {
            Thread.ofVirtual().name("nodeward-retire").start(used.transport::close); // closing may block
        }
    }

    @Override
    public void close() {
        Set<Generation> all;
        lock.lock();
        try {
            closed = true;
            all = new HashSet<>(retired);
            all.add(current);
            retired.clear();
        } finally {
            lock.unlock();
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

    private static final class Body extends FilterInputStream {
        private final Runnable done;

        Body(InputStream body, Runnable done) {
            super(body);
            this.done = done;
        }

        @Override
        public void close() throws IOException {
            try {
                super.close();
            } finally {
                done.run();
            }
        }
    }
}
