package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MavenJarTest {
    private static final List<String> DEPENDENCIES = List.of("",
            "The following files have been resolved:",
            "   com.google.guava:guava:jar:33.6.0-jre:compile -- module com.google.common [auto]",
            "   org.example:native:jar:linux-x86_64:1.2:runtime",
            "   org.example:tested:jar:3:test");

    @Test
    void a_jar_has_the_coordinates_of_the_dependency_that_its_name_is_made_of() {
        assertThat(of("guava-33.6.0-jre.jar").purl()).isEqualTo("pkg:maven/com.google.guava/guava@33.6.0-jre?type=jar");
        assertThat(of("native-1.2-linux-x86_64.jar"))
                .isEqualTo(new MavenJar("org.example", "native", "1.2", Path.of("/lib/native-1.2-linux-x86_64.jar")));
    }

    @Test
    void the_controller_is_no_dependency_of_itself() {
        assertThat(of("nodeward-controller-app-0.1.0-SNAPSHOT.jar").purl())
                .isEqualTo("pkg:maven/io.nodeward/nodeward-controller-app@0.1.0-SNAPSHOT?type=jar");
    }

    @Test
    void a_jar_of_unknown_origin_is_named() {
        for (String jar : List.of("tested-3.jar", "guava-32.jar", "nodeward-other-1.jar")) {
            assertThatThrownBy(() -> of(jar)).isInstanceOf(ImageException.class).hasMessageContaining(jar);
        }
    }

    private static MavenJar of(String jar) {
        return MavenJar.of(List.of(Path.of("/lib").resolve(jar)), DEPENDENCIES).getFirst();
    }
}
