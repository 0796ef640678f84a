package io.nodeward.image;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Packs the files as an image.
 *
 * @param cache must be empty at first: the library takes a layer from it if names and times are the same, and all
 *     times are
 */
record Archives(Checkout checkout, RootFilesystem root, String architecture, Path cache) {
    void write(Path file, ImageFormat format) throws IOException {
        JibContainerBuilder image = Jib.fromScratch()
                .setPlatforms(Set.of(new Platform(architecture, "linux")))
                .setFormat(format)
                .setCreationTime(checkout.created())
                .setUser(RootFilesystem.USER + ":" + RootFilesystem.USER)
                .setEntrypoint(entryPoint())
                .setLabels(labels());
        layers().values().forEach(layer -> image.addFileEntriesLayer(layer.build()));
        try {
            image.containerize(Containerizer.to(TarImage.at(file).named("nodeward:" + checkout.tag()))
                    .setBaseImageLayersCache(cache).setApplicationLayersCache(cache).setOfflineMode(true)
                    .setToolName("nodeward"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ImageException("interrupted while the image was packed", e);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) { // of a registry, of which there is none
            throw new ImageException("the image cannot be packed: " + e.getMessage(), e);
        }
    }

    private List<String> entryPoint() {
        List<String> entryPoint = new ArrayList<>(List.of("/opt/java/bin/java", "@/" + RootFilesystem.OPTIONS));
        if (Files.exists(root.directory().resolve(Layer.CACHE))) {
            entryPoint.add("-XX:AOTCache=/" + Layer.CACHE);
        }
        entryPoint.add(RootFilesystem.MAIN);
        return entryPoint;
    }

    private Map<String, String> labels() {
        String prefix = "org.opencontainers.image.";
        return Map.of(prefix + "title", "nodeward",
                prefix + "description",
                "Propagates taints and labels from Cluster API objects to Nodes",
                prefix + "version", checkout.tag(),
                prefix + "revision", checkout.revision(),
                prefix + "created", checkout.created().toString(),
                prefix + "licenses", "Apache-2.0");
    }

    private Map<Layer, FileEntriesLayer.Builder> layers() throws IOException {
        Map<Layer, FileEntriesLayer.Builder> layers = new EnumMap<>(Layer.class);
        for (Path file : root.files()) {
            String path = root.directory().relativize(file).toString();
            Layer layer = Layer.of(path);
            if (Files.isDirectory(file) && layer != Layer.RUNTIME) {
                continue; // a layer has the folders of its files
            }
            layers.computeIfAbsent(layer,
                    key -> FileEntriesLayer.builder().setName(key.name().toLowerCase(Locale.ROOT)))
                    .addEntry(file, AbsoluteUnixPath.get("/" + path), permissions(path, file), RootFilesystem.TIME,
                            "0:0");
        }
        return layers;
    }

    // Not those of the file alone: they depend on the umask of who builds.
    private static FilePermissions permissions(String path, Path file) {
        if (path.equals("tmp")) {
            return FilePermissions.fromOctalString("777");
        }
        return FilePermissions.fromOctalString(Files.isExecutable(file) ? "755" : "644");
    }
}
