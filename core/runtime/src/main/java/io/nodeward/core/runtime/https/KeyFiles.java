package io.nodeward.core.runtime.https;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code tls.crt} and {@code tls.key} in a directory, as a Secret is mounted there: it is replaced while the process runs.
 */
public final class KeyFiles {
    private static final Logger LOG = LoggerFactory.getLogger(KeyFiles.class);

    private final Path directory;
    private volatile ServerKey last;

    private KeyFiles(Path directory, ServerKey first) {
        this.directory = directory;
        this.last = first;
    }

    /**
     * Reads what is there.
     *
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException saying what is wrong with what is in them
     */
    public static KeyFiles read(Path directory) throws IOException {
        return new KeyFiles(directory, load(directory));
    }

    public ServerKey key() {
        return last;
    }

    /** What has come in its place; empty if nothing has, or nothing that can be used: then the old one goes on. */
    public Optional<ServerKey> changed() {
        try {
            ServerKey now = load(directory);
            if (now.chain().equals(last.chain())) {
                return Optional.empty();
            }
            last = now;
            return Optional.of(now);
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("{} cannot be used, the certificate of before goes on: {}", directory, e.getMessage());
            return Optional.empty();
        }
    }

    private static ServerKey load(Path directory) throws IOException {
        return ServerKey.read(
                Files.readAllBytes(directory.resolve("tls.crt")), Files.readAllBytes(directory.resolve("tls.key")));
    }
}
