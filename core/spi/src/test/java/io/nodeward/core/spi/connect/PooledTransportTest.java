package io.nodeward.core.spi.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.connect.Identity.Header;
import io.nodeward.core.spi.connect.InFlightRequest.Failed;
import io.nodeward.core.spi.connect.InFlightRequest.Head;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class PooledTransportTest {
    @Test
    void a_read_that_was_not_answered_a_byte_is_repeated_in_a_new_pool() {
        try (Failing transport = new Failing(Failed.UNANSWERED, 1)) {
            assertThat(transport.exchange(request("GET")).status()).isEqualTo(200);
            assertThat(transport.used).hasSize(2).doesNotHaveDuplicates();
            assertThat(transport.used).extracting(pool -> pool.retired).containsExactly(true, false);
        }
    }

    @Test
    void what_may_have_been_read_is_not_repeated() {
        try (Failing transport = new Failing(Failed.SENT, 1)) {
            assertThatThrownBy(() -> transport.exchange(request("GET"))).isInstanceOf(ApiFailure.Unreachable.class);
            assertThat(transport.used).extracting(pool -> pool.retired).containsExactly(false);
        }
    }

    @Test
    void what_was_not_answered_once_more_is_not_repeated_again() {
        try (Failing transport = new Failing(Failed.UNANSWERED, 2)) {
            assertThatThrownBy(() -> transport.exchange(request("GET"))).isInstanceOf(ApiFailure.Unreachable.class);
            assertThat(transport.used).hasSize(2);
        }
    }

    @Test
    void what_was_not_sent_is_tried_in_other_pools_and_not_for_ever() {
        try (Failing transport = new Failing(Failed.UNSENT, 3)) {
            assertThat(transport.exchange(request("GET")).status()).isEqualTo(200);
            assertThat(transport.used).hasSize(4).doesNotHaveDuplicates();
        }
        try (Failing transport = new Failing(Failed.UNSENT, Integer.MAX_VALUE)) {
            assertThatThrownBy(() -> transport.exchange(request("GET"))).isInstanceOf(ApiFailure.Unreachable.class);
            assertThat(transport.used).hasSize(10);
        }
    }

    @Test
    void a_write_is_not_repeated() {
        try (Failing transport = new Failing(Failed.UNANSWERED, 1)) {
            assertThatThrownBy(() -> transport.exchange(request("PATCH"))).isInstanceOf(ApiFailure.Unreachable.class);
            assertThat(transport.used).hasSize(1);
        }
    }

    private static Request request(String method) {
        return new Request(method, "/", Map.of(), Optional.empty(), Duration.ofMinutes(1), false);
    }

    private static final class Pool implements ConnectionPool {
        private boolean retired;

        @Override
        public void retire() {
            retired = true;
        }

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public void close() {}
    }

    /** Its first requests fail. */
    private static final class Failing extends PooledTransport<Pool> {
        private final Failed how;
        private final int times;
        private final List<Pool> used = new ArrayList<>();

        Failing(Failed how, int times) {
            super(ConnectionPools.borrowed("https://example.com", (certificate, streaming) -> new Pool()),
                    System::nanoTime);
            this.how = how;
            this.times = times;
        }

        @Override
        protected InFlightRequest send(
                Pool pool, Request request, String url, List<Header> headers, BodyStream body) {
            used.add(pool);
            CompletableFuture<Head> head = used.size() <= times
                    ? CompletableFuture.failedFuture(new IOException("no answer"))
                    : CompletableFuture.completedFuture(new Head(200, Optional.empty(), new Empty(body),
                            UnaryOperator.identity()));
            return new InFlightRequest(head, () -> {}, () -> how);
        }
    }

    private record Empty(BodyStream body) implements BodyStream.Source {
        @Override
        public void more() {
            body.ended(Optional.empty());
        }

        @Override
        public void cancel() {}
    }
}
