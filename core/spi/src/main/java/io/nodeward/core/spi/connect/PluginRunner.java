package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.ExecCredential;
import io.nodeward.api.json.kubeconfig.ExecPlugin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Runs a plugin, one at a time, and keeps its answer for as long as that is good. */
final class PluginRunner implements AutoCloseable {
    /** Enough for one that has to ask a cloud. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final long LOOK_MILLIS = 10;
    private static final int MOST_BYTES = 1 << 20;

    private final ExecPlugin plugin;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<ExecCredential> last = Optional.empty();
    private volatile @Nullable Process running;
    private volatile boolean closed;

    PluginRunner(ExecPlugin plugin, InstantSource clock) {
        this.plugin = plugin;
        this.clock = clock;
    }

    ExecCredential credential() throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            Instant now = clock.instant();
            boolean over = last.flatMap(ExecCredential::expires).filter(end -> !now.isBefore(end)).isPresent();
            ExecCredential credential = last.isEmpty() || over ? ask() : last.get();
            last = Optional.of(credential);
            return credential;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the last answer if it was this one. */
    void forget(Predicate<ExecCredential> refused) {
        lock.lock();
        try {
            last = last.filter(refused.negate());
        } finally {
            lock.unlock();
        }
    }

    private ExecCredential ask() throws IOException, InterruptedException {
        Process process = start();
        running = process;
        try {
            process.getOutputStream().close(); // nobody is there to type
            byte[] printed = printed(process);
            if (process.exitValue() != 0) {
                throw new NoCredentialException(plugin + " ended with " + process.exitValue());
            }
            return ExecCredential.read(plugin, printed);
        } catch (IllegalArgumentException e) {
            throw new NoCredentialException(plugin + ": " + e.getMessage());
        } finally {
            running = null;
            end(process);
        }
    }

    private Process start() throws IOException {
        if (closed) {
            throw new IOException("the transport was closed");
        }
        ProcessBuilder builder = new ProcessBuilder(plugin.command()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(plugin.environment());
        builder.environment().put("KUBERNETES_EXEC_INFO", plugin.info());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new NoCredentialException(plugin + " cannot be run"); // the message quotes arguments
        }
    }

    // A child of the plugin may keep its output open, so that the end of the plugin counts and not of its output.
    private byte[] printed(Process process) throws IOException, InterruptedException {
        Instant end = clock.instant().plus(LONGEST);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        InputStream out = process.getInputStream();
        boolean over = false;
        while (!over) {
            over = process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            printed.writeBytes(out.readNBytes(out.available()));
            if (closed || printed.size() > MOST_BYTES || clock.instant().isAfter(end)) {
                throw new NoCredentialException(
                        plugin + (closed ? " was ended" : " takes too long or prints too much"));
            }
        }
        return printed.toByteArray();
    }

    @Override
    public void close() {
        closed = true;
        Process process = running;
        if (process != null) {
            end(process);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly); // a shell's child would else live on
        process.destroyForcibly();
    }
}
