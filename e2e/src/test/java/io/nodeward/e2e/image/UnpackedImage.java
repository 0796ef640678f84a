package io.nodeward.e2e.image;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.launcher.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An image of an OCI archive, unpacked. */
public final class UnpackedImage {
    private final Path layout;
    private final Path root;
    private final JsonNode manifest;
    private final JsonNode config;

    private UnpackedImage(Path layout, Path root, JsonNode manifest, JsonNode config) {
        this.layout = layout;
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
        return new UnpackedImage(layout, root, manifest, json(blob(layout, manifest.path("config"))));
    }

    private static Path blob(Path layout, JsonNode descriptor) {
        return layout.resolve("blobs").resolve(descriptor.path("digest").asText().replace(':', '/'));
    }

    private static JsonNode json(Path file) throws IOException {
        return Json.parse(Files.readString(file));
    }

    /** The folder of the archive's own files. */
    Path layout() {
        return layout;
    }

    public Path root() {
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

    public List<String> entryPoint() {
        List<String> words = new ArrayList<>();
        config().path("Entrypoint").forEach(word -> words.add(word.asText()));
        return words;
    }

    /** With a root that it cannot write, as the user that the image names. */
    Container container(Container.Volume... volumes) {
        return new Container(root, config().path("User").asText(), "ro", "", Map.of(), List.of(volumes));
    }
}
