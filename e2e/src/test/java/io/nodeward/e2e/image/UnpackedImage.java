package io.nodeward.e2e.image;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.launcher.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** An image of an OCI archive, unpacked and started as a container engine does it: in a root of its own, read-only, as its user. */
final class UnpackedImage {
    /** Arguments: root, user, a file for /tmp; the command. The engine gives proc, devices and a file system in memory. */
    private static final String START = """
            set -e
            root=$1 user=$2 file=$3; shift 3
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount --rbind /dev "$root/dev"
            mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
            cp "$file" "$root/tmp/kubeconfig"
            chown "$user" "$root/tmp/kubeconfig"
            mount -o remount,bind,ro "$root"
            exec chroot --userspec="$user" --groups= "$root" "$@"
            """;

    private final Path root;
    private final JsonNode manifest;
    private final JsonNode config;

    private UnpackedImage(Path root, JsonNode manifest, JsonNode config) {
        this.root = root;
        this.manifest = manifest;
        this.config = config;
    }

    /** @param directory an empty one */
    static UnpackedImage of(Path archive, Path directory) throws IOException, InterruptedException {
        Path layout = Files.createDirectory(directory.resolve("layout"));
        Path root = Files.createDirectory(directory.resolve("root"));
        Shell.run("tar", "-C", layout.toString(), "-xf", archive.toString());
        JsonNode manifest = json(blob(layout, json(layout.resolve("index.json")).at("/manifests/0")));
        for (JsonNode layer : manifest.path("layers")) {
            Shell.run("tar", "-C", root.toString(), "-xpzf", blob(layout, layer).toString());
        }
        Files.writeString(root.resolve("etc/resolv.conf"), Files.readString(Path.of("/etc/resolv.conf"))); // an engine's
        return new UnpackedImage(root, manifest, json(blob(layout, manifest.path("config"))));
    }

    private static Path blob(Path layout, JsonNode descriptor) {
        return layout.resolve("blobs").resolve(descriptor.path("digest").asText().replace(':', '/'));
    }

    private static JsonNode json(Path file) throws IOException {
        return Json.parse(Files.readString(file));
    }

    Path root() {
        return root;
    }

    List<String> layers() {
        return manifest.path("layers").findValuesAsText("digest");
    }

    /** User, entry point, labels. */
    JsonNode config() {
        return config.path("config");
    }

    JsonNode created() {
        return config.path("created");
    }

    List<String> entryPoint() {
        List<String> words = new ArrayList<>();
        config().path("Entrypoint").forEach(word -> words.add(word.asText()));
        return words;
    }

    /** @param kubeconfig which it finds as /tmp/kubeconfig */
    Process start(Path kubeconfig, List<String> command, Path log) throws IOException {
        List<String> words = new ArrayList<>(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child",
                "sh", "-c", START, "sh", root.toString(), config().path("User").asText(), kubeconfig.toString()));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().keySet().retainAll(Set.of("PATH"));
        return builder.start();
    }

    /** Runs a command to its end; returns what it prints. */
    String run(List<String> command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("image", ".log");
        try {
            int exit = start(Path.of("/dev/null"), command, log).waitFor();
            if (exit != 0) {
                throw new IllegalStateException(command + " ended with " + exit + ":\n" + Files.readString(log));
            }
            return Files.readString(log);
        } finally {
            Files.delete(log);
        }
    }
}
