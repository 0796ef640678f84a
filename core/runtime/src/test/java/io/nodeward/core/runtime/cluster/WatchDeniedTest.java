package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.cache.HeapBudget;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A 401 on the watch of Nodes, while other calls are answered as before. */
class WatchDeniedTest {
    private static final ObjectKey KEY = new ObjectKey("fleet", "c");
    private static final String STARTED = "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"7\","
            + "\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}";

    private final Timers timers = new Timers();
    private final AtomicInteger watches = new AtomicInteger();
    private final CountDownLatch denied = new CountDownLatch(1);
    private final CountDownLatch follows = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<Runnable> afterDenial = new AtomicReference<>(() -> {});
    private final WorkloadCluster cluster = new WorkloadCluster(KEY, new Server(),
            new ConnectionFactory(new Fabric8Backend(), ClusterSettings.DEFAULT, timers, new SimpleMeterRegistry(),
                    "test", WritePause.NEVER, Leadership.UNCONTESTED),
            HeapBudget.ofProcess(new SimpleMeterRegistry()), new WriteMeters(new SimpleMeterRegistry()),
            timers, () -> afterDenial.get().run());

    @AfterEach
    void close() {
        closed.countDown();
        cluster.close();
        timers.close();
    }

    @Test
    void who_was_woken_between_the_401_and_its_news_is_woken_again_when_the_cluster_is_followed() throws Exception {
        cluster.start();
        await().until(cluster::becameAvailable);
        AtomicInteger woken = new AtomicInteger();
        afterDenial.set(() -> {
            if (watches.get() == 2) { // the answer is known and has not reached the watch
                afterDenial.set(() -> {});
                write();
                woken.addAndGet(cluster.becameAvailable() ? 1 : 0);
            }
        });
        denied.countDown();
        follows.await();

        assertThat(woken).hasValue(1);
        await().until(cluster::available);
        assertThat(cluster.becameAvailable()).as("it was not, for as long as nobody followed it").isTrue();
    }

    private void write() {
        Node node = new Node(new Metadata(ObjectKey.clusterScoped("n"), "u", "1", Map.of(), Map.of(), List.of(), false),
                "", List.of());
        NodeChange change = new NodeChange("n", "1", Optional.of(List.of(Taint.of("a", "", "NoSchedule"))),
                new TreeMap<>(), new TreeMap<>());
        cluster.apply(ObjectChange.node(KEY, node, change), "test", false);
    }

    private final class Server implements Transport {
        @Override
        public Response exchange(Request call) {
            if (!call.path().startsWith("/api/v1/nodes?")) {
                return answer(200, "{\"metadata\":{\"name\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"8\"}}");
            }
            if (!call.path().contains("watch=true")) {
                return answer(200, "{\"metadata\":{\"resourceVersion\":\"8\"},\"items\":[]}");
            }
            return switch (watches.incrementAndGet()) {
                case 1 -> answer(200, STARTED);
                case 2 -> denied();
                default -> {
                    follows.countDown();
                    yield new Response(200, Optional.empty(), new Silence());
                }
            };
        }

        private Response denied() {
            waitFor(denied);
            return answer(401, "{\"kind\":\"Status\",\"reason\":\"Unauthorized\",\"code\":401}");
        }

        @Override
        public void close() {}
    }

    private static Response answer(int status, String body) {
        return new Response(status, Optional.empty(), new ByteArrayInputStream(body.getBytes()));
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Silence extends InputStream {
        @Override
        public int read() {
            waitFor(closed);
            return -1;
        }
    }
}
