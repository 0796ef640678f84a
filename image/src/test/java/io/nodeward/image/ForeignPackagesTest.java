package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignPackagesTest {
    @Test
    void the_archives_are_those_of_this_machine() {
        String key = "deb [arch=arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ";
        assertThat(ForeignPackages.sources("""
                http://example.com/debian/ bookworm
                http://example.com/debian/ bookworm
                http://example.com/debian/ bookworm-updates
                http://example.com/security/ bookworm-security
                http://example.com/debian/ bookworm-backports
                """)).isEqualTo(key + "http://example.com/debian/ trixie main\n"
                + key + "http://example.com/debian/ trixie-updates main\n"
                + key + "http://example.com/security/ trixie-security main\n");
    }

    @Test
    void a_package_is_listed_with_the_checksum_of_its_archive(@TempDir Path directory) throws IOException {
        Path jdk = directory.resolve("package/usr/lib/jvm/java-25-openjdk-arm64/jmods");
        Files.createDirectories(jdk);
        Files.writeString(Files.createDirectory(directory.resolve("package/DEBIAN")).resolve("control"), """
                Package: jdk
                Version: 25
                Architecture: arm64
                Maintainer: m
                Description: d
                """);
        Path archive = directory.resolve("jdk.deb");
        Program.run("dpkg", List.of("dpkg-deb", "--build", "--root-owner-group",
                directory.resolve("package").toString(), archive.toString()));
        ForeignPackages packages = ForeignPackages.unpack(List.of(archive),
                Files.createDirectory(directory.resolve("root")));
        assertThat(packages.stanzas(List.of())).containsOnlyKeys("jdk").containsEntry("jdk", """
                Package: jdk
                Status: install ok installed
                Maintainer: m
                Architecture: arm64
                Source: jdk (25)
                Version: 25
                Description: d
                SHA256: %s
                """.formatted(Program.run("coreutils", List.of("sha256sum", archive.toString())).substring(0, 64)));
    }

    @Test
    void a_machine_without_debians_archive_is_told_so() {
        assertThatThrownBy(() -> ForeignPackages.sources("")).isInstanceOf(ImageException.class)
                .hasMessageContaining("no source of Debian");
    }

    @Test
    void each_package_is_found_by_its_name_and_a_missing_one_is_named() {
        String all =
                """
                        'http://example.com/b/base-files_13.8%2bdeb13u8_arm64.deb' base-files_13.8+deb13u8_arm64.deb 88320 SHA256:00
                        'http://example.com/c/ca-certificates_1_all.deb' ca-certificates_1_all.deb 1 SHA256:00
                        'http://example.com/c/libc6_1_arm64.deb' libc6_1_arm64.deb 1 SHA256:00
                        'http://example.com/c/libgcc-s1_1_arm64.deb' libgcc-s1_1_arm64.deb 1 SHA256:00
                        'http://example.com/c/libstdc++6_1_arm64.deb' libstdc++6_1_arm64.deb 1 SHA256:00
                        'http://example.com/c/j_1_arm64.deb' openjdk-25-jdk-headless_1_arm64.deb 1 SHA256:00
                        'http://example.com/c/j_1_arm64.deb' openjdk-25-jre-headless_1_arm64.deb 1 SHA256:00
                        'http://example.com/z/zlib1g_1%3a1.3_arm64.deb' zlib1g_1%3a1.3_arm64.deb 85028 SHA256:00
                        """;
        assertThat(ForeignPackages.archives("Get:1 x\n" + all)).hasSize(8)
                .containsEntry("base-files", "base-files_13.8+deb13u8_arm64.deb")
                .containsEntry("zlib1g", "zlib1g_1%3a1.3_arm64.deb");
        assertThatThrownBy(() -> ForeignPackages.archives(all.replace("libc6_", "libc7_")))
                .isInstanceOf(ImageException.class).hasMessageContaining("libc6,");
    }
}
