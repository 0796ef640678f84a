package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.json.WatchEvent;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

abstract class WatchOrderTopic extends ServedTopic {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int KEYS = 4;
    private static final int WRITERS = 16;
    private static final int WRITES = 15;

    @Test
    void however_many_write_every_watch_tells_of_every_version_of_a_key_once_and_in_order() throws Exception {
        List<ObjectKey> keys = new ArrayList<>();
        Metadata last = node(api, "k0");
        keys.add(last.key());
        for (int i = 1; i < KEYS; i++) {
            last = node(api, "k" + i);
            keys.add(last.key());
        }
        List<Response> watches = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            watches.add(closing(api.watch(NODES, "",
                    ListOptions.watchFrom(label(), last.resourceVersion(), LONG))));
        }
        Map<ObjectKey, List<Long>> written = written(api, keys);
        for (Response watch : watches) {
            assertThat(received(watch, KEYS + WRITERS * WRITES)).isEqualTo(written);
        }
    }

    /** The versions of each key in order, as the replies to the writers have them; at last its deletion, which counts as 0. */
    private static Map<ObjectKey, List<Long>> written(ApiServer api, List<ObjectKey> keys) throws Exception {
        Map<ObjectKey, List<Long>> versions = new ConcurrentHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int w = 0; w < WRITERS; w++) {
                int writer = w;
                all.add(threads.submit((Callable<?>) () -> write(api, keys, writer, versions)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        for (ObjectKey key : keys) {
            api.delete(NODES, key);
            versions.computeIfPresent(key, (k, replied) -> joined(replied.stream().sorted().toList(), List.of(0L)));
        }
        return versions;
    }

    private static Object write(ApiServer api, List<ObjectKey> keys, int writer, Map<ObjectKey, List<Long>> versions)
            throws IOException {
        for (int i = 0; i < WRITES; i++) {
            ObjectKey key = keys.get((writer + i) % KEYS);
            byte[] reply = api.patch(NODES, key,
                    merge("{\"metadata\":{\"labels\":{\"w%d\":\"%d\"}}}".formatted(writer, i)));
            versions.merge(key, List.of(Long.valueOf(Replies.metadata(reply).resourceVersion())),
                    WatchOrderTopic::joined);
        }
        return versions;
    }

    private static List<Long> joined(List<Long> some, List<Long> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static Map<ObjectKey, List<Long>> received(Response watch, int events) throws IOException {
        Map<ObjectKey, List<Long>> versions = new HashMap<>();
        WatchStream<Node> stream = new WatchStream<>(watch.body(), Projection.NODE);
        for (int seen = 0; seen < events;) {
            WatchEvent<Node> event = stream.next().orElseThrow(() -> new AssertionError("the watch ended"));
            if (event instanceof WatchEvent.Put<Node> put) {
                Metadata metadata = put.object().metadata();
                List<Long> version = List.of(Long.valueOf(metadata.resourceVersion()));
                versions.merge(metadata.key(), version, WatchOrderTopic::joined);
                seen++;
            } else if (event instanceof WatchEvent.Gone<Node> gone) {
                versions.merge(gone.object().key(), List.of(0L), WatchOrderTopic::joined);
                seen++;
            }
        }
        return versions;
    }
}
