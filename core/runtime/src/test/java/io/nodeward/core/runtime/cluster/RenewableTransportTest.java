package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RenewableTransportTest {
    private static final Request CALL =
            new Request("GET", "/", Map.of(), Optional.empty(), Duration.ofSeconds(5), true);

    private final Named first = new Named("first");
    private final Named second = new Named("second");
    private final RenewableTransport transport = new RenewableTransport(first);

    @Test
    void what_comes_after_a_renewal_goes_out_with_the_new_credentials() throws IOException {
        assertThat(text(transport.exchange(CALL))).isEqualTo("first");
        transport.renew(second);
        assertThat(text(transport.exchange(CALL))).isEqualTo("second");
        assertThat(first.closed).isTrue();
        assertThat(second.closed).isFalse();
    }

    @Test
    void an_answer_that_is_still_coming_keeps_the_old_ones_until_it_ends() throws IOException {
        Response watch = transport.exchange(CALL);
        Response other = transport.exchange(CALL);
        transport.renew(second);
        assertThat(first.closed).isFalse();
        other.close();
        other.close();
        assertThat(first.closed).isFalse();
        assertThat(text(watch)).isEqualTo("first");
        await().until(() -> first.closed);
        assertThat(second.closed).isFalse();
    }

    @Test
    void a_call_that_fails_keeps_nothing() {
        first.failing = true;
        assertThatThrownBy(() -> transport.exchange(CALL)).isInstanceOf(ApiFailure.Unreachable.class);
        transport.renew(second);
        assertThat(first.closed).isTrue();
    }

    @Test
    void closing_closes_old_and_new() {
        transport.exchange(CALL);
        transport.renew(second);
        transport.close();
        assertThat(first.closed).isTrue();
        assertThat(second.closed).isTrue();
    }

    @Test
    void what_comes_too_late_is_closed() {
        transport.close();
        transport.renew(second);
        assertThat(second.closed).isTrue();
    }

    private static String text(Response answer) throws IOException {
        try (answer) {
            return new String(answer.body().readAllBytes());
        }
    }

    /** Answers with its name. */
    private static final class Named implements Transport {
        private final String name;
        private volatile boolean closed;
        private boolean failing;

        Named(String name) {
            this.name = name;
        }

        @Override
        public Response exchange(Request call) {
            if (failing) {
                throw ApiFailure.unreachable("GET /", "refused", new IOException());
            }
            return new Response(200, Optional.empty(), new ByteArrayInputStream(name.getBytes()));
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
