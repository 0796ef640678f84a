package io.nodeward.core.runtime.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.core.ConfigMap;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.metrics.ClientMeters;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardedTransportTest {
    private static final int IN_FLIGHT = 64;
    private static final int LARGEST = 4 << 20;
    private static final ObjectKey SWITCH = new ObjectKey("ns", "switch");

    private final Timers timers = new Timers();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final RequestObserver observer = new RequestObserver() {
        @Override
        public void answered(int status) {
            told.add("answered " + status);
        }

        @Override
        public void unanswered() {
            told.add("unanswered");
        }
    };
    private WritePause pause = WritePause.NEVER;
    private Leadership leadership = Leadership.UNCONTESTED;

    @AfterEach
    void stop() {
        timers.close();
    }

    /** Of something that does not come in time. */
    private static Request call(boolean streaming) {
        return call(Duration.ofMillis(200), streaming);
    }

    private static Request call(Duration timeout, boolean streaming) {
        return new Request("PATCH", "/x", Map.of(), Optional.empty(), timeout, streaming);
    }

    private GuardedTransport answering(int status, InputStream body) {
        return guarded(call -> new Response(status, Optional.empty(), body));
    }

    private interface Exchange {
        Response exchange(Request call) throws InterruptedException;
    }

    private static Transport transport(Exchange exchange) {
        return new Transport() {
            @Override
            public Response exchange(Request call) {
                try {
                    return exchange.exchange(call);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void close() {}
        };
    }

    /** The leadership of a process that never leads. */
    private Leadership ofAnother() {
        return Leadership.by(new ObjectKey("ns", "lease"), transport(call -> {
            throw new AssertionError("the process does not contend");
        }), "host", timers, InstantSource.system(), registry);
    }

    private GuardedTransport guarded(Exchange exchange) {
        return new GuardedTransport(
                transport(exchange), timers, new ClientMeters(registry, "workload"),
                new GuardedTransport.Limits(IN_FLIGHT, LARGEST, new ReadBudget(0, timers)), observer, pause,
                leadership);
    }

    /** Gives nothing until it is closed. */
    private static final class Stalled extends InputStream {
        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public int read() throws IOException {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("closed");
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void a_body_that_stalls_is_a_failure_within_the_time_of_the_call() {
        assertThatThrownBy(() -> answering(200, new Stalled()).exchange(call(false)))
                .isInstanceOf(ApiFailure.Unreachable.class);
        assertThatThrownBy(() -> answering(403, new Stalled()).exchange(call(true)))
                .isInstanceOf(ApiFailure.Unreachable.class);
    }

    @Test
    void a_body_without_end_is_a_failure() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                return length;
            }
        };
        assertThatThrownBy(() -> answering(200, endless).exchange(call(false)))
                .isInstanceOf(ApiFailure.Unreachable.class)
                .hasMessageContaining("larger than");
    }

    @Test
    void a_stream_is_handed_on_as_it_comes() {
        Stalled body = new Stalled();
        try (Response answer = answering(200, body).exchange(call(true))) {
            assertThat(answer.body()).isSameAs(body);
        }
    }

    @Test
    void no_more_than_the_limit_is_in_flight_until_bodies_are_read() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        GuardedTransport guarded = guarded(call -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            return new Response(200, Optional.empty(), new ByteArrayInputStream(new byte[10]) {
                @Override
                public void close() {
                    now.decrementAndGet();
                }
            });
        });
        Thread[] threads = new Thread[500];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.startVirtualThread(() -> guarded.exchange(call(Duration.ofMinutes(2), false)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most.get()).isBetween(1, IN_FLIGHT);
        assertThat(now).hasValue(0);
    }

    /** Says how many of its kind are being read beyond what is common. */
    private static final class Large extends InputStream {
        private static final int LENGTH = 1 << 20;

        private final AtomicInteger reading;
        private final AtomicInteger most;
        private int position;

        Large(AtomicInteger reading, AtomicInteger most) {
            this.reading = reading;
            this.most = most;
        }

        @Override
        public int read() {
            return position++ < LENGTH ? 'x' : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            boolean beyond = position > LENGTH / 2;
            if (beyond) {
                most.accumulateAndGet(reading.incrementAndGet(), Math::max);
                Thread.yield();
                reading.decrementAndGet();
            }
            int count = Math.min(length, LENGTH - position);
            position += count;
            return count == 0 && length > 0 ? -1 : count;
        }
    }

    @Test
    void of_large_bodies_one_is_in_memory_at_a_time() throws Exception {
        AtomicInteger reading = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger whole = new AtomicInteger();
        GuardedTransport guarded = guarded(call -> new Response(200, Optional.empty(), new Large(reading, most)));
        Request call = call(Duration.ofMinutes(2), false);
        Thread[] threads = new Thread[50];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.startVirtualThread(() -> {
                try (Response answer = guarded.exchange(call)) {
                    whole.addAndGet(answer.body().readAllBytes().length == Large.LENGTH ? 1 : 0);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most).hasValue(1);
        assertThat(whole).hasValue(threads.length);
    }

    @Test
    void while_paused_nothing_but_reads_is_sent() {
        pause = WritePause.of(Optional.of(SWITCH), registry);
        List<String> sent = new ArrayList<>();
        GuardedTransport guarded = guarded(call -> {
            sent.add(call.method());
            return new Response(200, Optional.empty(), new ByteArrayInputStream(new byte[0]));
        });
        for (String method : List.of("POST", "PUT", "PATCH", "DELETE", "GET")) {
            Request request = new Request(method, "/x", Map.of(), Optional.empty(), Duration.ofMinutes(1), false);
            if (method.equals("GET")) {
                guarded.exchange(request);
            } else {
                assertThatThrownBy(() -> guarded.exchange(request)).isInstanceOf(ApiFailure.Paused.class)
                        .hasMessageContaining(method + " /x");
            }
        }
        assertThat(sent).containsExactly("GET");
        guarded.exchange(new Request("POST", "/apis/authentication.k8s.io/v1/tokenreviews", Map.of(), Optional.empty(),
                Duration.ofMinutes(1), false));
        assertThat(sent).as("a review is answered and not kept").containsExactly("GET", "POST");
        assertThat(told).containsExactly("answered 200", "answered 200");
        assertThat(registry.find("rest.client.requests").counters())
                .extracting(counter -> counter.getId().getTag("method")).containsExactlyInAnyOrder("GET", "POST");
    }

    @Test
    void while_another_process_leads_nothing_but_reads_and_reviews_is_sent() {
        leadership = ofAnother();
        pause = WritePause.of(Optional.of(SWITCH), registry);
        pause.failed(ApiFailure.of(new Status(403, "Forbidden", "of the test", 0), "LIST", Optional.empty()));
        List<String> sent = new ArrayList<>();
        GuardedTransport guarded = guarded(call -> {
            sent.add(call.method() + " " + call.path());
            return new Response(200, Optional.empty(), new ByteArrayInputStream(new byte[0]));
        });
        String report = "/apis/nodeward.io/v1/dedicatednodes/g/status?fieldManager=nodeward-missing-rights";
        for (String write : List.of("POST /x", "PUT /x", "PATCH /x", "DELETE /x", "PATCH " + report)) {
            assertThatThrownBy(() -> guarded.exchange(request(write))).as(write)
                    .isInstanceOf(ApiFailure.NotLeading.class).hasMessageContaining(write);
        }
        guarded.exchange(request("GET /x"));
        guarded.exchange(request("POST /apis/authorization.k8s.io/v1/subjectaccessreviews"));
        assertThat(sent).containsExactly("GET /x", "POST /apis/authorization.k8s.io/v1/subjectaccessreviews");

        leadership = Leadership.UNCONTESTED;
        guarded(call -> {
            sent.add(call.method());
            return new Response(200, Optional.empty(), new ByteArrayInputStream(new byte[0]));
        }).exchange(request("PATCH " + report));
        assertThat(sent).as("the leader says which right is missing").endsWith("PATCH");
    }

    /** Each replica serves with the one Secret, so the first that needs it may create it. */
    @Test
    void while_another_process_leads_a_certificate_is_created_and_probed_but_not_changed_nor_during_a_pause() {
        leadership = ofAnother();
        List<String> sent = new ArrayList<>();
        Exchange exchange = call -> {
            sent.add(call.method() + " " + call.path());
            return new Response(200, Optional.empty(), new ByteArrayInputStream(new byte[0]));
        };
        String create = "POST /api/v1/namespaces/ns/secrets?fieldManager=nodeward-admission";
        String patch = "PATCH /api/v1/namespaces/ns/secrets/nodeward-admission?fieldManager=nodeward-admission";
        String probe = patch + "&dryRun=All";
        guarded(exchange).exchange(request(create));
        guarded(exchange).exchange(request(probe));
        assertThat(sent).containsExactly(create, probe);
        for (String other : List.of(patch, "DELETE /api/v1/namespaces/ns/secrets/nodeward-admission",
                "POST /api/v1/namespaces/ns/secrets?fieldManager=other", "POST /api/v1/namespaces/secrets",
                "POST /api/v1/namespaces/ns/configmaps?fieldManager=nodeward-admission")) {
            assertThatThrownBy(() -> guarded(exchange).exchange(request(other))).as(other)
                    .isInstanceOf(ApiFailure.NotLeading.class);
        }
        pause = WritePause.of(Optional.of(SWITCH), registry);
        for (String held : List.of(create, probe)) {
            assertThatThrownBy(() -> guarded(exchange).exchange(request(held))).as(held)
                    .isInstanceOf(ApiFailure.Paused.class).isNotInstanceOf(ApiFailure.NotLeading.class);
        }
    }

    private static Request request(String text) {
        String[] words = text.split(" ");
        return new Request(words[0], words[1], Map.of(), Optional.empty(), Duration.ofMinutes(1), false);
    }

    @Test
    void a_write_that_waited_for_others_is_not_sent_if_a_pause_came_meanwhile() throws Exception {
        pause = WritePause.of(Optional.of(SWITCH), registry);
        ObjectCache<ConfigMap> configMaps = new ObjectCache<>();
        pause.follow(SWITCH, configMaps);
        configMaps.replace(Set.of());
        CountDownLatch all = new CountDownLatch(IN_FLIGHT);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger sent = new AtomicInteger();
        GuardedTransport guarded = guarded(call -> {
            sent.incrementAndGet();
            all.countDown();
            go.await();
            return new Response(200, Optional.empty(), new ByteArrayInputStream(new byte[0]));
        });
        Request call = call(Duration.ofMinutes(2), false);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
            threads.add(Thread.startVirtualThread(() -> guarded.exchange(call)));
        }
        all.await();
        AtomicReference<Throwable> late = new AtomicReference<>();
        Thread last = Thread.startVirtualThread(() -> late.set(catchThrowable(() -> guarded.exchange(call))));
        await().atMost(Duration.ofSeconds(50)).until(() -> last.getState() == Thread.State.WAITING);
        configMaps.put(Projection.CONFIG_MAP.read("""
                {"metadata":{"namespace":"ns","name":"switch"},"data":{"paused":"true"}}""".getBytes(UTF_8)));
        go.countDown();
        last.join();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(late.get()).isInstanceOf(ApiFailure.Paused.class);
        assertThat(sent).hasValue(IN_FLIGHT);
    }
}
