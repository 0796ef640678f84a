package io.nodeward.core.testkit;

import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Metadata;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.ListOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;

/** Run in a JVM of its own by {@link CloseTopic}: what is there after some connections were used and closed, and after many. */
final class LeftoversMain {
    /** Libraries keep idle threads for all their clients for a minute. */
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final Duration QUIET = Duration.ofSeconds(3);
    private static final int SOME = 3;

    private final Backend backend;
    private final ClusterAccess access;
    private final String node;

    private LeftoversMain(Backend backend, String node) throws IOException {
        this.backend = backend;
        this.access = new ClusterAccess(OwnJvm.kubeconfig(), Optional.empty(), "nodeward/contract");
        this.node = node;
    }

    @FunctionalInterface
    private interface Count {
        Collection<?> now() throws IOException;
    }

    /** @param arguments the backend's class, what to count, how many are many, the name of a Node of our own */
    public static void main(String[] arguments) throws Exception {
        LeftoversMain main = new LeftoversMain(OwnJvm.backend(arguments[0]), arguments[3]);
        VirtualThreads virtual = new VirtualThreads(Files.createTempDirectory("contract"));
        main.count(Integer.parseInt(arguments[2]), switch (arguments[1]) {
            case "threads" -> LeftoversMain::threads;
            case "descriptors" -> Descriptors::open;
            default -> {
                OwnJvm.dumpsThreads();
                yield virtual::ids;
            }
        });
        System.exit(0); // whatever was left
    }

    private void count(int many, Count count) throws Exception {
        useAndClose(SOME);
        int before = smallest(count);
        useAndClose(many);
        long end = System.nanoTime() + PATIENCE.toNanos();
        Collection<?> after = count.now();
        while (after.size() > before && System.nanoTime() < end) {
            Thread.sleep(50);
            after = count.now();
        }
        OwnJvm.tell("before", before);
        OwnJvm.tell("after", after.size());
        OwnJvm.tell("left", after);
    }

    /** Once it gets no smaller: what was just closed has threads that are still dying, and would hide as many leaks. */
    private static int smallest(Count count) throws Exception {
        int smallest = count.now().size();
        for (long quiet = System.nanoTime(); System.nanoTime() - quiet < QUIET.toNanos(); Thread.sleep(50)) {
            int now = count.now().size();
            if (now < smallest) {
                smallest = now;
                quiet = System.nanoTime();
            }
        }
        return smallest;
    }

    private void useAndClose(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            try (ApiServer api = new ApiServer(backend.connect(access))) {
                String json =
                        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}".formatted(node);
                Metadata made = Replies.metadata(api.create(Topic.NODES, "", Topic.bytes(json), Topic.WRITER));
                api.watch(Topic.NODES, "",
                        ListOptions.watchFrom("", made.resourceVersion(), Duration.ofMinutes(5))); // not closed
                api.delete(Topic.NODES, made.key());
            }
        }
    }

    // The JVM's own come and go as they like.
    private static Collection<?> threads() {
        TreeSet<String> threads = new TreeSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getThreadGroup() != null && !thread.getThreadGroup().getName().equals("system")
                    && !thread.getName().startsWith("ForkJoinPool")) {
                threads.add(thread.threadId() + " " + thread.getName());
            }
        }
        return threads;
    }
}
