package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static final int NO_ANSWER = 0;
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Duration NEVER = Duration.ofDays(1);

    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final List<String> probes = new CopyOnWriteArrayList<>();
    private final AtomicInteger changes = new AtomicInteger();
    private volatile int status = 200;
    private Health health = health(NEVER);

    private Health health(Duration every) {
        return new Health(new Probed(), timers, every, changes::incrementAndGet);
    }

    @AfterEach
    void stop() {
        health.close();
        timers.close();
    }

    /** A probe is on its way as soon as it has been asked for, and nothing else asks while time stands still. */
    private void awaitProbes(int count) {
        await().atMost(Duration.ofSeconds(50)).pollInterval(Duration.ofMillis(2)).until(() -> !health.probing());
        assertThat(probes).isEqualTo(Collections.nCopies(count, "GET /version"));
    }

    /** The next probe comes after about so long, and not before. */
    private void passPause(Duration about) {
        int before = probes.size();
        assertThat(time.waits()).singleElement().satisfies(pause -> assertThat(pause)
                .isBetween(about.multipliedBy(8).dividedBy(10), about.multipliedBy(12).dividedBy(10)));
        time.pass(time.waits().getFirst().minusNanos(1));
        awaitProbes(before);
        time.pass(Duration.ofNanos(1));
        awaitProbes(before + 1);
    }

    @Test
    void a_server_that_says_nothing_is_asked_and_one_that_answers_is_not() {
        health = health(EVERY);
        health.start();
        time.pass(EVERY.minusNanos(1));
        awaitProbes(0);
        time.pass(EVERY.dividedBy(5));
        awaitProbes(1);
        time.pass(EVERY.multipliedBy(6).dividedBy(5));
        awaitProbes(2);
        for (int i = 0; i < 40; i++) {
            time.pass(EVERY.dividedBy(4));
            health.answered(200);
        }
        awaitProbes(2);
        assertThat(changes).hasValue(0);
        time.pass(EVERY.multipliedBy(6).dividedBy(5));
        awaitProbes(3);
    }

    @Test
    void two_probes_without_an_answer_are_an_outage_and_one_answer_ends_it() {
        status = NO_ANSWER;
        health.start();
        health.unanswered();
        awaitProbes(1);
        assertThat(health.failing()).isPresent();
        assertThat(health.answers()).isTrue();
        passPause(Duration.ofSeconds(1));
        assertThat(health.answers()).isFalse();
        status = 200;
        passPause(Duration.ofSeconds(2));
        assertThat(health.answers()).isTrue();
        assertThat(health.failing()).isEmpty();
        assertThat(changes).hasValue(3);
    }

    @Test
    void while_there_is_no_answer_probes_come_less_and_less_often() {
        status = NO_ANSWER;
        health.start();
        health.unanswered();
        awaitProbes(1);
        for (int seconds : new int[]{1, 2, 4, 8, 16, 30, 30}) {
            passPause(Duration.ofSeconds(seconds));
        }
    }

    @Test
    void an_outage_after_which_the_credentials_are_refused_is_no_outage_any_more() {
        status = NO_ANSWER;
        health.start();
        health.unanswered();
        awaitProbes(1);
        passPause(Duration.ofSeconds(1));
        assertThat(health.answers()).isFalse();
        status = 401;
        passPause(Duration.ofSeconds(2));
        assertThat(health.failing()).containsInstanceOf(ApiFailure.Unauthorized.class);
        assertThat(changes).hasValue(3);
    }

    @Test
    void a_call_that_fails_while_the_server_answers_changes_nothing() {
        health.start();
        health.unanswered();
        awaitProbes(1);
        health.answered(503);
        awaitProbes(2);
        assertNoNewsSoFar();
    }

    @Test
    void what_a_refusal_of_other_kinds_says_is_that_the_server_is_there() {
        status = 403;
        health.start();
        health.unanswered();
        awaitProbes(1);
        for (int code : new int[]{403, 404, 409, 410, 422, 429}) {
            health.answered(code);
        }
        assertThat(health.denied()).isFalse();
        assertNoNewsSoFar();
    }

    private void assertNoNewsSoFar() {
        assertThat(changes).hasValue(0);
        assertThat(health.failing()).isEmpty();
        assertThat(health.answers()).isTrue();
    }

    @Test
    void credentials_are_denied_from_a_401_until_any_other_answer() {
        health.start();
        health.answered(401);
        assertThat(health.denied()).isTrue();
        health.answered(401);
        health.answered(200);
        assertThat(health.denied()).isFalse();
        assertThat(changes).hasValue(2);
    }

    @Test
    void new_credentials_are_tried_on_a_probe() {
        status = 401;
        health.start();
        health.answered(401);
        health.ask();
        awaitProbes(1);
        assertThat(health.failing()).containsInstanceOf(ApiFailure.Unauthorized.class);
        assertThat(health.denied()).isTrue();
        status = 200;
        passPause(Duration.ofSeconds(1));
        assertThat(health.denied()).isFalse();
        assertThat(health.failing()).isEmpty();
    }

    @Test
    void of_several_failures_for_one_cause_the_first_is_told_and_one_for_another_cause_too() {
        status = 503;
        health.start();
        health.unanswered();
        awaitProbes(1);
        status = 500;
        passPause(Duration.ofSeconds(1));
        assertThat(health.answers()).isFalse();
        assertThat(health.failing().orElseThrow().status().code()).isEqualTo(503);
        status = NO_ANSWER;
        passPause(Duration.ofSeconds(2));
        assertThat(health.failing().orElseThrow().status().code()).isZero();
    }

    @Test
    void who_asks_during_a_probe_whose_news_cannot_be_told_is_answered_too() {
        status = 503;
        health = new Health(new Probed(), timers, NEVER, () -> {
            health.ask();
            if (changes.incrementAndGet() == 1) {
                throw new IllegalStateException("of the listener");
            }
        });
        health.start();
        health.unanswered();
        awaitProbes(3); // of which the third says what the second said
        assertThat(changes).hasValue(2);
        assertThat(health.answers()).isFalse();
    }

    @Test
    void a_closed_one_asks_nothing() {
        health = health(EVERY);
        health.start();
        health.close();
        health.unanswered();
        assertThat(health.probing()).isFalse();
        assertThat(time.waits()).isEmpty();
        time.pass(NEVER);
        assertThat(health.probing()).isFalse();
        assertThat(probes).isEmpty();
    }

    private final class Probed implements Transport {
        @Override
        public Response exchange(Request call) {
            int now = status; // before the probe shows: a test may change it then
            probes.add(call.method() + " " + call.path());
            if (now == NO_ANSWER) {
                throw ApiFailure.unreachable("GET /version", "connection refused", new IOException());
            }
            return new Response(now, Optional.empty(), new ByteArrayInputStream(new byte[0]));
        }

        @Override
        public void close() {}
    }
}
