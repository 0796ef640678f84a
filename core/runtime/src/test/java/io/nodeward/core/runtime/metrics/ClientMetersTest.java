package io.nodeward.core.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Series stay for the life of the process, and a server chooses what it answers. */
class ClientMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ClientMeters meters = new ClientMeters(registry, "workload");

    @Test
    void a_server_that_counts_its_status_upwards_adds_a_closed_set_of_series() {
        IntStream.range(-1000, 100_000).forEach(status -> meters.answered("GET", status, 1));

        Set<String> codes = codes();
        assertThat(codes).hasSizeLessThan(40).contains("200", "404", "409", "429", "2xx", "5xx", "other");
        assertThat(count("other")).isEqualTo(101_000 - 500);
        assertThat(codes.stream().mapToDouble(this::count).sum()).isEqualTo(101_000);
    }

    @Test
    void what_api_servers_answer_is_counted_by_its_status() {
        for (int status : new int[]{200, 201, 400, 401, 403, 404, 409, 410, 415, 422, 429, 500, 503, 504}) {
            meters.answered("PATCH", status, 1);
            assertThat(count(Integer.toString(status))).isEqualTo(1);
        }
    }

    @Test
    void a_request_without_an_answer_is_an_error() {
        meters.unanswered("GET", 1);

        assertThat(codes()).containsExactly("<error>");
    }

    private Set<String> codes() {
        return registry.find("rest.client.requests").counters().stream()
                .map(counter -> counter.getId().getTag("code"))
                .collect(Collectors.toSet());
    }

    private double count(String code) {
        return registry.get("rest.client.requests").tag("code", code).counter().count();
    }
}
