package io.nodeward.core.spi.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer's body as it arrives. It asks for more only while little is unread, so memory stays constant however slowly
 * it is read. Closing it from any thread ends a blocked read, and so does interrupting the reader.
 */
public final class BodyStream extends InputStream {
    /** Where the bytes come from; neither method may block. */
    public interface Source {
        /**
         * Lets some more bytes {@link #arrived arrive}, or the body {@link #ended end}, now or later, in any thread.
         */
        void more();

        /** Nothing more is wanted. */
        void cancel();
    }

    /** Bytes unread above which no more are asked for. */
    private static final int ENOUGH = 128 * 1024;
    /** Bytes unread below which it is asked for again: each time may take a new thread. */
    private static final int FEW = ENOUGH / 2;

    private static final Runnable NOTHING = () -> {};

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<ByteBuffer> unread = new ArrayDeque<>();
    private final Consumer<BodyStream> onEnd;
    private Optional<LongSupplier> nanosLeft = Optional.empty();
    /** Dropped at the end: it leads to the client, and a client keeps its last body with an idle connection. */
    private Runnable late = NOTHING;
    private int bytesUnread;
    private boolean asked;
    private boolean complete;
    private @Nullable String closed;
    private Optional<IOException> cut = Optional.empty();
    private @Nullable Source source;

    /** @param onEnd called when all has arrived, or on closing; perhaps more than once */
    public BodyStream(Consumer<BodyStream> onEnd) {
        this.onEnd = onEnd;
    }

    /** Lets every read fail that would go on when no nanosecond is left, after {@code late}. */
    public void endWhen(LongSupplier nanosLeft, Runnable late) {
        this.nanosLeft = Optional.of(nanosLeft);
        this.late = late;
    }

    /** Starts to read from {@code from}, once the answer's head is there. */
    public void start(Source from) {
        lock.lock();
        try {
            source = from;
            asked = true;
            if (closed != null) {
                from.cancel();
                return;
            }
        } finally {
            lock.unlock();
        }
        from.more(); // not under the lock: it may call back before it returns
    }

    /**
     * To be called by the source, once for each time that more was asked for.
     *
     * @return whether more is asked for herewith: a thread that reads a watch goes on reading, where asking by
     *     {@link Source#more} would be taken up by another one, which has to wake first
     */
    public boolean arrived(List<ByteBuffer> buffers) {
        lock.lock();
        try {
            if (closed == null) {
                for (ByteBuffer buffer : buffers) {
                    if (buffer.hasRemaining()) {
                        unread.add(buffer);
                        bytesUnread += buffer.remaining();
                    }
                }
                changed.signalAll();
            }
            asked = closed == null && bytesUnread < ENOUGH;
            return asked;
        } finally {
            lock.unlock();
        }
    }

    /** To be called by the source when the body is complete, or was {@code cut}. */
    public void ended(Optional<IOException> why) {
        lock.lock();
        try {
            complete = true;
            late = NOTHING;
            cut = why;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onEnd.accept(this);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        int read = take(bytes, offset, length);
        askForMore();
        return read;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return bytesUnread;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        close("the answer was closed");
    }

    /** @param why the message that the reader gets */
    public void close(String why) {
        Source rest;
        lock.lock();
        try {
            if (closed != null) {
                return;
            }
            closed = why;
            late = NOTHING;
            unread.clear();
            bytesUnread = 0;
            changed.signalAll();
            rest = complete ? null : source;
        } finally {
            lock.unlock();
        }
        if (rest != null) {
            rest.cancel();
        }
        onEnd.accept(this);
    }

    private int take(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            ByteBuffer next = awaitNext();
            if (next == null) {
                return -1;
            }
            int count = Math.min(length, next.remaining());
            next.get(bytes, offset, count);
            bytesUnread -= count;
            if (!next.hasRemaining()) {
                unread.remove();
            }
            return count;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable ByteBuffer awaitNext() throws IOException {
        while (true) {
            if (closed != null) {
                throw new IOException(closed);
            }
            if (!unread.isEmpty()) {
                return unread.peek();
            }
            if (cut.isPresent()) {
                throw new IOException("the answer was cut: " + Failures.words(cut.get()), cut.get());
            }
            if (complete) {
                return null;
            }
            awaitChange();
        }
    }

    private void awaitChange() throws IOException {
        try {
            if (nanosLeft.isEmpty()) {
                changed.await();
            } else if (changed.awaitNanos(nanosLeft.get().getAsLong()) <= 0) {
                late.run();
                throw new IOException("the answer did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading an answer");
        }
    }

    private void askForMore() {
        Source from;
        lock.lock();
        try {
            if (asked || complete || closed != null || bytesUnread > FEW || source == null) {
                return;
            }
            asked = true;
            from = source;
        } finally {
            lock.unlock();
        }
        from.more();
    }
}
