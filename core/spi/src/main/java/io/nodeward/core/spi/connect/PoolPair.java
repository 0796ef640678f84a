package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A transport's two pools, each a client with connections of its own, so that watches take no stream from the other
 * calls. Safe for use by many threads.
 *
 * @param <P> a connection pool of the client library
 */
final class PoolPair<P extends ConnectionPool> implements AutoCloseable {
    private final ConnectionPoolFactory<P> factory;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<P> retired = new ArrayList<>();
    private Optional<ClientCertificate> certificate;
    private P plain;
    private P streaming;
    private boolean closed;

    PoolPair(Optional<ClientCertificate> certificate, ConnectionPoolFactory<P> factory) {
        this.factory = factory;
        this.certificate = certificate;
        this.plain = factory.create(certificate, false);
        this.streaming = factory.create(certificate, true);
    }

    /** The pool for a call of one who shows this certificate; where it changed, new connections are made. */
    P pool(boolean streaming, Optional<ClientCertificate> shown) {
        lock.lock();
        try {
            if (!shown.equals(certificate) && !closed) {
                P newPlain = factory.create(shown, false); // first: one that cannot be used must not cost those that can
                P newStreaming = factory.create(shown, true);
                retired.removeIf(ConnectionPool::isOver);
                for (P old : List.of(this.plain, this.streaming)) {
                    retired.add(old);
                    old.retire();
                }
                certificate = shown;
                this.plain = newPlain;
                this.streaming = newStreaming;
            }
            return streaming ? this.streaming : plain;
        } finally {
            lock.unlock();
        }
    }

    /**
     * To be called when a call got no answer in time. An HTTP/2 connection that died without a word would swallow all that
     * follow, so they go over a new one; what is in flight on the old one may still end.
     */
    void retire(P pool) {
        lock.lock();
        try {
            retired.removeIf(ConnectionPool::isOver);
            if (closed || pool != plain && pool != streaming) {
                return;
            }
            retired.add(pool);
            pool.retire();
            if (pool == plain) {
                plain = factory.create(certificate, false);
            } else {
                streaming = factory.create(certificate, true);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        List<P> all = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            all.addAll(retired);
            all.add(plain);
            all.add(streaming);
        } finally {
            lock.unlock();
        }
        all.forEach(ConnectionPool::close);
    }
}
