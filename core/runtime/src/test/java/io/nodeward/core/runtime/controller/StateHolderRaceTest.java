package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.core.runtime.controller.StateHolder.State;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A state with one key, which one thread folds again while another one asks. */
class StateHolderRaceTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private volatile boolean bad = true;
    private int failures;
    private Runnable whenTheClockIsRead = () -> {};
    private final StateHolder<String> holder = new StateHolder<>("test",
            new State<>(this::fold, over -> Set.of(), () -> false, String::equals, () -> 1), () -> true, this::now,
            registry);
    private final Thread other = Thread.ofPlatform().unstarted(() -> {
        bad = false;
        holder.add("key");
        holder.ask("key", () -> true, () -> Optional.of("known"));
    });

    private void fold(String key) {
        if (bad) {
            failures++;
            whenTheClockIsRead = failures == 2 ? this::letTheOtherFold : () -> {};
            throw new IllegalStateException(key + " is bad");
        }
    }

    /** The holder reads the clock between a failure and its note of the failure. */
    private long now() {
        Runnable once = whenTheClockIsRead;
        whenTheClockIsRead = () -> {};
        once.run();
        return 0;
    }

    private void letTheOtherFold() {
        other.start();
        while (!EnumSet.of(Thread.State.WAITING, Thread.State.TERMINATED).contains(other.getState())) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_failure_replaces_no_later_success_of_another_thread() throws InterruptedException {
        holder.add("key");
        Throwable failure = catchThrowable(holder::work); // none, if the other thread was quick enough
        other.join();
        assertThat(failures).isEqualTo(2);
        assertThat(registry.get("nodeward.state.failed").gauge().value()).as("%s", failure).isZero();
    }
}
