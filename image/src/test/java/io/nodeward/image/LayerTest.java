package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LayerTest {
    @Test
    void what_changes_with_each_commit_comes_after_what_does_not() {
        assertThat(Layer.values()).containsExactly(Layer.RUNTIME, Layer.LIBRARIES, Layer.NODEWARD, Layer.AOT_CACHE);
        assertThat(Layer.of("opt/java/bin/java")).isEqualTo(Layer.RUNTIME);
        assertThat(Layer.of("lib/x86_64-linux-gnu/libc.so.6")).isEqualTo(Layer.RUNTIME);
        assertThat(Layer.of("var/lib/dpkg/status.d/libc6")).isEqualTo(Layer.RUNTIME);
        assertThat(Layer.of("app/lib/guava-33.6.0-jre.jar")).isEqualTo(Layer.LIBRARIES);
        assertThat(Layer.of("app/lib/nodeward-core-spi-0.1.0.jar")).isEqualTo(Layer.NODEWARD);
        assertThat(Layer.of("app/options")).isEqualTo(Layer.NODEWARD);
        assertThat(Layer.of("usr/share/sbom/nodeward.cdx.json")).isEqualTo(Layer.NODEWARD);
        assertThat(Layer.of("app/controller.aot")).isEqualTo(Layer.AOT_CACHE);
    }
}
