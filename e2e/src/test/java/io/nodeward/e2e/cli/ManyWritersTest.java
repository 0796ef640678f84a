package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many who taint one Node at the same time, while its kubelet reports. */
@Tag("deep")
class ManyWritersTest {
    private static final int WRITERS = 50;

    private static ControlPlane controlPlane;
    private static Fleet fleet;
    private static Typed typed;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.shared();
        fleet = Fleet.in(controlPlane.admin(), "writers");
        typed = new Typed(controlPlane, controlPlane.adminKubeconfig());
    }

    @AfterAll
    static void end() {
        fleet.close();
    }

    @Test
    void fifty_at_a_time_lose_no_update() throws Exception {
        fleet.node(NodeSpec.named("writers-add"));

        List<Result> results = atOnce("writers-add", i -> List.of("w" + i + "=x:NoSchedule"));

        assertThat(results).allMatch(s -> s.equals(new Result(0, "node/writers-add tainted\n", "")));
        assertThat(keys("writers-add")).containsExactlyInAnyOrderElementsOf(
                IntStream.range(0, WRITERS).mapToObj(i -> "w" + i).toList());
    }

    @Test
    void those_who_add_and_those_who_remove_do_not_disturb_each_other() throws Exception {
        NodeSpec node = NodeSpec.named("writers-mix").withTaint("stays", "", "NoSchedule");
        for (int i = 0; i < WRITERS; i += 2) {
            node = node.withTaint("w" + i, "x", "NoSchedule");
        }
        fleet.node(node);

        List<Result> results = atOnce("writers-mix",
                i -> i % 2 == 0 ? List.of("w" + i + "-") : List.of("w" + i + "=x:NoSchedule", "--ensure"));

        assertThat(results).allMatch(s -> s.exit() == 0, "all say yes");
        List<String> expected = new ArrayList<>(List.of("stays"));
        IntStream.range(0, WRITERS).filter(i -> i % 2 == 1).forEach(i -> expected.add("w" + i));
        assertThat(keys("writers-mix")).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void of_fifty_who_add_the_same_one_does_and_the_others_are_told() throws Exception {
        fleet.node(NodeSpec.named("writers-same"));

        List<Result> results = atOnce("writers-same", i -> List.of("same=w" + i + ":NoSchedule"));

        assertThat(results.stream().filter(s -> s.exit() == 0)).hasSize(1);
        assertThat(results.stream().filter(s -> s.exit() == 1).map(Result::err)).hasSize(WRITERS - 1).containsOnly(
                "error: node writers-same already has same taint(s) with same effect(s) and --overwrite is false\n");
        assertThat(keys("writers-same")).containsExactly("same");
    }

    private interface Words {
        List<String> of(int writer);
    }

    private static List<Result> atOnce(String node, Words words) throws Exception {
        CountDownLatch ready = new CountDownLatch(WRITERS);
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> kubelet = threads.submit(() -> beat(node, over));
            List<Future<Result>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                List<String> args = new ArrayList<>(List.of("taint", "nodes", node));
                args.addAll(words.of(i));
                writers.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return typed.run(args.toArray(String[]::new));
                }));
            }
            List<Result> results = new ArrayList<>();
            for (Future<Result> writer : writers) {
                results.add(writer.get());
            }
            over.set(true);
            kubelet.get();
            return results;
        }
    }

    private static void beat(String node, AtomicBoolean over) {
        for (int i = 0; !over.get(); i++) {
            AdminClient.Reply reply = controlPlane.admin().send("PATCH", Fleet.nodePath(node) + "/status",
                    AdminClient.MERGE_PATCH, "{\"status\":{\"phase\":\"Running\",\"allocatable\":{\"beat\":\"" + i
                            + "\"}}}");
            assertThat(reply.isOk()).isTrue();
        }
    }

    private static List<String> keys(String node) {
        JsonNode taints = controlPlane.admin().get(Fleet.nodePath(node)).at("/spec/taints");
        return StreamSupport.stream(taints.spliterator(), false).map(taint -> taint.path("key").asText()).toList();
    }
}
