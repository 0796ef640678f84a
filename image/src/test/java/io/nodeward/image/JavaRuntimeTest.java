package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JavaRuntimeTest {
    @Test
    void modules_are_those_that_jdeps_lists_without_what_no_object_of_kubernetes_needs() {
        assertThat(JavaRuntime.parse("""
                Warning: split package: javax.annotation
                   java.base/jdk.internal.misc
                   java.base
                   java.desktop
                   java.sql
                   jdk.jfr
                   not found
                """)).containsExactly("java.base", "jdk.jfr");
    }
}
