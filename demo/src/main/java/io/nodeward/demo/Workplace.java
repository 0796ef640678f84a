package io.nodeward.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** A directory of our own with kubeconfig and the controller's log, for this user alone. */
record Workplace(Path directory) {
    private static final FileAttribute<?> OWN_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** In /tmp where there is one: the path is to be read, copied and kept on one line. */
    static Workplace create() throws IOException {
        Path tmp = Path.of("/tmp");
        Path parent = Files.isWritable(tmp) ? tmp : Path.of(System.getProperty("java.io.tmpdir"));
        // Java gives the permissions rwx------.
        return new Workplace(Files.createTempDirectory(parent, "nodeward-demo-"));
    }

    Path kubeconfig() {
        return directory.resolve("kubeconfig");
    }

    Path log() {
        return directory.resolve("controller.log");
    }

    void writeKubeconfig(String text) throws IOException {
        Files.writeString(Files.createFile(kubeconfig(), OWN_FILE), text);
    }

    /** Removes what is of no use any more, and all of it unless the log is to be kept. */
    void remove(boolean keepLog) {
        try {
            Files.deleteIfExists(kubeconfig());
            if (!keepLog) {
                Files.deleteIfExists(log());
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }
}
