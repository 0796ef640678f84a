package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.core.fakeapi.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pauses, cuts and restarts while others write the taints of a new Node: Nodeward sets a taint for its initialization at most twice for
 * each registration, and never again after another writer has removed that taint alone.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RegistrationSequencesTest extends PoolFixture {
    private static final int REGISTRATIONS = 8;
    private static final int STEPS = 5;
    private static final int WIPE = 0;
    private static final int REMOVE_ALONE = 1;
    private static final String UNINITIALIZED = "node.cluster.x-k8s.io/uninitialized=:NoSchedule";
    private static final String INITIAL = "b=2:NoExecute";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** What was done, for a failure. */
    private final List<String> done = new ArrayList<>();
    private boolean removedAlone;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void an_initial_taint_comes_at_most_twice(long seed) throws Exception {
        sequence(seed);
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void an_initial_taint_comes_at_most_twice_in_other_sequences(long seed) throws Exception {
        sequence(seed);
    }

    private void sequence(long seed) throws Exception {
        Random random = new Random(seed);
        pool("p", 0, "a=1:NoSchedule", INITIAL + ":OnInitialization");
        list("p", "fake://p-0");
        start();
        for (int registration = 0; registration < REGISTRATIONS; registration++) {
            register();
            assertThat(additions()).as("seed %s: %s", seed, done).hasSize(registration + 1);
            int certain = List.of(WIPE, REMOVE_ALONE, -1).get(Math.min(registration, 2));
            for (int step = 0; step < STEPS; step++) {
                happen(certain >= 0 && step == 0 ? certain : random.nextInt(8), random.nextInt(3));
                if (random.nextBoolean() || certain >= 0 && step == 0) {
                    check(seed);
                }
            }
            pause(false);
            check(seed);
        }
        assertThat(additions().values()).as("seed %s: %s", seed, done).contains(1, 2);
    }

    private void register() throws Exception {
        done.add("register");
        if (workload.get("nodes", "", "p-0").isPresent()) {
            workload.delete("nodes", "", "p-0");
            settle();
        }
        removedAlone = false;
        node("p-0", UNINITIALIZED);
        settle();
    }

    private void check(long seed) throws Exception {
        settle();
        assertThat(additions().values()).as("seed %s: %s", seed, done).allMatch(count -> count <= 2);
        if (removedAlone) {
            assertThat(taintsOf("p-0")).as("seed %s: %s", seed, done).doesNotContain(INITIAL);
        }
    }

    private void happen(int what, int how) throws Exception {
        done.add(what + "/" + how);
        List<String> taints = new ArrayList<>(taintsOf("p-0"));
        switch (what) {
            case WIPE -> setTaints("p-0", how == 0 ? new String[0] : new String[]{"a=1:NoSchedule"}); // as Cluster API may
            case REMOVE_ALONE -> {
                settle();
                taints = new ArrayList<>(taintsOf("p-0"));
                removedAlone |= taints.contains(UNINITIALIZED) && taints.remove(INITIAL);
                setTaints("p-0", taints.toArray(String[]::new));
                settle();
            }
            case 2 -> {
                taints.remove(UNINITIALIZED);
                setTaints("p-0", taints.toArray(String[]::new));
            }
            case 3 -> pause(how == 0);
            case 4 -> workload.dropWatches();
            case 5 -> restart();
            default ->
                    quiet.pass(List.of(Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofMinutes(11)).get(how));
        }
    }

    /** Returns how often the taint was added, by the uid of the Node. */
    private Map<String, Integer> additions() {
        Map<String, Integer> additions = new HashMap<>();
        for (Request request : workload.requests()) {
            if (request.method().equals("PATCH") && request.path().equals("/api/v1/nodes/p-0")
                    && request.code() == 200) {
                Map<String, JsonNode> values = new HashMap<>();
                body(request).forEach(
                        each -> values.put(each.path("op").asText().equals("test") ? "test" + each.path("path").asText()
                                : each.path("path").asText(), each.path("value")));
                if (hasInitial(values.get("/spec/taints")) && !hasInitial(values.get("test/spec/taints"))) {
                    additions.merge(values.get("test/metadata/uid").asText(), 1, Integer::sum);
                }
            }
        }
        return additions;
    }

    private static boolean hasInitial(JsonNode taints) {
        return taints != null && taints.valueStream().anyMatch(taint -> taint.path("key").asText().equals("b"));
    }

    private static JsonNode body(Request request) {
        try {
            return MAPPER.readTree(request.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pause(boolean paused) {
        management.mergePatch("machinepools", "fleet", "p",
                json("{'metadata':{'annotations':{'cluster.x-k8s.io/paused':" + (paused ? "''" : "null") + "}}}"));
    }
}
