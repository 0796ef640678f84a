package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Metadata;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

abstract class ManyAtOnceTopic extends ServedTopic {
    /** What the callers of a backend keep to: well below the 100 streams servers allow on a connection. */
    private static final int IN_FLIGHT = 64;

    @Test
    void two_hundred_patches_at_once_all_succeed() throws Exception {
        List<Metadata> nodes = tenNodes(api);
        String patch = "{\"metadata\":{\"labels\":{\"n%d\":\"yes\"}}}";
        all(200, i -> api.patch(NODES, nodes.get(i % 10).key(), merge(patch.formatted(i))));
        for (int i = 0; i < 10; i++) {
            var labels = json(api.get(NODES, nodes.get(i).key())).path("metadata").path("labels");
            for (int n = i; n < 200; n += 10) {
                assertThat(labels.has("n" + n)).as("label n%d", n).isTrue();
            }
        }
    }

    @Test
    void open_watches_take_no_stream_from_other_calls() throws Exception {
        Metadata node = node(api, "a");
        ListOptions options = ListOptions.watchFrom(label(), node.resourceVersion(), Duration.ofMinutes(5));
        for (int i = 0; i < 80; i++) {
            closing(api.watch(NODES, "", options));
        }
        all(IN_FLIGHT * 2, i -> api.get(NODES, node.key()));
    }

    /** Before a client has read how many streams a new connection takes, it may open more. */
    @Test
    void three_hundred_watches_that_open_at_once_all_stand() throws Exception {
        ListOptions options = ListOptions.watchFrom(label(), node(api, "a").resourceVersion(), Duration.ofMinutes(5));
        all(300, 300, i -> closing(api.watch(NODES, "", options)));
    }

    private List<Metadata> tenNodes(ApiServer api) throws IOException {
        List<Metadata> nodes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            nodes.add(node(api, "n" + i));
        }
        return nodes;
    }

    @FunctionalInterface
    private interface Numbered {
        Object call(int i) throws Exception;
    }

    private static void all(int count, Numbered call) throws Exception {
        all(count, IN_FLIGHT, call);
    }

    private static void all(int count, int inFlight, Numbered call) throws Exception {
        Semaphore free = new Semaphore(inFlight);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Object>> results = new ArrayList<>();
            for (int n = 0; n < count; n++) {
                int i = n;
                Callable<Object> task = () -> {
                    free.acquire();
                    try {
                        return call.call(i);
                    } finally {
                        free.release();
                    }
                };
                results.add(threads.submit(task));
            }
            for (Future<Object> result : results) {
                result.get();
            }
        }
    }
}
