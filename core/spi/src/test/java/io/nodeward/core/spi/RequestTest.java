package io.nodeward.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestTest {
    @Test
    void lists_may_be_encoded_and_neither_watches_nor_single_objects() {
        assertThat(get("/api/v1/nodes?limit=500", true).mayBeEncoded()).isTrue();
        assertThat(get("/api/v1/nodes?labelSelector=watch%3Dtrue", true).mayBeEncoded()).isTrue();
        assertThat(get("/api/v1/nodes?sendInitialEvents=true&watch=true", true).mayBeEncoded()).isFalse();
        assertThat(get("/api/v1/nodes/a", false).mayBeEncoded()).isFalse();
    }

    private static Request get(String path, boolean streaming) {
        return new Request("GET", path, Map.of(), Optional.empty(), Duration.ofSeconds(1), streaming);
    }
}
