package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An answer's body as it arrives. It asks for more only while little is unread, so memory stays constant however slowly
 * it is read. Closing it from any thread ends a blocked read.
 */
final class BodyStream extends InputStream implements AsyncBody.Consumer<List<ByteBuffer>> {
    /** Bytes unread above which no more are asked for. */
    private static final int ENOUGH = 128 * 1024;

    private static final Runnable NOTHING = () -> {};

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<ByteBuffer> unread = new ArrayDeque<>();
    private final Consumer<BodyStream> onEnd;
    private OptionalLong deadline = OptionalLong.empty();
    /** Dropped at the end: it leads to the client, which keeps its last body with an idle connection. */
    private Runnable late = NOTHING;
    private int bytesUnread;
    private boolean asked;
    private boolean complete;
    private @Nullable String closed;
    private @Nullable Throwable cut;
    private @Nullable AsyncBody source;

    BodyStream(Consumer<BodyStream> onEnd) {
        this.onEnd = onEnd;
    }

    /** Lets every read that goes beyond it fail, after {@code late}. */
    void endAt(long nanoTime, Runnable late) {
        this.deadline = OptionalLong.of(nanoTime);
        this.late = late;
    }

    /** Starts to read from {@code body}, once the answer's head is there. */
    void start(AsyncBody body) {
        lock.lock();
        try {
            source = body;
            asked = true;
            if (closed != null) {
                body.cancel();
                return;
            }
        } finally {
            lock.unlock();
        }
        // Not under the lock: the body may call back before these return.
        body.done().whenComplete((nothing, failure) -> end(failure));
        body.consume();
    }

    @Override
    public void consume(List<ByteBuffer> buffers, AsyncBody body) {
        lock.lock();
        try {
            asked = false;
            if (closed == null) {
                for (ByteBuffer buffer : buffers) {
                    if (buffer.hasRemaining()) {
                        unread.add(buffer);
                        bytesUnread += buffer.remaining();
                    }
                }
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        askForMore();
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

    void close(String why) {
        AsyncBody body;
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
            body = complete ? null : source;
        } finally {
            lock.unlock();
        }
        if (body != null) {
            body.cancel();
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
            if (cut != null) {
                throw new IOException("the answer was cut: " + Failures.words(cut), cut);
            }
            if (complete) {
                return null;
            }
            awaitChange();
        }
    }

    private void awaitChange() throws IOException {
        try {
            if (deadline.isEmpty()) {
                changed.await();
            } else if (changed.awaitNanos(deadline.getAsLong() - System.nanoTime()) <= 0) {
                late.run();
                throw new IOException("the answer did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading an answer");
        }
    }

    private void askForMore() {
        AsyncBody body;
        lock.lock();
        try {
            if (asked || complete || closed != null || bytesUnread >= ENOUGH || source == null) {
                return;
            }
            asked = true;
            body = source;
        } finally {
            lock.unlock();
        }
        body.consume();
    }

    private void end(@Nullable Throwable failure) {
        lock.lock();
        try {
            complete = true;
            late = NOTHING;
            cut = failure;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onEnd.accept(this);
    }
}
