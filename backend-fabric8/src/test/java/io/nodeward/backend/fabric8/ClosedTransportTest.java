package io.nodeward.backend.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The JDK keeps a client until nothing leads to it any more, and what the client itself keeps must not. */
class ClosedTransportTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void a_closed_transport_can_be_collected_whatever_it_was_used_for() throws Exception {
        try (FakeApiServer server = FakeApiServer.start(Options.defaults())) {
            WeakReference<Transport> closed = used(server);
            await().until(() -> {
                System.gc();
                return closed.refersTo(null);
            });
        }
    }

    private static WeakReference<Transport> used(FakeApiServer server) throws IOException {
        Transport transport =
                new Fabric8Backend().connect(new ClusterAccess(server.kubeconfig(), Optional.empty(), "test"));
        try (Response watch = transport.exchange(call("/api/v1/nodes?watch=true", true, LONG))) {
            assertThat(watch.status()).isEqualTo(200);
            try (Response read = transport.exchange(call("/version", false, LONG))) {
                assertThat(read.body().readAllBytes()).isNotEmpty();
            }
            transport.exchange(call("/api", false, LONG)).close();
            server.fault(r -> true, new Fault.Delay(LONG));
            assertThatThrownBy(() -> transport.exchange(call("/apis", false, Duration.ofSeconds(1))))
                    .isInstanceOf(ApiFailure.Unreachable.class);
        }
        transport.close();
        return new WeakReference<>(transport);
    }

    private static Request call(String path, boolean streaming, Duration timeout) {
        return new Request("GET", path, Map.of(), Optional.empty(), timeout, streaming);
    }
}
