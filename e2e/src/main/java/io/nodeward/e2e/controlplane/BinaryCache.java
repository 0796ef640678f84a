package io.nodeward.e2e.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Programs that were built once, outside the tree; a name holds the version, so nothing in it gets stale. */
record BinaryCache(Path directory, GoTool go) {
    static Path standardDirectory() {
        Path caches = Setting.XDG_CACHE_HOME.path().orElse(Path.of(System.getProperty("user.home"), ".cache"));
        return caches.resolve("nodeward").resolve("control-plane");
    }

    /** Builds it when it is not there; one build at a time on this machine. */
    synchronized Path path(Component component) {
        Path binary = directory.resolve(component.cacheName());
        if (Files.isExecutable(binary)) {
            return binary;
        }
        try {
            Files.createDirectories(directory);
            Path lock = directory.resolve(component.cacheName() + ".lock");
            try (FileChannel channel =
                    FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                if (held.isValid() && !Files.isExecutable(binary)) {
                    build(component, binary);
                }
            }
            return binary;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + directory, e);
        }
    }

    // A build that is cut off leaves no half a program under the name others look for.
    private void build(Component component, Path binary) throws IOException {
        String suffix = "." + ProcessHandle.current().pid() + ".tmp";
        Path unfinished = directory.resolve(component.cacheName() + suffix);
        try {
            go.build(component, unfinished);
            Files.move(unfinished, binary, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
