package io.nodeward.e2e.image;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Command;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An image of an OCI archive, unpacked.
 *
 * @param layout the folder of the archive's own files
 * @param image the file that {@link #config()} is in
 */
public record UnpackedImage(Path layout, Path root, JsonNode manifest, JsonNode image) {
    /** Arguments: the root and the command. */
    private static final String ENTER = """
            set -e
            mount -t proc proc "$0/proc"
            mount --rbind /dev "$0/dev"
            mount --rbind /tmp "$0/tmp"
            exec chroot "$0" "$@"
            """;

    /** @param directory an empty one */
    public static UnpackedImage of(Path archive, Path directory) throws IOException {
        Path layout = Files.createDirectory(directory.resolve("layout"));
        Path root = Files.createDirectory(directory.resolve("root"));
        untar(layout, "-xf", archive);
        JsonNode manifest = json(blob(layout, json(layout.resolve("index.json")).at("/manifests/0")));
        for (JsonNode layer : manifest.path("layers")) {
            untar(root, "-xpzf", blob(layout, layer));
        }
        Files.writeString(root.resolve("etc/resolv.conf"), Files.readString(Path.of("/etc/resolv.conf"))); // an engine's
        return new UnpackedImage(layout, root, manifest, json(blob(layout, manifest.path("config"))));
    }

    private static void untar(Path directory, String options, Path archive) {
        Command.run(directory, List.of("tar", options, archive.toAbsolutePath().toString())).orThrow("tar");
    }

    private static Path blob(Path layout, JsonNode descriptor) {
        return layout.resolve("blobs").resolve(descriptor.path("digest").asText().replace(':', '/'));
    }

    private static JsonNode json(Path file) throws IOException {
        return Json.parse(Files.readString(file));
    }

    List<String> layers() {
        return manifest.path("layers").findValuesAsText("digest");
    }

    /** User, entry point, labels. */
    JsonNode config() {
        return image.path("config");
    }

    String architecture() {
        return image.path("architecture").asText();
    }

    JsonNode created() {
        return image.path("created");
    }

    /** The commit that it says it is of. */
    public String revision() {
        return config().path("Labels").path("org.opencontainers.image.revision").asText();
    }

    public List<String> entryPoint() {
        List<String> words = new ArrayList<>();
        config().path("Entrypoint").forEach(word -> words.add(word.asText()));
        return words;
    }

    /**
     * A command that root may run. It takes the controller's flags and becomes the entry point, in the image's root but with the
     * network and the {@code /tmp} of this machine, so that what a process takes can be measured.
     */
    public List<String> launcher() {
        List<String> words = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", ENTER, root.toString()));
        words.addAll(entryPoint());
        return words;
    }
}
