package io.nodeward.backend.official;

import io.nodeward.core.spi.connect.BodyStream;
import io.nodeward.core.spi.connect.Failures;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import okhttp3.Call;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * Reads an answer's body in a thread of its own while more of it is wanted, as OkHttp's streams block, are for one
 * thread at a time, and an interrupted reader would close the socket.
 */
final class OkBody implements BodyStream.Source {
    /** Bytes; OkHttp hands out no more at a time. */
    private static final int PIECE = 8 * 1024;

    private final Call call;
    private final Response response;
    private final BodyStream stream;
    private final InputStream in;
    private final ReentrantLock reading = new ReentrantLock();
    private final Runnable onEnd;
    private final Thread.Builder threads;

    /**
     * Reads nothing yet.
     *
     * @param threads who reads
     * @param onEnd run when all has been read, or on cancelling; may be run more than once
     */
    OkBody(Call call, Response response, BodyStream stream, Thread.Builder threads, Runnable onEnd) {
        this.call = call;
        this.threads = threads;
        this.response = response;
        this.stream = stream;
        this.onEnd = onEnd;
        this.in = response.body().byteStream();
    }

    @Override
    public void more() {
        threads.start(this::read);
    }

    @Override
    public void cancel() {
        call.cancel();
        onEnd.run();
        Thread.ofVirtual().name("nodeward-official-body").start(this::release);
    }

    private void read() {
        reading.lock();
        try {
            boolean more = true;
            while (more) {
                more = readPiece();
            }
        } catch (IOException | RuntimeException e) {
            call.cancel(); // what cannot be decoded may still be coming
            onEnd.run();
            stream.ended(Optional.of(Failures.readable(e)));
            release();
        } finally {
            reading.unlock();
        }
    }

    private boolean readPiece() throws IOException {
        byte[] piece = new byte[PIECE];
        int length = in.read(piece);
        if (length < 0) {
            onEnd.run();
            stream.ended(Optional.empty());
            return false;
        }
        return stream.arrived(List.of(ByteBuffer.wrap(piece, 0, length)));
    }

    /** Gives back what OkHttp holds for a cancelled call. */
    private void release() {
        reading.lock();
        try {
            if (response.protocol() == Protocol.HTTP_2) {
                response.close();
            } else {
                // Closing would wait for the rest, with a timer; of a cancelled call the rest ends at once.
                in.transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException | RuntimeException e) {
            // cancelled
        } finally {
            reading.unlock();
        }
    }
}
