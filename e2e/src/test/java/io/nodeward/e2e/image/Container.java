package io.nodeward.e2e.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a container engine is told to run, and does here as an engine does it: in a root of its own with volumes, as a user without
 * rights, and with nothing of this machine's environment.
 *
 * @param user as {@code user:group}
 * @param access to the root, {@code ro} or {@code rw}
 * @param network a network namespace, or this machine's if empty
 */
public record Container(Path root, String user, String access, String network, Map<String, String> environment,
        List<Volume> volumes) {
    /** Arguments: root, user, access; for each volume folder, path and access; a word that ends them; the command. */
    private static final String START = """
            set -e
            root=$1 user=$2 access=$3; shift 3
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount --rbind /dev "$root/dev"
            while [ "$1" != -- ]; do
              mkdir -p "$root$2"
              mount --bind "$1" "$root$2"
              mount -o "remount,bind,$3" "$root$2"
              shift 3
            done
            shift
            mount -o "remount,bind,$access" "$root"
            exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" "$@"
            """;

    public Container {
        environment = Map.copyOf(environment);
        volumes = List.copyOf(volumes);
    }

    /** With a root that it cannot write, as the user that the image names. */
    static Container of(UnpackedImage image, Volume... volumes) {
        return new Container(image.root(), image.config().path("User").asText(), "ro", "", Map.of(), List.of(volumes));
    }

    /**
     * A folder of this machine.
     *
     * @param path in the container
     * @param access {@code ro} or {@code rw}
     */
    public record Volume(Path folder, String path, String access) {}

    /** @param log for all that it prints */
    public Process start(List<String> command, Path log) throws IOException {
        List<String> words = new ArrayList<>(
                network.isEmpty() ? List.of() : List.of("ip", "netns", "exec", network));
        words.addAll(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child",
                "sh", "-c", START, "sh", root.toString(), user, access));
        volumes.forEach(volume -> words.addAll(List.of(volume.folder.toString(), volume.path, volume.access)));
        words.add("--");
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().keySet().retainAll(List.of("PATH"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> kill(process), "kill container"));
        return process;
    }

    /** Ends all of it at once: what has changed its user does not end with its parent. */
    public static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    /** Runs a command to its end; returns what it prints. */
    public String run(List<String> command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("image", ".log");
        try {
            int exit = start(command, log).waitFor();
            if (exit != 0) {
                throw new IllegalStateException(command + " ended with " + exit + ":\n" + Files.readString(log));
            }
            return Files.readString(log);
        } finally {
            Files.delete(log);
        }
    }
}
