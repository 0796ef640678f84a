package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests of the Lease wait for nothing that other requests wait for. */
class LeaseConnectionTest {
    private static final ObjectKey LEASE = new ObjectKey("ns", "lease");
    private static final int MORE_THAN_ARE_SENT = 70;

    private final Timers timers = new Timers();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CountDownLatch answer = new CountDownLatch(1);
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private int connections;

    /** Answers GETs late, and names the connection of each request. */
    private final class Late implements Backend {
        @Override
        public String name() {
            return "late";
        }

        @Override
        public Transport connect(ClusterAccess access) {
            int connection = connections++;
            return new Transport() {
                @Override
                public Response exchange(Request request) {
                    sent.add(connection + " " + request.method());
                    if (request.method().equals("GET")) {
                        awaitAnswer();
                    }
                    return new Response(200, Optional.empty(), new ByteArrayInputStream(new byte[0]));
                }

                @Override
                public void close() {}
            };
        }
    }

    private void awaitAnswer() {
        try {
            answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        timers.close();
    }

    @Test
    void a_write_of_the_lease_passes_before_the_process_leads_during_a_pause_and_past_the_limit_of_others()
            throws Exception {
        Late backend = new Late();
        Transport lease = ConnectionFactory.lease(backend, "", Optional.empty(), "test", timers, registry);
        Leadership leadership = Leadership.by(LEASE, lease, "host", timers, InstantSource.system(), registry);
        ConnectionFactory connections = new ConnectionFactory(backend, ClusterSettings.DEFAULT, timers, registry,
                "test", WritePause.of(Optional.of(new ObjectKey("ns", "switch")), registry), leadership);
        ApiServer management = connections.management("", Optional.empty());
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_ARE_SENT; i++) {
            readers.add(Thread.startVirtualThread(() -> management.get("/x")));
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> sent.size() == 64);

        Request patch = new Request("PATCH", "/lease", Map.of(), Optional.empty(), Duration.ofMinutes(1), false);
        assertThat(lease.exchange(patch).status()).isEqualTo(200);
        assertThat(sent).last().isEqualTo("0 PATCH");
        assertThat(registry.get("rest.client.requests").tag("host", "lease").counter().count()).isEqualTo(1);

        answer.countDown();
        for (Thread reader : readers) {
            reader.join();
        }
        assertThatThrownBy(() -> management.delete(Resources.CONFIG_MAPS, LEASE))
                .isInstanceOf(ApiFailure.NotLeading.class);
        assertThat(sent).doesNotContain("1 DELETE");
    }
}
