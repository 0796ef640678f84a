package io.nodeward.core.runtime.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerClockTest implements Transport {
    private final List<String> requests = new ArrayList<>();
    private String answer = "";

    @Override
    public Response exchange(Request request) {
        requests.add(request.method() + " " + request.path() + " " + new String(request.body().orElseThrow(), UTF_8));
        return new Response(201, Optional.empty(), new ByteArrayInputStream(answer.getBytes(UTF_8)));
    }

    @Override
    public void close() {}

    private Instant ask() {
        try (Timers timers = new Timers()) {
            return new ServerClock(new HomeCluster(new ApiServer(this), timers)).instant();
        }
    }

    @Test
    void it_is_the_time_of_an_answer_that_the_server_does_not_keep() {
        answer = "{\"metadata\":{\"creationTimestamp\":\"2026-11-30T16:00:00Z\"}}";
        assertThat(ask()).isEqualTo(Instant.parse("2026-11-30T16:00:00Z"));
        assertThat(requests).containsExactly("POST /apis/authentication.k8s.io/v1/selfsubjectreviews "
                + "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"metadata\":{\"creationTimestamp\":null}}", "{}", "{\"metadata\":[", "now",
            "{\"metadata\":{\"creationTimestamp\":\"2026-11-30\"}}"})
    void an_answer_without_a_time_is_none(String other) {
        answer = other;
        assertThatThrownBy(this::ask).isInstanceOf(ApiFailure.Unreachable.class)
                .hasMessageContaining("the answer has no metadata.creationTimestamp");
    }
}
