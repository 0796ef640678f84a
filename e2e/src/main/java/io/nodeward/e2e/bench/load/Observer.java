package io.nodeward.e2e.bench.load;

import io.nodeward.core.spi.Resource;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sees through one watch what value of the bench's taint each object of the fleet has, and when it came. */
public final class Observer implements AutoCloseable {
    private static final Duration BEFORE_RETRY = Duration.ofMillis(200);

    private final Kubeconfig kubeconfig;
    private final String collection;
    private final int[] values;
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile String lastCut = "it has ended";
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile Listener listener = (index, value, at) -> {};
    private volatile @Nullable WatchConnection current;
    private volatile boolean closed;
    /** Of the last event that was read; 0 before the first, and when the server no longer has what came after it. */
    private long version;

    /** Told of every event of the fleet, in the thread that reads the watch. */
    public interface Listener {
        /**
         * @param value 0 for none
         * @param at {@link System#nanoTime} when its last byte had come
         */
        void event(int index, int value, long at);
    }

    private Observer(Kubeconfig kubeconfig, String collection, int size) {
        this.kubeconfig = kubeconfig;
        this.collection = collection;
        this.values = new int[size];
    }

    /** Returns when the watch has begun. */
    static Observer start(Kubeconfig kubeconfig, Resource resource, String namespace, int size) {
        Observer observer = new Observer(kubeconfig, resource.collection(namespace), size);
        Thread.ofPlatform().daemon().name("bench observer of " + resource.plural()).start(observer::follow);
        Pause.await(observer.started);
        return observer;
    }

    /** The value that was seen last; 0 for none. */
    public int value(int index) {
        return values[index];
    }

    /** How often the server ended the watch. No event is lost by a cut, but those across it came later than usual. */
    public int cuts() {
        return cuts.get();
    }

    /** From now on, instead of whom it was before. */
    public void tell(Listener who) {
        listener = who;
    }

    public void tellNobody() {
        listener = (index, value, at) -> {};
    }

    /** @throws Round.CutException if the server has ended the watch since there were so many cuts */
    public void requireUncut(int cutsBefore) {
        if (cuts.get() != cutsBefore) {
            throw new Round.CutException(lastCut);
        }
    }

    @Override
    public void close() {
        closed = true;
        WatchConnection watch = current;
        if (watch != null) {
            Thread.ofVirtual().start(watch::close); // it may wait for the reader, who waits for the next event
        }
    }

    private void follow() {
        while (!closed) {
            try (WatchConnection watch = WatchConnection.to(kubeconfig, collection, version)) {
                current = watch;
                read(watch.events());
                lastCut = "it has ended";
            } catch (IOException e) {
                lastCut = String.valueOf(e.getMessage());
            }
            // The next one goes on where this one ended: all objects anew would load those who are measured.
            if (!closed) {
                cuts.incrementAndGet();
                Pause.of(BEFORE_RETRY);
            }
        }
    }

    private void read(InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 20];
        int filled = 0;
        while (!closed) {
            int count = in.read(buffer, filled, buffer.length - filled);
            if (count < 0) {
                return;
            }
            long now = System.nanoTime();
            int from = events(buffer, filled, filled + count, now);
            filled += count;
            System.arraycopy(buffer, from, buffer, 0, filled - from);
            filled -= from;
            if (filled == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * buffer.length);
            }
        }
    }

    private int events(byte[] buffer, int searchFrom, int end, long now) throws IOException {
        int from = 0;
        for (int i = searchFrom; i < end; i++) {
            if (buffer[i] == '\n') {
                if (EventText.isError(buffer, from, i)) {
                    version = 0;
                    throw new IOException(new String(buffer, from, i - from, StandardCharsets.UTF_8));
                }
                event(buffer, from, i, now);
                from = i + 1;
            }
        }
        return from;
    }

    private void event(byte[] text, int from, int end, long now) {
        version = EventText.version(text, from, end);
        if (EventText.isBookmark(text, from, end)) {
            started.countDown(); // the one that ends the initial events is the first
            return;
        }
        int index = EventText.index(text, from, end);
        if (index >= 0 && index < values.length) {
            int value = EventText.value(text, from, end);
            values[index] = value;
            listener.event(index, value, now);
        }
    }
}
