package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SbomTest {
    /** Of the three letters "abc". */
    private static final String CHECKSUM = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    private Path directory;

    private final Sbom sbom = new Sbom("1.2.3");

    @Test
    void a_jdk_is_known_by_the_file_with_its_classes() throws IOException {
        Files.writeString(directory.resolve("release"), """
                IMPLEMENTOR="Example"
                JAVA_RUNTIME_VERSION="25.0.3+9-LTS"
                """);
        Files.writeString(Files.createDirectory(directory.resolve("lib")).resolve("modules"), "abc");
        sbom.runtime(directory);
        assertThat(components()).isEqualTo(json("""
                [{"type": "platform", "bom-ref": "pkg:generic/openjdk@25.0.3%2B9-LTS", "name": "openjdk",
                  "version": "25.0.3+9-LTS", "purl": "pkg:generic/openjdk@25.0.3%2B9-LTS", "publisher": "Example",
                  "components": [{"type": "file", "bom-ref": "pkg:generic/openjdk@25.0.3%2B9-LTS#lib/modules",
                    "name": "lib/modules", "version": "25.0.3+9-LTS",
                    "purl": "pkg:generic/openjdk@25.0.3%2B9-LTS#lib/modules",
                    "hashes": [{"alg": "SHA-256", "content": "CHECKSUM"}]}]}]"""));
    }

    /** Of a package that is installed on the build machine nobody has the archive. */
    @Test
    void a_package_has_the_checksum_of_its_archive_where_that_is_known() throws IOException {
        Path release = Files.writeString(directory.resolve("os-release"), "ID=debian\nVERSION_ID=\"13\"\n");
        String stanza = "Package: x\nArchitecture: arm64\nVersion: 1+2\n";
        sbom.packages(new TreeMap<>(Map.of("known", stanza + "SHA256: " + CHECKSUM + "\n", "unknown", stanza)),
                release);
        assertThat(components()).isEqualTo(json("""
                [{"type": "library", "bom-ref": "pkg:deb/debian/known@1%2B2?arch=arm64&distro=debian-13",
                  "name": "known", "version": "1+2", "purl": "pkg:deb/debian/known@1%2B2?arch=arm64&distro=debian-13",
                  "hashes": [{"alg": "SHA-256", "content": "CHECKSUM"}]},
                 {"type": "library", "bom-ref": "pkg:deb/debian/unknown@1%2B2?arch=arm64&distro=debian-13",
                  "name": "unknown", "version": "1+2",
                  "purl": "pkg:deb/debian/unknown@1%2B2?arch=arm64&distro=debian-13"}]"""));
    }

    private JsonNode components() throws IOException {
        return json(sbom.json()).path("components");
    }

    private static JsonNode json(String text) throws IOException {
        return new JsonMapper().readTree(text.replace("CHECKSUM", CHECKSUM));
    }
}
