package io.nodeward.e2e.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KubernetesReleaseTest {
    private static final String SETTING = "NODEWARD_E2E_KUBERNETES";
    private static final List<Component> OF_KUBERNETES =
            List.of(Component.KUBE_APISERVER, Component.KUBE_SCHEDULER, Component.KUBECTL);

    private String before = "";

    @BeforeEach
    void remember() {
        before = System.getProperty(SETTING, "");
    }

    @AfterEach
    void restore() {
        System.setProperty(SETTING, before); // blank is the same as not set
    }

    @ParameterizedTest
    @EnumSource
    void the_setting_chooses_one_and_all_of_its_programs(KubernetesRelease release) {
        System.setProperty(SETTING, release.minor());
        assertThat(KubernetesRelease.used()).isEqualTo(release);
        assertThat(OF_KUBERNETES).extracting(Component::cacheName).containsExactly(
                "kube-apiserver-" + release.version(), "kube-scheduler-" + release.version(),
                "kubectl-" + release.version());
        assertThat(Component.KUBE_APISERVER.module().linkerFlags())
                .contains("gitVersion=" + release.version(), "gitMinor=" + release.minor().substring(2));
    }

    @Test
    void releases_differ_so_that_their_programs_stand_beside_each_other() {
        assertThat(Stream.of(KubernetesRelease.values()).map(KubernetesRelease::minor))
                .containsExactly("1.37", "1.36");
    }

    @Test
    void without_the_setting_it_is_the_newest() throws Exception {
        // Of a JVM of its own, as this one's environment may say another.
        assertThat(used(Map.of()).inputReader().lines()).containsExactly("V1_37");
        assertThat(used(Map.of(SETTING, "1.36")).inputReader().lines()).containsExactly("V1_36");
    }

    @Test
    void another_release_is_refused_with_those_that_there_are() {
        for (String wrong : List.of("1.35", "v1.36", "1.36.3", "latest")) {
            System.setProperty(SETTING, wrong);
            assertThatIllegalStateException().isThrownBy(KubernetesRelease::used)
                    .withMessage("NODEWARD_E2E_KUBERNETES=" + wrong + " is none of 1.37, 1.36");
        }
    }

    private static Process used(Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(System.getProperty("java.home") + "/bin/java",
                "-cp", System.getProperty("java.class.path"), Printed.class.getName());
        builder.environment().remove(SETTING);
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true).start();
    }

    static final class Printed {
        private Printed() {}

        public static void main(String[] arguments) {
            System.out.println(KubernetesRelease.used());
        }
    }
}
