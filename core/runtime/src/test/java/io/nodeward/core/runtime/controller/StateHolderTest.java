package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.StateHolder.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A state that folds names of pods: those with a capital concern nothing but themselves. */
class StateHolderTest {
    private static final Result MORE =
            Result.requeueAfter(Duration.ZERO, "changes that are not processed yet");

    private final ObjectCache<Pod> pods = new ObjectCache<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> folded = new ArrayList<>();
    private final Set<String> bad = new HashSet<>();
    private final Set<String> mayDiffer = new HashSet<>();
    private final List<Set<String>> told = new ArrayList<>();
    /** Longer than a key waits that has failed twice. */
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();
    private boolean ready = true;
    /** Pieces of work that are left. */
    private int open;
    private int worked;
    private volatile long nanos;
    /** What passes between two looks at the clock. */
    private long tick;
    /** What a fold or a piece of work takes. */
    private Duration cost = Duration.ZERO;
    private Runnable whileFolding = () -> {};
    private boolean broken;
    private int mail;
    private int version;
    private final StateHolder<String> holder = new StateHolder<>("test",
            new State<>(this::fold, this::work, () -> open > 0, StateHolderTest::concerns, () -> 17), () -> ready,
            () -> tick == 0 ? nanos : (nanos += tick), registry);

    StateHolderTest() {
        holder.watches(pods, (before, after) -> Set.of(MapFunction.latest(before, after).key().name()));
        holder.whenChanged(told::add);
        holder.whenMail(() -> mail++);
    }

    private void fold(String key) {
        nanos += cost.toNanos();
        whileFolding.run();
        if (bad.contains(key)) {
            throw new IllegalStateException(key + " is bad");
        }
        folded.add(key);
    }

    private Set<String> work(BooleanSupplier over) {
        if (broken) {
            throw new IllegalStateException("the work fails");
        }
        for (boolean isOver = false; open > 0 && !isOver; isOver = over.getAsBoolean()) {
            nanos += cost.toNanos();
            open--;
            worked++;
        }
        Set<String> all = Set.copyOf(mayDiffer);
        mayDiffer.clear();
        return all;
    }

    private static boolean concerns(String key, String about) {
        return key.equals(about) || !Character.isUpperCase(key.charAt(0));
    }

    private void put(String... names) {
        for (String name : names) {
            pods.put(new Pod(new Metadata(new ObjectKey("n", name), name, Integer.toString(++version), Map.of(),
                    Map.of(), List.of(), false), "node-" + version, List.of(), "", "Running"));
        }
    }

    private Optional<String> ask(String about) {
        return holder.ask(about, () -> true, () -> Optional.of(new TreeSet<>(folded) + " known"));
    }

    @Test
    void whoever_asks_is_told_of_what_the_caches_hold_now() {
        put("a", "b");
        assertThat(ask("a")).contains("[a, b] known");
        put("c");
        assertThat(ask("a")).contains("[a, b, c] known");
        assertThat(folded).as("each once").hasSize(3);
        assertThat(holder.look(folded::size)).isEqualTo(3);
    }

    @Test
    void a_key_that_is_in_the_mailbox_wakes_nobody_again() {
        holder.work();
        mail = 0;
        put("a", "a", "b");
        assertThat(mail).isEqualTo(2);
        holder.work();
        put("a");
        assertThat(mail).isEqualTo(3);
    }

    @Test
    void before_it_is_ready_nothing_is_folded_and_then_all_that_is_there() {
        ready = false;
        put("a");
        assertThat(holder.work()).isEqualTo(Result.done());
        put("b");
        assertThat(ask("x")).as("nobody knows").isEmpty();
        assertThat(folded).isEmpty();
        assertThat(mail).as("but for the start").isOne();
        ready = true;
        assertThat(ask("a")).contains("[a, b] known");
        assertThat(told).containsExactly(Set.of("x"));
    }

    @Test
    void the_first_question_is_about_all_that_was_there_although_time_passes_while_it_is_listed() {
        tick = 1;
        put("a", "b");
        assertThat(ask("a")).contains("[a, b] known");
    }

    @Test
    void a_key_of_which_no_cache_tells_is_folded_in() {
        holder.work();
        mail = 0;
        holder.add("own");
        assertThat(mail).isOne();
        assertThat(ask("x")).contains("[own] known");
        assertThat(told).isEmpty();
    }

    @Test
    void one_that_fails_is_tried_again_and_holds_up_no_other() {
        bad.addAll(Set.of("3", "7"));
        put(IntStream.range(0, 10).mapToObj(Integer::toString).toArray(String[]::new));
        assertThatThrownBy(holder::work).hasMessageMatching("[37] is bad").hasNoSuppressedExceptions();
        assertThat(folded).containsExactlyInAnyOrder("0", "1", "2", "4", "5", "6", "8", "9");
        folded.clear();
        bad.clear();
        nanos += PAUSE;
        assertThat(holder.work()).as("of what comes of them").isEqualTo(MORE);
        assertThat(folded).containsExactlyInAnyOrder("3", "7");
        assertThat(holder.work()).isEqualTo(Result.done());
        assertThat(folded).hasSize(2);
    }

    @Test
    void an_error_is_a_failure_too() {
        whileFolding = () -> {
            throw new StackOverflowError();
        };
        put("a");
        assertThatThrownBy(holder::work).hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(ask("b")).isEmpty();
        whileFolding = () -> {};
        nanos += PAUSE;
        assertThat(holder.work()).isEqualTo(MORE);
        assertThat(ask("b")).contains("[a] known");
    }

    @Test
    void what_changes_while_it_is_folded_is_folded_again() {
        put("a");
        whileFolding = () -> {
            whileFolding = () -> {};
            put("a");
        };
        holder.work();
        assertThat(folded).containsExactly("a", "a");
    }

    @Test
    void while_one_fails_what_it_concerns_is_not_answered_and_told_when_it_is_known() {
        bad.addAll(Set.of("a", "Own"));
        put("a", "Own");
        assertThat(ask("x")).isEmpty();
        assertThat(ask("Own")).isEmpty();
        assertThat(told).isEmpty();
        bad.remove("a");
        assertThat(ask("y")).as("a question tries nothing again").isEmpty();
        assertThatThrownBy(holder::work).hasMessage("Own is bad");
        assertThat(ask("z")).contains("[a] known");
        assertThat(told).containsExactly(Set.of("x", "y"));
        assertThat(ask("Own")).isEmpty();
        bad.clear();
        nanos += PAUSE;
        assertThat(holder.work()).isEqualTo(MORE);
        assertThat(holder.work()).isEqualTo(Result.done());
        assertThat(told).containsExactly(Set.of("x", "y"), Set.of("Own"));
        holder.work();
        assertThat(told).as("once").hasSize(2);
    }

    @Test
    void one_that_is_not_folded_in_time_is_not_answered_and_told_when_it_is_known() {
        cost = Duration.ofMillis(30);
        put("a", "b", "c", "d", "e", "f");
        assertThat(ask("x")).isEmpty();
        assertThat(folded).hasSize(4);
        assertThat(told).isEmpty();
        assertThat(holder.work()).isEqualTo(Result.done());
        assertThat(folded).hasSize(6);
        assertThat(told).containsExactly(Set.of("x"));
    }

    /** However long they take. */
    @Test
    void those_that_fail_are_tried_once_at_a_time_and_hold_up_no_other() {
        cost = Duration.ofMillis(30);
        String[] failing = IntStream.range(0, 10).mapToObj(i -> "bad" + i).toArray(String[]::new);
        bad.addAll(List.of(failing));
        put(failing);
        put("good");
        assertThat(List.of(holder.work(), holder.work())).as("it goes on at once").containsExactly(MORE, MORE);
        assertThatThrownBy(holder::work).hasMessageEndingWith("is bad");
        assertThat(folded).containsExactly("good");
        int[] tried = {0};
        whileFolding = () -> tried[0]++;
        cost = Duration.ZERO;
        nanos += PAUSE;
        assertThatThrownBy(holder::work).hasMessageEndingWith("is bad");
        assertThat(tried[0]).isEqualTo(10);
        put("better");
        holder.work();
        assertThat(folded).containsExactly("good", "better");
    }

    @Test
    void one_that_fails_again_waits_longer_each_time_whatever_else_changes() {
        bad.add("bad");
        put("bad");
        assertThatThrownBy(holder::work).hasMessage("bad is bad");
        int[] tried = {0};
        whileFolding = () -> tried[0]++;
        put("other");
        assertThat(holder.work()).isInstanceOfSatisfying(Result.RequeueAfter.class, again -> assertThat(again.after())
                .isBetween(Duration.ofMillis(80), Duration.ofMillis(120)));
        assertThat(tried[0]).as("the other").isOne();
        nanos += Duration.ofMillis(120).toNanos();
        assertThatThrownBy(holder::work).hasMessage("bad is bad");
        assertThat(tried[0]).isEqualTo(2);
        nanos += Duration.ofMillis(120).toNanos();
        assertThat(holder.work()).isInstanceOfSatisfying(Result.RequeueAfter.class, again -> assertThat(again.after())
                .isBetween(Duration.ofMillis(40), Duration.ofMillis(120)));
        assertThat(gauge("failed")).isOne();
        put("bad");
        holder.work();
        assertThat(tried[0]).as("it has changed itself").isEqualTo(3);
        assertThat(ask("x")).as("nobody knows").isEmpty();
    }

    /** Else a key with many events would soon wait for minutes when its cause is gone. */
    @Test
    void events_of_one_that_fails_do_not_lengthen_its_pause() {
        bad.add("bad");
        put("bad");
        assertThatThrownBy(holder::work).hasMessage("bad is bad");
        for (int i = 0; i < 20; i++) {
            put("bad");
            assertThat(holder.work()).isInstanceOfSatisfying(Result.RequeueAfter.class, again -> assertThat(
                    again.after()).isLessThanOrEqualTo(Duration.ofMillis(120)));
            nanos += Duration.ofMillis(1).toNanos();
        }
        bad.clear();
        nanos += Duration.ofMillis(100).toNanos();
        assertThat(holder.work()).as("its pause is over").isEqualTo(MORE);
        assertThat(folded).containsExactly("bad");
    }

    @Test
    void one_that_has_failed_for_long_holds_up_none_that_has_failed_once() {
        bad.add("long");
        put("long");
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(holder::work).hasMessage("long is bad");
            nanos += Duration.ofMinutes(3).toNanos();
        }
        assertThatThrownBy(holder::work).hasMessage("long is bad");
        bad.add("once");
        put("once");
        whileFolding = () -> whileFolding = bad::clear; // the cause is gone when the queue folds the key again
        assertThat(holder.work()).isEqualTo(MORE);
        assertThat(folded).containsExactly("once");
        assertThat(gauge("failed")).as("the other waits").isOne();
    }

    @Test
    void a_question_waits_for_no_key_that_comes_after_it() {
        put("a");
        whileFolding = () -> {
            nanos++;
            put("late" + nanos);
        };
        assertThat(ask("x")).contains("[a] known");
    }

    @Test
    void listeners_are_called_when_others_may_use_the_state_and_although_its_work_fails() throws InterruptedException {
        List<Integer> seen = new ArrayList<>();
        holder.whenChanged(keys -> {
            Thread other = new Thread(() -> seen.add(holder.look(folded::size)), "looks meanwhile");
            other.start();
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        put("a");
        mayDiffer.add("a");
        holder.work();
        assertThat(seen).containsExactly(1);
        broken = true;
        put("b");
        assertThatThrownBy(() -> ask("b")).hasMessage("the work fails");
        broken = false;
        assertThat(ask("b")).contains("[a, b] known");
    }

    @Test
    void what_is_left_is_worked_on_for_a_while_and_no_longer_than_is_enough() {
        cost = Duration.ofMillis(1);
        open = 1000;
        assertThat(holder.work()).isEqualTo(MORE);
        assertThat(worked).isEqualTo(100);
        assertThat(holder.<String>ask("x", () -> worked == 120, () -> Optional.of("enough"))).contains("enough");
        assertThat(worked).isEqualTo(120);
        assertThat(holder.<String>ask("x", () -> false, Optional::empty)).isEmpty();
        assertThat(worked).isEqualTo(220);
        assertThat(told).as("by the state, once it has worked").isEmpty();
        mayDiffer.add("x");
        open = 10;
        assertThat(holder.work()).isEqualTo(Result.done());
        assertThat(told).containsExactly(Set.of("x"));
    }

    @Test
    void whoever_waits_has_the_state_after_a_millisecond() throws InterruptedException {
        cost = Duration.ofNanos(250_000);
        put(IntStream.range(0, 40).mapToObj(Integer::toString).toArray(String[]::new));
        List<Integer> seen = new ArrayList<>();
        Thread other = new Thread(() -> seen.add(holder.look(folded::size)), "waits for the state");
        whileFolding = () -> {
            whileFolding = () -> {};
            other.start();
            await().until(() -> other.getState() == Thread.State.WAITING);
        };
        holder.work();
        other.join();
        assertThat(folded).hasSize(40);
        assertThat(seen).containsExactly(4);
    }

    @Test
    void the_time_for_which_others_have_the_state_is_not_taken_from_a_question() throws InterruptedException {
        holder.work();
        put("a", "b", "c");
        List<Optional<String>> answers = new ArrayList<>();
        Thread other = new Thread(() -> answers.add(ask("a")), "asks");
        holder.look(() -> {
            other.start();
            await().until(() -> other.getState() == Thread.State.WAITING);
            nanos += Duration.ofMillis(200).toNanos();
            return nanos;
        });
        other.join();
        assertThat(answers).containsExactly(Optional.of("[a, b, c] known"));
    }

    @Test
    void metrics_say_what_waits_what_fails_and_what_is_kept() {
        holder.work();
        assertThat(gauge("size")).isEqualTo(17);
        put("a", "b");
        nanos = Duration.ofSeconds(3).toNanos();
        put("c");
        nanos = Duration.ofSeconds(5).toNanos();
        assertThat(List.of(gauge("mailbox"), gauge("lag.seconds"), gauge("failed"))).containsExactly(3.0, 5.0, 0.0);
        bad.add("b");
        assertThatThrownBy(holder::work).isInstanceOf(IllegalStateException.class);
        assertThat(List.of(gauge("mailbox"), gauge("lag.seconds"), gauge("failed"))).containsExactly(0.0, 0.0, 1.0);
    }

    private double gauge(String name) {
        return registry.get("nodeward.state." + name).tag("name", "test").gauge().value();
    }
}
