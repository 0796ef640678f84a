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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pauses, cuts and restarts while other writers change the taints of a new Node. Nodeward sets the taints for its initialization at
 * most twice for each registration. It never sets them again after it has seen {@code uninitialized} or one of them without the
 * others: then no writer has wiped them together.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RegistrationSequencesTest extends PoolFixture {
    private static final int WIPE = 0;
    private static final int REMOVE_INITIAL = 1;
    private static final int REMOVE_UNINITIALIZED = 2;
    private static final int PAUSE = 3;
    private static final int CUT = 4;
    private static final int RESTART = 5;
    private static final int PASS_TIME = 6;
    private static final int CHECK = 7;
    private static final String UNINITIALIZED = "node.cluster.x-k8s.io/uninitialized=:NoSchedule";
    private static final List<String> INITIAL = List.of("b=2:NoExecute", "c=3:NoSchedule");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The steps so far, which a failure prints. */
    private final List<String> done = new ArrayList<>();
    /** How often initial taints were added to the Node of each registration that is over. */
    private final List<Integer> additions = new ArrayList<>();
    /** How often the initial taints may be added to the Node of this registration. */
    private int most;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void initial_taints_come_at_most_twice(long seed) throws Exception {
        sequence(new Random(seed), anything(new Random(seed)));
        assertThat(additions).as("%s", done).contains(1, 2);
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void initial_taints_come_at_most_twice_in_other_sequences(long seed) throws Exception {
        initial_taints_come_at_most_twice(seed);
    }

    @Test
    void initial_taints_come_at_most_twice_in_each_order() throws Exception {
        sequence(new Random(0), orders(List.of(PAUSE, REMOVE_UNINITIALIZED, REMOVE_INITIAL)));
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(ints = {PAUSE, RESTART})
    void initial_taints_come_at_most_twice_in_each_order_with_a_cut(int other) throws Exception {
        sequence(new Random(0), orders(List.of(other, CUT, REMOVE_UNINITIALIZED, REMOVE_INITIAL)));
    }

    /** Returns the steps of some registrations: the first ones show that taints come twice, and that they do not. */
    private static List<List<Integer>> anything(Random random) {
        return Stream.concat(Stream.of(List.of(WIPE, CHECK), List.of(REMOVE_INITIAL, CHECK)),
                IntStream.range(0, 6).mapToObj(registration -> random.ints(8, 0, CHECK + 2).boxed().toList())).toList();
    }

    /** Returns each order of the steps twice: with a check after each step, and with none. */
    private static List<List<Integer>> orders(List<Integer> steps) {
        List<List<Integer>> orders = permutations(steps);
        return Stream.concat(orders.stream().map(
                order -> order.stream().flatMap(step -> Stream.of(step, CHECK)).toList()), orders.stream()).toList();
    }

    private static List<List<Integer>> permutations(List<Integer> steps) {
        return steps.isEmpty() ? List.of(List.of()) : steps.stream().flatMap(first -> permutations(
                steps.stream().filter(step -> !step.equals(first)).toList()).stream()
                .map(rest -> Stream.concat(Stream.of(first), rest.stream()).toList())).toList();
    }

    private void sequence(Random random, List<List<Integer>> registrations) throws Exception {
        pool("p", 0, "a=1:NoSchedule", INITIAL.get(0) + ":OnInitialization", INITIAL.get(1) + ":OnInitialization");
        list("p", "fake://p-0");
        start();
        for (List<Integer> steps : registrations) {
            register();
            for (int step : steps) {
                happen(step, random.nextInt(3));
            }
            pause(false);
            for (int step : List.of(CHECK, WIPE, CHECK, WIPE, CHECK)) {
                happen(step, 0);
            }
            additions.add(additions());
        }
    }

    private void register() throws Exception {
        done.add("register");
        if (workload.get("nodes", "", "p-0").isPresent()) {
            workload.delete("nodes", "", "p-0");
            settle();
        }
        workload.clearRequests();
        most = 2;
        node("p-0", UNINITIALIZED);
        settle();
        assertThat(taintsOf("p-0")).as("%s", done).contains(UNINITIALIZED).containsAll(INITIAL);
    }

    private void check() throws Exception {
        settle();
        int added = additions();
        assertThat(added).as("%s", done).isLessThanOrEqualTo(most);
        List<String> taints = taintsOf("p-0");
        int left = (taints.contains(UNINITIALIZED) ? 1 : 0)
                + (int) INITIAL.stream().filter(taints::contains).count();
        if (left > 0 && left <= INITIAL.size()) {
            most = added;
        }
    }

    private void happen(int what, int how) throws Exception {
        done.add(what + "/" + how);
        switch (what) {
            case WIPE -> setTaints("p-0", how == 0 ? new String[0] : new String[]{"a=1:NoSchedule"}); // as Cluster API may
            case REMOVE_INITIAL -> remove(INITIAL.subList(how == 1 ? 1 : 0, how == 0 ? 1 : 2));
            case REMOVE_UNINITIALIZED -> remove(List.of(UNINITIALIZED));
            case PAUSE -> pause(true);
            case CUT -> workload.dropWatches();
            case RESTART -> restart();
            case PASS_TIME ->
                    quiet.pass(List.of(Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofMinutes(11)).get(how));
            case CHECK -> check();
            default -> pause(false);
        }
    }

    private void remove(List<String> gone) {
        setTaints("p-0", taintsOf("p-0").stream().filter(taint -> !gone.contains(taint)).toArray(String[]::new));
    }

    /** Returns how often initial taints were added in this registration. */
    private int additions() {
        int additions = 0;
        for (Request request : workload.requests()) {
            if (request.method().equals("PATCH") && request.path().equals("/api/v1/nodes/p-0")
                    && request.code() == 200) {
                Map<String, JsonNode> values = new HashMap<>();
                body(request).forEach(
                        each -> values.put(each.path("op").asText().equals("test") ? "test" + each.path("path").asText()
                                : each.path("path").asText(), each.path("value")));
                additions += initial(values.get("/spec/taints")) > initial(values.get("test/spec/taints")) ? 1 : 0;
            }
        }
        return additions;
    }

    private static long initial(JsonNode taints) {
        return taints == null ? 0
                : taints.valueStream().filter(taint -> "bc".contains(taint.path("key").asText())).count();
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
