package io.nodeward.e2e.install;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;

/** A projected volume as a kubelet writes it: an update replaces all files at once, by one symbolic link. */
final class ProjectedVolume {
    private final Path folder;
    private final JsonNode pod;
    private final JsonNode sources;
    private int versions;

    ProjectedVolume(Path folder, JsonNode pod, JsonNode sources) {
        this.folder = folder;
        this.pod = pod;
        this.sources = sources;
    }

    /** @param owner of the token, by number */
    void write(AdminClient admin, String token, int owner) throws IOException {
        versions++;
        Path version = Files.createDirectory(folder.resolve("..version-" + versions),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        for (Map.Entry<String, String> file : files(admin, token).entrySet()) {
            Path path = Files.writeString(version.resolve(file.getKey()), file.getValue());
            boolean secret = file.getValue().equals(token);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(secret ? "rw-------" : "rw-r--r--"));
            if (secret) {
                Files.setAttribute(path, "unix:uid", owner);
            }
            if (versions == 1) {
                Files.createSymbolicLink(folder.resolve(file.getKey()), Path.of("..data", file.getKey()));
            }
        }
        Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), version.getFileName());
        Files.move(next, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }

    private Map<String, String> files(AdminClient admin, String token) {
        Map<String, String> files = new TreeMap<>();
        for (JsonNode source : sources) {
            if (source.has("serviceAccountToken")) {
                files.put(source.at("/serviceAccountToken/path").asText(), token);
            }
            JsonNode data = source.has("configMap") ? admin.get("/api/v1/namespaces/"
                    + pod.at("/metadata/namespace").asText() + "/configmaps/" + source.at("/configMap/name").asText())
                    .path("data") : pod;
            source.at("/configMap/items")
                    .forEach(item -> files.put(item.path("path").asText(),
                            data.path(item.path("key").asText()).asText()));
            source.at("/downwardAPI/items").forEach(item -> files.put(item.path("path").asText(), pod
                    .at("/" + item.at("/fieldRef/fieldPath").asText().replace('.', '/')).asText()));
        }
        return files;
    }
}
