package io.nodeward.e2e.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.e2e.bench.load.Pause;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The API servers of five of 20 clusters refuse, forget and flood without end. The other clusters must not notice. */
class HostileTest {
    private static final int CLUSTERS = 20;
    private static final int HOSTILE = 5;
    private static final int NODES = 5;
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final Duration ROUND = Duration.ofSeconds(1);
    /** The flags of the image that bound the heap. */
    private static final List<String> CONTROLLER = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-Xmx256m", "-Xmn32m", "-Dtest.log.level=ERROR",
            "-cp", System.getProperty("java.class.path"), "io.nodeward.controller.app.Main");

    @ParameterizedTest
    @ValueSource(strings = {"fabric8", "official"})
    @Tag("deep")
    void for_two_minutes(String backend) {
        run(backend, Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fabric8", "official"})
    @Tag("soak")
    void for_ten_minutes(String backend) {
        run(backend, Duration.ofMinutes(10));
    }

    private void run(String backend, Duration time) {
        try (ServedFleet fleet = ServedFleet.of(CLUSTERS, NODES);
                StartedController controller = StartedController.start(CONTROLLER, backend, fleet.kubeconfig())) {
            controller.awaitAtRest(fleet);
            Changes changes = new Changes(fleet);
            List<Hostile> hostile = List.of();
            Duration alone = changes.make(Duration.ofSeconds(20), hostile);
            hostile = IntStream.range(0, HOSTILE).mapToObj(i -> new Hostile(fleet.workloads().get(i), i)).toList();
            Duration first = changes.make(Duration.ofMinutes(1), hostile);
            double heap = controller.liveHeap();
            double threads = controller.metric("jvm_threads_live_threads");
            Duration rest = changes.make(time.minusMinutes(1), hostile);
            double heapAfter = controller.liveHeap();
            double threadsAfter = controller.metric("jvm_threads_live_threads");
            System.out.printf("%s: p99 %d ms alone, %d and %d ms beside hostile servers; live heap %.1f, then %.1f MiB;"
                    + " threads %.0f, then %.0f; hostile answers %s%n", backend, alone.toMillis(), first.toMillis(),
                    rest.toMillis(), heap, heapAfter, threads, threadsAfter,
                    hostile.stream().map(server -> server.answers).toList());
            assertThat(hostile).allSatisfy(server -> assertThat(server.answers.get()).isGreaterThan(NODES));
            assertThat(heapAfter).as("MiB that live").isLessThanOrEqualTo(1.1 * heap);
            assertThat(threadsAfter).isLessThanOrEqualTo(1.1 * threads);
            changes.requireOneRequestEach();
        }
    }

    /** A taint of one Machine of each cluster after the other changes, and the time until its Node has it is taken. */
    private static final class Changes {
        private final ServedFleet fleet;
        /** The time at which each Node was changed, by its path. */
        private final Map<String, Long> changed = new ConcurrentHashMap<>();
        private int round;

        Changes(ServedFleet fleet) {
            this.fleet = fleet;
            fleet.workloads().subList(HOSTILE, CLUSTERS).forEach(server -> server.listen(request -> {
                if (request.method().equals("PATCH") && request.code() == 200) {
                    changed.put(request.path(), System.nanoTime());
                }
            }));
            fleet.clearRequests();
        }

        /** Makes one change of each cluster a second, and returns the time within which 99 of 100 arrived. */
        Duration make(Duration time, List<Hostile> hostile) {
            List<Duration> took = new ArrayList<>();
            long end = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < end) {
                long start = System.nanoTime();
                hostile.forEach(Hostile::flood);
                took.addAll(change());
                Pause.of(ROUND.minusNanos(System.nanoTime() - start));
            }
            Collections.sort(took);
            assertThat(took.getLast()).isLessThanOrEqualTo(LONGEST);
            return took.get(took.size() * 99 / 100);
        }

        private List<Duration> change() {
            changed.clear();
            JsonNode change = FleetObjects.change("v" + round);
            int number = round++ % NODES;
            Map<String, Long> sent = new ConcurrentHashMap<>();
            for (int cluster = 0; cluster < CLUSTERS; cluster++) {
                String name = FleetObjects.name(cluster, number);
                sent.put("/api/v1/nodes/" + name, System.nanoTime());
                fleet.management().mergePatch("machines", FleetObjects.NAMESPACE, name, change);
            }
            List<String> well = IntStream.range(HOSTILE, CLUSTERS)
                    .mapToObj(cluster -> "/api/v1/nodes/" + FleetObjects.name(cluster, number)).toList();
            long end = System.nanoTime() + 2 * LONGEST.toNanos();
            while (!changed.keySet().containsAll(well) && System.nanoTime() < end) {
                Pause.of(Duration.ofMillis(1));
            }
            assertThat(changed.keySet()).as("within 10 s in round %s", round).containsAll(well);
            return well.stream().map(path -> Duration.ofNanos(changed.get(path) - sent.get(path))).toList();
        }

        void requireOneRequestEach() {
            for (FakeApiServer server : fleet.workloads().subList(HOSTILE, CLUSTERS)) {
                assertThat(server.requests()).filteredOn(request -> !request.method().equals("GET")).hasSize(round);
            }
        }
    }

    /**
     * A server that answers the writes of each of its five Nodes in another way: with 422 and a new text, with success that another
     * writer undoes, with a day's Retry-After, with a connection that ends after the write, with a new status code each time. It touches
     * each Node then, ends all watches each second and forgets its history.
     */
    private static final class Hostile {
        private static final String TRACKING = "cluster.x-k8s.io/taints-from-machine";

        private final AtomicInteger answers = new AtomicInteger();
        private final FakeApiServer server;
        private final List<String> names;
        private int floods;

        Hostile(FakeApiServer server, int cluster) {
            this.server = server;
            this.names = IntStream.range(0, NODES).mapToObj(number -> FleetObjects.name(cluster, number)).toList();
            refuse(0);
            server.fault(Integer.MAX_VALUE, request -> writes(request, 2), Fault.tooManyRequests(86_400));
            server.fault(Integer.MAX_VALUE, request -> writes(request, 3), new Fault.Cut(-1));
            refuse(4);
            server.listen(this::answered);
        }

        private boolean writes(Request request, int number) {
            return request.method().equals("PATCH") && request.path().endsWith("/" + names.get(number));
        }

        private void refuse(int number) {
            int count = answers.get();
            String text = "no\u0085\u001b[31m" + "x".repeat(count % 1000) + count;
            server.fault(request -> writes(request, number), number == 0
                    ? Fault.status(422, "Invalid", text)
                    : Fault.status(500 + count % 100, "Odd" + count, text));
        }

        private void answered(Request request) {
            for (int number = 0; number < NODES; number++) {
                if (writes(request, number)) {
                    answers.incrementAndGet();
                    if (number == 0 || number == 4) {
                        refuse(number);
                    }
                    touch(number, number == 1);
                }
            }
        }

        private void touch(int number, boolean undoes) {
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
            annotations.put("example.com/touched", Integer.toString(answers.get()));
            if (undoes) {
                patch.putObject("spec").putArray("taints");
                annotations.put(TRACKING, "x".repeat(answers.get() % 1000 * 100));
            }
            server.mergePatch("nodes", "", names.get(number), patch);
        }

        void flood() {
            IntStream.range(0, NODES).forEach(number -> touch(number, number == 1));
            server.dropWatches();
            if (floods++ % 3 == 0) {
                server.expire();
            }
        }
    }
}
