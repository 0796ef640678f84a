package io.nodeward.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.launcher.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The controller's image, which {@code ./nodeward image} builds of this build's jars.
 *
 * @param output the folder of its archives
 */
public record BuiltImage(Path output, UnpackedImage unpacked) {
    private static final FutureTask<BuiltImage> SHARED = new FutureTask<>(
            () -> build(Files.createDirectory(ControlPlane.shared().directory().resolve("image"))));

    /** The one that all suites of this JVM share. */
    public static BuiltImage shared() throws InterruptedException {
        SHARED.run();
        try {
            return SHARED.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("no image: " + e.getCause().getMessage(), e);
        }
    }

    static void require(String program, String origin) throws IOException, InterruptedException {
        Shell.run("sh", "-c", "command -v " + program + " || { echo 'apt-get install " + origin + "'; exit 1; }");
    }

    private static BuiltImage build(Path directory) throws IOException, InterruptedException {
        assertThat(System.getProperty("user.name")).as("only root may give a process a root and a user of its own")
                .isEqualTo("root");
        for (String program : List.of("unshare", "setpriv", "mount", "chroot", "ldd", "dpkg-query")) {
            require(program, "util-linux mount coreutils libc-bin dpkg");
        }
        return build(directory, "022", Map.of());
    }

    /** @param arguments of {@code ./nodeward image} */
    static BuiltImage build(Path directory, String umask, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask $0; exec \"$@\"", umask, launcher(), "image",
                "--output", output.toString()));
        command.addAll(List.of(arguments));
        Map<String, String> all = new HashMap<>(environment);
        all.put("NODEWARD_NO_BUILD", "yes");
        Shell.run(all, command.toArray(String[]::new));
        String archive = List.of(arguments).contains("arm64") ? "nodeward-oci-arm64.tar" : "nodeward-oci.tar";
        return new BuiltImage(output, UnpackedImage.of(output.resolve(archive),
                Files.createDirectory(directory.resolve("unpacked"))));
    }

    static String launcher() {
        return Shell.root().resolve("nodeward").toString();
    }

    /** A folder that each container may write to. */
    public static Container.Volume tmp() throws IOException {
        Path folder = Files.createTempDirectory(ControlPlane.shared().directory(), "tmp");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        return new Container.Volume(folder, "/tmp", "rw");
    }
}
