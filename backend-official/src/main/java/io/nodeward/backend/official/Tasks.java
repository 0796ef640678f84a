package io.nodeward.backend.official;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.internal.concurrent.TaskRunner;
import okhttp3.internal.connection.ConnectionListener;

/**
 * Runs the chores of OkHttp's connections (reading HTTP/2 frames, closing idle connections) in threads that end with the
 * last connection. OkHttp's own runner is one for the whole JVM, has a platform thread per HTTP/2 connection
 * and keeps idle ones for a minute. What is used here is not of its public API, so it is used here alone.
 */
final class Tasks implements TaskRunner.Backend {
    /** As many as there are calls in flight without HTTP/2, for as long as the JDK's client keeps them. */
    private static final int IDLE_CONNECTIONS = 64;

    private static final long IDLE_SECONDS = 30;

    private final TaskRunner.Backend waiting =
            new TaskRunner.RealBackend(Thread.ofVirtual().name("nodeward-okhttp").factory());

    private final boolean platform;

    private Tasks(boolean platform) {
        this.platform = platform;
    }

    /**
     * Gives the client to be built connections of its own.
     *
     * @param streaming whether they are read for long, which takes less in platform threads (docs/decisions/0009)
     */
    static ConnectionPool ownConnections(OkHttpClient.Builder client, boolean streaming) {
        TaskRunner runner = new TaskRunner(new Tasks(streaming), Logger.getLogger(TaskRunner.class.getName()));
        ConnectionPool pool = new ConnectionPool(
                IDLE_CONNECTIONS, IDLE_SECONDS, TimeUnit.SECONDS, runner, ConnectionListener.Companion.getNONE());
        client.connectionPool(pool);
        client.setTaskRunner$okhttp(runner);
        return pool;
    }

    @Override
    public void execute(TaskRunner runner, Runnable chores) {
        (platform ? Thread.ofPlatform().daemon() : Thread.ofVirtual()).name("nodeward-okhttp").start(chores);
    }

    @Override
    public long nanoTime() {
        return waiting.nanoTime();
    }

    @Override
    public void coordinatorNotify(TaskRunner runner) {
        waiting.coordinatorNotify(runner);
    }

    @Override
    public void coordinatorWait(TaskRunner runner, long nanos) {
        waiting.coordinatorWait(runner, nanos);
    }

    @Override
    public <T> BlockingQueue<T> decorate(BlockingQueue<T> queue) {
        return queue;
    }
}
