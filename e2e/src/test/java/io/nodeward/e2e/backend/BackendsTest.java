package io.nodeward.e2e.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.spi.Backend;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class BackendsTest {
    /** One more here is one more run of the suites in the pom. */
    @Test
    void those_that_the_suites_run_with_are_all_there_are() {
        assertThat(ServiceLoader.load(Backend.class)).extracting(Backend::name)
                .containsExactlyInAnyOrder(UsedBackend.USUAL, "official");
    }
}
