package io.nodeward.image;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The cache from which the controller starts. It is recorded inside the image's files: the JVM takes it only with the same
 * runtime, and the same jars at the same place.
 */
final class AotCache {
    private static final String ORIGIN = "the launcher found it";
    /** The JVM looks for itself in {@code /proc} and takes random bytes from {@code /dev}; kubeconfig and cache are in {@code /tmp}. */
    private static final String IN_ROOT = "set -e; mount -t proc proc \"$0/proc\"; mount --rbind /dev \"$0/dev\"; "
            + "mount --bind /tmp \"$0/tmp\"; exec chroot \"$0\" \"$@\"";

    private AotCache() {}

    static void record(Checkout checkout, RootFilesystem root) throws IOException {
        Path directory = Files.createTempDirectory(Path.of("/tmp"), "nodeward-image");
        Path cache = directory.resolve("controller.aot");
        try {
            Program.run(ORIGIN, command(checkout, root.directory(), cache));
            root.copy(cache, Layer.CACHE);
        } catch (ImageException e) {
            throw new ImageException(
                    "the training run inside the image's files failed. It needs unshare and chroot (apt-get install util-linux "
                            + "coreutils), and root or user namespaces (in a container, one that allows mounts); --no-aot does "
                            + "without it. "
                            + e.getMessage(),
                    e);
        } finally {
            Main.delete(directory); // a JVM that fails leaves other files too
        }
    }

    private static List<String> command(Checkout checkout, Path root, Path cache) throws IOException {
        String classPath = checkout.jars("training").stream().map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(checkout.java().toString(), "-Xmx1g", "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=/tmp", "-cp", classPath, "io.nodeward.training.Main"));
        command.addAll(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child"));
        if (!"root".equals(System.getProperty("user.name"))) {
            command.add("--map-root-user");
        }
        command.addAll(List.of("sh", "-c", IN_ROOT, root.toString(), "/opt/java/bin/java",
                "@/" + RootFilesystem.OPTIONS, "-XX:AOTCacheOutput=" + cache, RootFilesystem.REHEARSAL));
        return command;
    }
}
