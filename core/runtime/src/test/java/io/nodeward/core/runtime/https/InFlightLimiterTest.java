package io.nodeward.core.runtime.https;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.https.InFlightLimiter.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has room for bodies, and turns, when there are not enough for all. */
class InFlightLimiterTest {
    /** Room for 80 bytes of bodies, 5 for each at least; 160 bytes in hand, 10 for each at least. */
    private static final Limits LIMITS =
            new Limits(60, 80, 160, 16, 16, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1));

    private final List<String> cut = new ArrayList<>();
    private final InFlightLimiter limiter = new InFlightLimiter(LIMITS);
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        callers.shutdownNow();
    }

    private Request unknown(String name) {
        return limiter.begin(() -> cut.add(name));
    }

    private Request of(String account, int bytes) {
        Request request = limiter.begin(() -> cut.add(account));
        request.belongsTo(account);
        return add(request, bytes) ? request : lost();
    }

    private static Request lost() {
        throw new AssertionError("it had to make room");
    }

    private static boolean add(Request request, int bytes) {
        return request.add(new byte[bytes], bytes);
    }

    private Future<Boolean> waiting(Request request) {
        int before = limiter.waiting();
        Future<Boolean> turn = callers.submit(request::awaitTurn);
        Awaitility.await().pollDelay(Duration.ZERO).until(() -> turn.isDone() || limiter.waiting() > before);
        return turn;
    }

    @Test
    void a_body_is_kept_until_its_turn_is_over() throws Exception {
        Request request = unknown("a");
        assertThat(request.add(new byte[]{1, 2, 3}, 2)).isTrue();
        assertThat(request.add(new byte[]{3}, 1)).isTrue();
        request.belongsTo("a");
        assertThat(request.length()).isEqualTo(3);
        assertThat(request.awaitTurn()).isTrue();
        assertThat(request.start()).containsExactly(1, 2, 3);
        assertThat(request.content()).containsExactly(1, 2, 3);
        request.close();
        assertThat(add(request, 1)).isFalse();
    }

    @Test
    void the_account_with_the_most_makes_room_and_keeps_the_start_of_what_it_loses() {
        Request oldest = of("crowd", 20);
        Request young = of("crowd", 30);
        Request other = of("other", 25);
        assertThat(add(other, 15)).as("90 bytes").isTrue();
        assertThat(add(oldest, 1)).isFalse();
        assertThat(oldest.start()).hasSize(20);
        assertThat(add(young, 1)).isTrue();
        assertThat(cut).as("a caller whose account is known gets an answer").isEmpty();
        oldest.close();
        assertThat(add(young, 9)).as("it is given back once").isTrue();
    }

    @Test
    void an_account_beyond_its_share_loses_its_own() {
        Request small = of("other", 1);
        Request large = of("crowd", 60);
        assertThat(add(large, 20)).isFalse();
        assertThat(add(small, 1)).isTrue();
    }

    @Test
    void of_callers_that_do_not_send_the_start_of_their_bodies_the_oldest_is_cut() throws Exception {
        Request known = of("crowd", 60);
        List<Request> many = IntStream.range(0, 17).mapToObj(i -> unknown("unknown-" + i)).toList();
        assertThat(cut).as("they have just begun").isEmpty();
        Thread.sleep(600);
        unknown("next").close();
        assertThat(cut).containsExactly("unknown-0");
        assertThat(add(known, 20)).as("they take no room").isTrue();
        assertThat(add(many.get(2), 1)).isTrue();
    }

    @Test
    void of_what_waits_for_a_turn_the_largest_makes_room_and_its_caller_is_told() throws Exception {
        List<Request> answered = IntStream.range(0, 12).mapToObj(i -> of("crowd", 1)).toList();
        answered.forEach(request -> assertThat(request.awaitTurn()).isTrue());
        Future<Boolean> large = waiting(of("crowd", 40));
        Future<Boolean> small = waiting(of("crowd", 30));
        assertThat(add(of("next", 5), 6)).isTrue();
        assertThat(large.get(1, TimeUnit.MINUTES)).isFalse();
        assertThat(small).isNotDone();
        assertThat(cut).isEmpty();
    }

    @Test
    void one_account_leaves_a_quarter_of_the_turns_and_the_next_a_quarter_of_those() throws Exception {
        List<Future<Boolean>> crowd = turns("crowd", 13);
        List<Future<Boolean>> second = turns("second", 4);
        List<Future<Boolean>> third = turns("third", 1);
        assertThat(crowd.subList(0, 12)).allMatch(Future::isDone);
        assertThat(second.subList(0, 3)).allMatch(Future::isDone);
        assertThat(third).allMatch(Future::isDone);
        assertThat(List.of(crowd.getLast(), second.getLast())).noneMatch(Future::isDone);
    }

    private List<Future<Boolean>> turns(String account, int many) {
        return IntStream.range(0, many).mapToObj(i -> waiting(of(account, 1))).toList();
    }

    @Test
    void the_next_turn_is_for_the_account_with_the_fewest_however_late_it_comes() throws Exception {
        Request first = of("crowd", 60);
        assertThat(first.awaitTurn()).isTrue();
        Request second = of("second", 60);
        assertThat(second.awaitTurn()).isTrue();
        Future<Boolean> crowd = waiting(of("crowd", 20));
        Future<Boolean> large = waiting(of("third", 50));
        assertThat(List.of(crowd, large)).as("40 bytes are free").noneMatch(Future::isDone);
        Request small = of("second", 1);
        Future<Boolean> later = waiting(small);
        second.close();
        assertThat(large.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(later.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(crowd).isNotDone();
        first.close();
        assertThat(crowd.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void who_waits_too_long_has_no_turn_and_lets_the_next_in() throws Exception {
        InFlightLimiter impatient = new InFlightLimiter(
                new Limits(60, 120, 60, 6, 12, Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(1)));
        Request first = begin(impatient, "crowd", 30);
        assertThat(first.awaitTurn()).isTrue();
        Request large = begin(impatient, "other", 60);
        Future<Boolean> late = callers.submit(large::awaitTurn);
        Awaitility.await().until(() -> impatient.waiting() == 1 || late.isDone());
        Request small = begin(impatient, "crowd", 1);
        Thread.sleep(500); // its time ends well after that of the large one
        assertThat(small.awaitTurn()).isTrue();
        assertThat(late.get(1, TimeUnit.MINUTES)).isFalse();
    }

    @Test
    void accounts_that_hold_no_more_than_others_lose_the_oldest_request() {
        List<Request> stuck = IntStream.range(0, 16).mapToObj(i -> of("made-up-" + i, 5)).toList();
        Request honest = of("zzz", 5);
        assertThat(add(stuck.getFirst(), 1)).isFalse();
        assertThat(add(honest, 0)).isTrue();
        assertThat(cut).isEmpty();
    }

    @Test
    void a_small_request_of_an_account_without_turns_passes_a_large_one_that_does_not_fit() throws Exception {
        assertThat(of("first", 60).awaitTurn() && of("second", 60).awaitTurn()).isTrue();
        Future<Boolean> large = waiting(of("third", 50));
        assertThat(of("fourth", 1).awaitTurn()).isTrue();
        assertThat(large).isNotDone();
        Thread.sleep(600);
        assertThat(waiting(of("fifth", 1))).as("once the large one has waited for a while").isNotDone();
    }

    /** Requests come, grow, wait and end on 32 threads: in the end all that they held is free. */
    @Test
    void threads_give_back_all_that_they_took() throws Exception {
        InFlightLimiter busy = new InFlightLimiter(new Limits(60, 80, 60, 6, 16, Duration.ofMillis(2),
                Duration.ofMinutes(1), Duration.ofMinutes(1)));
        List<Future<Integer>> all = IntStream.range(0, 32).mapToObj(seed -> callers.submit(() -> {
            Random random = new Random(seed);
            int turns = 0;
            for (int i = 0; i < 500; i++) {
                try (Request request = busy.begin(() -> {})) {
                    request.belongsTo("a" + random.nextInt(5));
                    turns += add(request, random.nextInt(20)) && random.nextInt(4) > 0 && request.awaitTurn() ? 1 : 0;
                }
            }
            return turns;
        })).toList();
        int turns = 0;
        for (Future<Integer> one : all) {
            turns += one.get(1, TimeUnit.MINUTES);
        }
        assertThat(turns).isPositive();
        assertThat(busy.waiting()).isZero();
        try (Request request = begin(busy, "all", 60); Request rest = begin(busy, "rest", 20)) {
            assertThat(request.awaitTurn()).as("60 of 60 in hand").isTrue();
            assertThat(add(rest, 1)).as("80 of 80 are free").isTrue();
        }
    }

    private static Request begin(InFlightLimiter limiter, String account, int bytes) {
        Request request = limiter.begin(() -> {});
        request.belongsTo(account);
        assertThat(add(request, bytes)).isTrue();
        return request;
    }

    /** Requests of seven accounts come and go at random: only an account that has more than its share loses one, and all is given back. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void no_account_within_its_share_loses_a_request(long seed) throws Exception {
        Random random = new Random(seed);
        Map<Request, String> there = new HashMap<>();
        int losses = 0;
        for (int step = 0; step < 3000; step++) {
            String account = "a" + (int) Math.sqrt(random.nextInt(49));
            if (random.nextBoolean()) {
                Request request = limiter.begin(() -> cut.add(account));
                request.belongsTo(account);
                there.put(request, account);
            }
            List<Request> all = new ArrayList<>(there.keySet());
            if (!all.isEmpty()) {
                Request grown = all.get(random.nextInt(all.size()));
                add(grown, 1 + random.nextInt(9));
                losses += losses(there);
                if (grown.length() > 50 || random.nextInt(3) == 0) {
                    grown.close();
                    there.remove(grown);
                }
            }
            assertThat(held(there).values().stream().mapToInt(Integer::intValue).sum()).isLessThanOrEqualTo(80);
        }
        assertThat(losses).as("the test has a crowd").isPositive();
        there.keySet().forEach(Request::close);
        assertThat(add(of("all", 60), 0) && add(of("rest", 20), 0)).isTrue();
        assertThat(cut).isEmpty();
    }

    /** Returns how many have been lost, none by an account that had less than its share, and forgets them. */
    private static int losses(Map<Request, String> there) {
        List<Request> lost = there.keySet().stream().filter(request -> !request.add(new byte[0], 0)).toList();
        Map<String, Integer> before = held(there);
        lost.forEach(request -> assertThat(before.get(there.get(request)))
                .isGreaterThanOrEqualTo(80 / (before.size() + 1)));
        lost.forEach(there::remove);
        return lost.size();
    }

    private static Map<String, Integer> held(Map<Request, String> there) {
        Map<String, Integer> held = new HashMap<>();
        there.forEach((request, account) -> held.merge(account, Math.max(5, request.length()), Integer::sum));
        return held;
    }
}
