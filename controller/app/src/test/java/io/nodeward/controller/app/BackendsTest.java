package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackendsTest {
    @ParameterizedTest
    @ValueSource(strings = {"fabric8", "official"})
    void a_backend_is_found_by_its_name(String name) {
        assertThat(Backends.named(name).name()).isEqualTo(name);
    }

    @Test
    void a_name_that_is_not_there_is_told_with_those_that_are() {
        assertThatThrownBy(() -> Backends.named("officail"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--backend officail: there is none of this name; found are ")
                .hasMessageContaining("fabric8 (io.nodeward.backend.fabric8.Fabric8Backend)")
                .hasMessageContaining("official (io.nodeward.backend.official.OfficialBackend)");
    }

    // Which of the two would be taken is the class path's luck.
    @Test
    void a_name_that_is_there_twice_is_told_with_both(@TempDir Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(Backend.class.getName()),
                One.class.getName() + "\n" + Other.class.getName());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[]{folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            assertThatThrownBy(() -> Backends.named("twin"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("--backend twin: there are 2 of this name; found are ")
                    .hasMessageContaining("twin (" + One.class.getName() + ")")
                    .hasMessageContaining("twin (" + Other.class.getName() + ")");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Found by ServiceLoader. */
    public static class One implements Backend {
        @Override
        public String name() {
            return "twin";
        }

        @Override
        public Transport connect(ClusterAccess access) {
            throw new UnsupportedOperationException();
        }
    }

    /** Found by ServiceLoader. */
    public static final class Other extends One {}
}
