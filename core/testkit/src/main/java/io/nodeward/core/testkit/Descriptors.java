package io.nodeward.core.testkit;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** File descriptors of this JVM: files, sockets and what selectors are made of. */
final class Descriptors {
    private static final Path LISTED = Path.of("/proc/self/fd");

    private Descriptors() {}

    static Collection<?> open() throws IOException {
        if (Files.isDirectory(LISTED)) {
            return listed();
        }
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            return Collections.nCopies((int) system.getOpenFileDescriptorCount(), "a descriptor");
        }
        throw new AssertionError("descriptors are counted on Linux and macOS only; run the contract there");
    }

    // Without jars: the JVM opens one when the first class of it is used.
    private static List<String> listed() throws IOException {
        List<String> open = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(LISTED)) {
            for (Path entry : entries) {
                try {
                    String target = Files.readSymbolicLink(entry).toString();
                    if (!target.endsWith(".jar")) {
                        open.add(target);
                    }
                } catch (NoSuchFileException closed) {
                    // since the folder was listed
                }
            }
        }
        return open;
    }
}
