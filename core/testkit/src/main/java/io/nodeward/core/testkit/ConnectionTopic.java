package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

abstract class ConnectionTopic extends ServedTopic {
    private static final Duration SOON = Duration.ofSeconds(2);

    // A dead HTTP/2 connection would else swallow each call that follows, for as long as the kernel tries.
    @Test
    void after_a_connection_died_without_a_word_a_later_call_gets_through() throws IOException {
        Wire wire = closing(Wire.to(server().kubeconfig()));
        Transport transport = transport(wire.kubeconfig());
        assertThat(status(transport, get("/version", Duration.ofSeconds(30)))).isEqualTo(200);
        wire.relay().forget();
        assertThatThrownBy(() -> status(transport, get("/version", SOON))).isInstanceOf(ApiFailure.Unreachable.class);
        assertThat(status(transport, get("/version", Duration.ofSeconds(30)))).isEqualTo(200);
    }

    @Test
    void the_same_holds_for_streaming_calls() throws IOException {
        Wire wire = closing(Wire.to(server().kubeconfig()));
        Transport transport = transport(wire.kubeconfig());
        assertThat(status(transport, streaming(Duration.ofSeconds(30)))).isEqualTo(200);
        wire.relay().forget();
        assertThatThrownBy(() -> status(transport, streaming(SOON))).isInstanceOf(ApiFailure.Unreachable.class);
        assertThat(status(transport, streaming(Duration.ofSeconds(30)))).isEqualTo(200);
    }

    // As when a server restarts. A read may meet a dead connection and fail; the one after it must not.
    @Test
    void after_every_connection_was_cut_a_later_call_gets_through() throws IOException {
        Wire wire = closing(Wire.to(server().kubeconfig()));
        Transport transport = transport(wire.kubeconfig());
        assertThat(status(transport, get("/version", Duration.ofSeconds(30)))).isEqualTo(200);
        for (int i = 0; i < 3; i++) {
            wire.relay().cut();
            Throwable first = catchThrowable(() -> status(transport, get("/version", Duration.ofSeconds(30))));
            if (first != null) {
                assertThat(first).isInstanceOf(ApiFailure.Unreachable.class);
            }
            assertThat(status(transport, get("/version", Duration.ofSeconds(30)))).isEqualTo(200);
        }
    }

    @Test
    void connections_are_used_again() throws IOException {
        Wire wire = closing(Wire.to(server().kubeconfig()));
        Transport transport = transport(wire.kubeconfig());
        for (int i = 0; i < 20; i++) {
            assertThat(status(transport, get("/version", Duration.ofSeconds(30)))).isEqualTo(200);
        }
        assertThat(wire.relay().standing()).isEqualTo(1);
    }

    private static Request streaming(Duration timeout) {
        Map<String, String> headers = Map.of("Accept", "application/json");
        return new Request("GET", "/api/v1/nodes?limit=1", headers, Optional.empty(), timeout, true);
    }

    private static int status(Transport transport, Request call) throws IOException {
        try (Response answer = transport.exchange(call)) {
            answer.body().readAllBytes();
            return answer.status();
        }
    }
}
