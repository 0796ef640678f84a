package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DebianPackagesTest {
    private static final Path FILE = Path.of("/lib/x86_64-linux-gnu/libc.so.6");
    private static final List<Path> NAMES = List.of(FILE, Path.of("/usr" + FILE));

    @Test
    void the_owner_is_the_package_of_exactly_this_file() {
        assertThat(DebianPackages.owner(NAMES, """
                libc6-dbg:amd64: /usr/lib/debug/lib/x86_64-linux-gnu/libc.so.6
                diversion by usr-is-merged from: /lib/x86_64-linux-gnu/libc.so.6
                libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6
                """)).isEqualTo("libc6:amd64");
        assertThat(DebianPackages.owner(NAMES, "libc6:amd64, libc6:i386: " + FILE + "\n")).isEqualTo("libc6:amd64");
    }

    @Test
    void a_package_may_have_the_file_by_either_name_of_its_folder() {
        assertThat(DebianPackages.owner(NAMES, """
                libc6-arm64-cross: /usr/aarch64-linux-gnu/lib/x86_64-linux-gnu/libc.so.6
                libc6:amd64: /usr/lib/x86_64-linux-gnu/libc.so.6
                """)).isEqualTo("libc6:amd64");
    }

    @Test
    void a_file_of_no_package_is_named() {
        assertThatThrownBy(() -> DebianPackages.owner(NAMES, "libc6-dbg: /usr/lib/debug" + FILE + "\n"))
                .isInstanceOf(ImageException.class).hasMessageContaining("no package owns")
                .hasMessageContaining(FILE.toString());
    }

    @Test
    void a_field_is_of_the_stanza_and_not_of_its_description() {
        String stanza = """
                Package: libc6
                Description: C library
                 Version: no
                Version: 2.36-9+deb12u10
                """;
        assertThat(DebianPackages.field(stanza, "Version")).isEqualTo("2.36-9+deb12u10");
        assertThatThrownBy(() -> DebianPackages.field(stanza, "Architecture")).isInstanceOf(ImageException.class)
                .hasMessageContaining("Architecture");
    }
}
