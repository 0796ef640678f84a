package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Refusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Edits, foreign writes, cuts, refusals and restarts in a random order that its seed repeats. Whatever happened, in the
 * end each Node bears what its Machine declares, and each foreign taint that was acknowledged.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FaultScheduleTest extends MachineFixture {
    private static final int MACHINES = 20;
    private static final int STEPS = 150;
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private final Map<String, TreeSet<String>> declared = new HashMap<>();
    private final Map<String, TreeSet<String>> foreign = new HashMap<>();
    private int nextForeign;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void a_fleet_converges_and_no_foreign_taint_is_lost(long seed) throws Exception {
        schedule(seed);
    }

    @Tag("deep")
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {3, 4, 5, 6})
    void a_fleet_converges_and_no_foreign_taint_is_lost_in_other_schedules(long seed) throws Exception {
        schedule(seed);
    }

    private void schedule(long seed) throws Exception {
        Random random = new Random(seed);
        names().forEach(name -> {
            machineWithNode(name);
            declared.put(name, new TreeSet<>());
            foreign.put(name, new TreeSet<>());
        });
        controller = new RunningController(management.kubeconfig(), quiet);
        StringBuilder schedule = new StringBuilder("seed " + seed + ":");
        for (int step = 0; step < STEPS; step++) {
            schedule.append('\n').append(step(random));
            Thread.sleep(random.nextInt(20));
        }
        management.clearFaults();
        workload.clearFaults();

        await().untilAsserted(() -> names().forEach(name -> assertConverged(name, schedule.toString())));
        settle();
        workload.clearRequests();
        restart();
        settle();
        assertThat(patches()).as("writes after convergence, %s", schedule).isEmpty();
    }

    private void assertConverged(String name, String schedule) {
        List<String> expected = Stream.concat(declared.get(name).stream(), foreign.get(name).stream()).toList();
        assertThat(taintsOf(name)).as("%s, %s", name, schedule).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(tracked(name)).as("tracked on %s, %s", name, schedule).isEqualTo(declared.get(name).stream()
                .map(t -> t.replaceFirst("=.*:", ":"))
                .sorted()
                .collect(Collectors.joining(",")));
    }

    private static List<String> names() {
        return IntStream.range(0, MACHINES).mapToObj(i -> "m%02d".formatted(i)).toList();
    }

    /** Returns what was done. */
    private String step(Random random) {
        String name = names().get(random.nextInt(MACHINES));
        int kind = random.nextInt(100);
        if (kind < 40) {
            return "declare " + name + " " + edit(name, random);
        } else if (kind < 60) {
            return "foreign " + name + " " + foreignWrite(name, random);
        } else if (kind < 70) {
            workload.mergePatch("nodes", "", name, json("{'status':{'phase':'" + random.nextInt() + "'}}"));
            return "heartbeat " + name;
        } else if (kind < 90) {
            return fault(random);
        } else if (kind < 97) {
            FakeApiServer server = server(random);
            server.dropWatches();
            return "cut watches of " + said(server);
        } else if (kind < 99) {
            FakeApiServer server = server(random);
            server.expire();
            server.dropWatches();
            return "expire " + said(server);
        }
        restart();
        return "restart";
    }

    private void restart() {
        controller.close();
        controller = new RunningController(management.kubeconfig(), quiet);
    }

    private FakeApiServer server(Random random) {
        return random.nextInt(3) == 0 ? management : workload;
    }

    private String said(FakeApiServer server) {
        return server == management ? "management" : "workload";
    }

    private String edit(String name, Random random) {
        TreeSet<String> taints = new TreeSet<>();
        for (int i = 0; i < 4; i++) {
            if (random.nextBoolean()) {
                taints.add("own" + i + "=" + random.nextInt(3) + ":" + EFFECTS.get(i % 3));
            }
        }
        declare(name, taints.toArray(String[]::new));
        declared.put(name, taints);
        return taints.toString();
    }

    /** Adds a taint, or takes one of its own away, as a client does that reads, changes and writes on what it read. */
    private String foreignWrite(String name, Random random) {
        TreeSet<String> mine = foreign.get(name);
        boolean removes = !mine.isEmpty() && random.nextInt(3) == 0;
        String taint = removes ? mine.first() : "foreign" + nextForeign++ + "=:NoSchedule";
        while (true) {
            JsonNode node = workload.get("nodes", "", name).orElseThrow();
            ObjectNode patch = json("{'metadata':{},'spec':{}}");
            ((ObjectNode) patch.at("/metadata")).set("resourceVersion", node.at("/metadata/resourceVersion"));
            ArrayNode taints = ((ObjectNode) patch.at("/spec")).putArray("taints");
            node.at("/spec/taints").forEach(t -> {
                if (!removes || !taint.startsWith(t.path("key").asText() + "=")) {
                    taints.add(t);
                }
            });
            if (!removes) {
                taints.addObject().put("key", taint.replaceFirst("=.*", "")).put("effect", "NoSchedule");
            }
            try {
                workload.mergePatch("nodes", "", name, patch);
            } catch (Refusal conflict) {
                continue;
            }
            if (removes) {
                mine.remove(taint);
            } else {
                mine.add(taint);
            }
            return (removes ? "removes " : "adds ") + taint;
        }
    }

    private String fault(Random random) {
        FakeApiServer server = server(random);
        int times = 1 + random.nextInt(3);
        Fault fault = switch (random.nextInt(9)) {
            case 0 -> Fault.status(409, "Conflict", "the object has been modified");
            case 1 -> Fault.tooManyRequests(1);
            case 2 -> Fault.status(500, "InternalError", "of the test");
            case 3 -> Fault.status(401, "Unauthorized", "for a moment");
            case 4 -> new Fault.Cut(-1);
            case 5 -> new Fault.Cut(random.nextInt(300));
            case 6 -> Fault.status(410, "Expired", "too old");
            case 7 -> new Fault.Answer(200, Map.of(), "{\"no\":");
            default -> new Fault.Delay(Duration.ofMillis(random.nextInt(300)));
        };
        server.fault(times, request -> true, fault);
        return times + " x " + fault + " at " + said(server);
    }
}
