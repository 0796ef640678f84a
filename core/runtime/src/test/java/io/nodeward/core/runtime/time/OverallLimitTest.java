package io.nodeward.core.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.time.Pacer.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A limit of all together, besides that of each bucket. */
class OverallLimitTest {
    private static final String A = "a";
    private static final String B = "b";
    private static final String C = "c";

    private final AtomicLong now = new AtomicLong(-7);

    @Test
    void a_limit_of_all_together_holds_back_those_whose_buckets_would_let_them_go() {
        Pacer<String> both = new Pacer<>(now::get, new Limit("all", 1, 2, true));
        List<String> all = IntStream.range(0, 5).mapToObj(Integer::toString).toList();
        assertThat(all.stream().filter(who -> both.left(who, own(who)).isZero())).containsExactly("0", "1");
        assertThat(List.of("of 2", "of 3", "of 4")).allMatch(both::isHeldBack);
        assertThat(both.isHeldBack("of 1")).isFalse();
        assertThat(both.left("3", own("3"))).isEqualTo(Duration.ofSeconds(2));
        both.release("2");
        both.forget("all");
        pass(1);
        assertThat(both.left("4", own("4"))).isEqualTo(Duration.ofSeconds(2));
        pass(1);
        assertThat(both.left("3", own("3"))).isZero();
        pass(11);
        assertThat(both.isHeldBack("of 3")).as("lately").isFalse();
    }

    @Test
    void under_a_limit_of_all_together_those_of_a_bucket_go_in_the_order_of_their_turns() {
        Pacer<String> both = new Pacer<>(now::get, new Limit("all", 2, 1, true));
        List<Limit> quick = List.of(new Limit("quick", 10, 1, true));
        assertThat(both.left("other", own("other"))).isZero();
        List<String> order = new ArrayList<>();
        List<String> waiting = new ArrayList<>(IntStream.range(0, 8).mapToObj(Integer::toString).toList());
        waiting.forEach(who -> assertThat(both.left(who, quick).isZero() && order.add(who)).isFalse());
        for (int tick = 1; tick <= 80; tick++) {
            now.addAndGet(Duration.ofMillis(50).toNanos());
            if (tick % 7 == 0) {
                both.left("other " + tick, own("other"));
            }
            for (String who : List.copyOf(waiting).reversed()) {
                if (both.left(who, quick).isZero()) {
                    order.add(who);
                    waiting.remove(who);
                    both.release(who);
                }
            }
        }
        assertThat(order).hasSizeGreaterThanOrEqualTo(4).isSorted();
    }

    @Test
    void those_of_a_bucket_go_no_faster_than_it_allows_when_the_limit_of_all_together_ends() {
        Pacer<String> both = new Pacer<>(now::get, new Limit("all", 10, 10, true));
        List<Limit> slow = List.of(new Limit("slow", 1, 1, true));
        List<Limit> quick = List.of(new Limit("quick", 1000, 100, true));
        assertThat(both.left("0", slow)).isZero();
        IntStream.range(0, 109).forEach(i -> both.left("q" + i, quick));
        List<Integer> gone = new ArrayList<>();
        List<String> waiting = new ArrayList<>(IntStream.range(1, 10).mapToObj(Integer::toString).toList());
        for (int tick = 1; tick <= 100; tick++) {
            now.addAndGet(Duration.ofMillis(100).toNanos());
            int at = tick;
            IntStream.range(0, tick < 50 ? 109 : 0).forEach(i -> both.left("q" + i + " " + at / 10, quick));
            waiting.removeIf(who -> both.left(who, slow).isZero() && gone.add(at));
        }
        assertThat(gone).hasSizeGreaterThanOrEqualTo(5);
        IntStream.range(1, gone.size())
                .forEach(i -> assertThat(gone.get(i) - gone.get(i - 1)).as("" + gone).isGreaterThanOrEqualTo(9));
    }

    @Test
    void who_waits_behind_another_is_told_a_time_at_which_it_can_go() {
        Pacer<String> both = new Pacer<>(now::get, new Limit("all", 2, 1, true));
        List<Limit> quick = List.of(new Limit("quick", 1000, 100, true));
        assertThat(both.left("other", own("other"))).isZero();
        for (int i = 1; i <= 20; i++) {
            assertThat(both.left("x" + i, quick)).isEqualTo(Duration.ofMillis(500L * i));
        }
        for (int i = 1; i <= 20; i++) {
            now.addAndGet(Duration.ofMillis(500).toNanos());
            assertThat(both.left("x" + i, quick)).as("x" + i).isZero();
            both.release("x" + i);
            assertThat(both.isHeldBack("quick")).as("after x" + i).isTrue();
        }
        pass(11);
        assertThat(both.isHeldBack("quick")).isFalse();
    }

    @Test
    void nobody_waits_behind_one_that_does_not_come() {
        Pacer<String> both = new Pacer<>(now::get, new Limit("all", 1, 1, true));
        List<Limit> quick = List.of(new Limit("quick", 1000, 100, true));
        assertThat(both.left("other", own("other"))).isZero();
        assertThat(both.left(A, quick)).isEqualTo(Duration.ofSeconds(1));
        assertThat(both.left(B, quick)).isEqualTo(Duration.ofSeconds(2));
        pass(3);
        assertThat(both.left(B, quick)).isZero();
    }

    @Test
    void who_waits_in_a_bucket_takes_no_token_of_all_together() {
        Pacer<String> both = new Pacer<>(now::get, new Limit("all", 10, 1, true));
        List<Limit> slow = List.of(new Limit("slow", 0.1, 1, true));
        assertThat(both.left(A, slow)).isZero();
        assertThat(both.left(B, slow)).isEqualTo(Duration.ofSeconds(10));
        assertThat(both.isHeldBack("slow")).isFalse();
        pass(1);
        assertThat(both.left(C, own(C))).isZero();
    }

    @Test
    void a_restart_gives_up_the_tokens_of_all_together() {
        Pacer<String> both = new Pacer<>(now::get, new Limit("all", 1, 1, true));
        assertThat(both.left(A, own(A))).isZero();
        assertThat(both.left(B, own(B))).isPositive();
        both.restart();
        assertThat(both.left(B, own(B))).isZero();
    }

    private static List<Limit> own(String who) {
        return List.of(new Limit("of " + who, 1, 10, true));
    }

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
