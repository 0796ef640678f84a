package io.nodeward.e2e.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesTest {
    @TempDir
    private Path directory;

    @Test
    void given_programs_win_over_the_cache() throws IOException {
        Path assets = Files.createDirectory(directory.resolve("assets"));
        Path etcd = program(assets, "etcd");
        Path manager = program(directory, Component.CLUSTER_API.cacheName());
        Binaries binaries = new Binaries(Optional.of(new Assets(assets)), new BinaryCache(directory, noGo()));
        assertThat(binaries.path(Component.ETCD)).isEqualTo(etcd);
        assertThat(binaries.path(Component.CLUSTER_API)).isEqualTo(manager);
        assertThatIllegalStateException().isThrownBy(() -> binaries.path(Component.KUBECTL))
                .withMessageContaining("has no program kubectl");
    }

    @Test
    void what_is_in_the_cache_is_not_built() throws IOException {
        Path kubectl = program(directory, Component.KUBECTL.cacheName());
        assertThat(new BinaryCache(directory, noGo()).path(Component.KUBECTL)).isEqualTo(kubectl);
    }

    @Test
    void without_go_the_alternatives_are_named_and_nothing_is_left_behind() throws IOException {
        BinaryCache cache = new BinaryCache(directory, noGo());
        assertThatIllegalStateException().isThrownBy(() -> cache.path(Component.ETCD))
                .withMessageContaining("there is no 'no-such-go'")
                .withMessageContaining("KUBEBUILDER_ASSETS")
                .withMessageContaining("NODEWARD_E2E_KUBECONFIG");
        try (var files = Files.list(directory)) {
            assertThat(files).allMatch(file -> file.toString().endsWith(".lock"));
        }
    }

    @Test
    void a_go_that_is_too_old_is_named() throws IOException {
        Path old = Files.writeString(program(directory, "old-go"), "#!/bin/sh\necho go1.25.9\n");
        BinaryCache cache = new BinaryCache(directory, new GoTool(old.toString()));
        assertThatIllegalStateException().isThrownBy(() -> cache.path(Component.ETCD))
                .withMessageContaining("needs Go " + GoModule.ETCD.goVersion())
                .withMessageContaining("is go1.25.9");
    }

    @Tag("deep")
    @Test
    void a_missing_program_is_built_from_its_module() {
        Path etcd = new BinaryCache(directory, new GoTool("go")).path(Component.ETCD);
        Command.Result result = new Command(List.of(etcd.toString(), "--version"), Map.of(), directory).run("");
        assertThat(result.out()).contains("etcd Version: " + GoModule.ETCD.version().substring(1));
        assertThat(directory.resolve("etcd-" + GoModule.ETCD.version())).isEqualTo(etcd).isExecutable();
    }

    private static GoTool noGo() {
        return new GoTool("no-such-go");
    }

    private static Path program(Path directory, String name) throws IOException {
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));
        return Files.createFile(directory.resolve(name), mode);
    }
}
