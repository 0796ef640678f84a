package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResultTest {
    private static final Result DONE = Result.done();
    private static final Result WAITING = Result.waiting("an event");
    private static final Result SOON = Result.requeueAfter(Duration.ofSeconds(1), "soon");
    private static final Result LATER = Result.requeueAfter(Duration.ofSeconds(2), "later");

    @Test
    void of_two_results_a_time_goes_before_an_event_and_this_before_nothing() {
        assertThat(Result.first(DONE, WAITING)).isEqualTo(WAITING).isEqualTo(Result.first(WAITING, DONE));
        assertThat(Result.first(DONE, LATER)).isEqualTo(LATER).isEqualTo(Result.first(LATER, DONE));
        assertThat(Result.first(WAITING, LATER)).isEqualTo(LATER).isEqualTo(Result.first(LATER, WAITING));
        assertThat(Result.first(SOON, LATER)).isEqualTo(SOON).isEqualTo(Result.first(LATER, SOON));
    }
}
