package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NativeLibrariesTest {
    private static final Path RUNTIME = Path.of("/build/opt/java");

    @Test
    void what_is_outside_the_runtime_is_needed_by_the_name_that_the_loader_uses() {
        assertThat(needed("""
                \tlinux-vdso.so.1 (0x00007ffd3a5f2000)
                \tlibjli.so => /build/opt/java/bin/../lib/libjli.so (0x00007f1c52e00000)
                \tlibjvm.so => not found
                \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f1c52a1f000)
                \t/lib64/ld-linux-x86-64.so.2 (0x00007f1c52e2b000)
                """)).containsExactly(Path.of("/lib/x86_64-linux-gnu/libc.so.6"),
                Path.of("/lib64/ld-linux-x86-64.so.2"));
        assertThat(needed("\tstatically linked\n")).isEmpty();
    }

    @Test
    void what_is_missing_is_named_unless_the_runtime_has_it() {
        assertThatThrownBy(() -> needed("\tlibfreetype.so.6 => not found\n")).isInstanceOf(ImageException.class)
                .hasMessageContaining("libfreetype.so.6");
    }

    private static Set<Path> needed(String ldd) {
        return NativeLibraries.needed(ldd, RUNTIME, Set.of("libjvm.so"));
    }
}
