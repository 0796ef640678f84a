package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A transport's two lines, each a client with connections of its own, so that watches take no stream from the other
 * calls. Safe for use by many threads.
 *
 * @param <L> a line of the client library
 */
final class OwnLines<L extends Line> implements AutoCloseable {
    private final LineMaker<L> maker;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<L> retired = new ArrayList<>();
    private Optional<ClientCertificate> certificate;
    private L plain;
    private L streaming;
    private boolean closed;

    OwnLines(Optional<ClientCertificate> certificate, LineMaker<L> maker) {
        this.maker = maker;
        this.certificate = certificate;
        this.plain = maker.make(certificate, false);
        this.streaming = maker.make(certificate, true);
    }

    /** The line for a call of one who shows this certificate; where it changed, new connections are made. */
    L line(boolean streaming, Optional<ClientCertificate> shown) {
        lock.lock();
        try {
            if (!shown.equals(certificate) && !closed) {
                L newPlain = maker.make(shown, false); // first: one that cannot be used must not cost those that can
                L newStreaming = maker.make(shown, true);
                retired.removeIf(Line::isOver);
                for (L old : List.of(this.plain, this.streaming)) {
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
     * To be told when a call got no answer in time. An HTTP/2 connection that died without a word would swallow all that
     * follow, so they go over a new one; what is in flight on the old one may still end.
     */
    void retire(L line) {
        lock.lock();
        try {
            retired.removeIf(Line::isOver);
            if (closed || line != plain && line != streaming) {
                return;
            }
            retired.add(line);
            line.retire();
            if (line == plain) {
                plain = maker.make(certificate, false);
            } else {
                streaming = maker.make(certificate, true);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        List<L> all = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            all.addAll(retired);
            all.add(plain);
            all.add(streaming);
        } finally {
            lock.unlock();
        }
        all.forEach(Line::close);
    }
}
