package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static final int NO_ANSWER = 0;
    private static final Duration NEVER = Duration.ofDays(1);

    private final Timers timers = new Timers();
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

    @Test
    void a_server_that_says_nothing_is_asked_and_one_that_answers_is_not() throws InterruptedException {
        health = health(Duration.ofMillis(300));
        health.start();
        await().until(() -> probes.size() >= 2);
        int before = probes.size();
        for (int i = 0; i < 40; i++) {
            health.answered(200);
            Thread.sleep(25);
        }
        assertThat(probes).hasSizeLessThanOrEqualTo(before + 1).containsOnly("GET /version");
        assertThat(changes).hasValue(0);
    }

    @Test
    void two_probes_without_an_answer_are_an_outage_and_one_answer_ends_it() {
        status = NO_ANSWER;
        health.start();
        health.unanswered();
        await().until(() -> health.failing().isPresent());
        await().until(health::down);
        assertThat(probes).hasSize(2);
        status = 200;
        await().until(() -> !health.down());
        assertThat(health.failing()).isEmpty();
        await().untilAsserted(() -> assertThat(changes).hasValue(3));
    }

    @Test
    void an_outage_after_which_the_credentials_are_refused_is_no_outage_any_more() {
        status = NO_ANSWER;
        health.start();
        health.unanswered();
        await().until(health::down);
        status = 401;
        await().until(() -> health.failing().filter(ApiFailure.Unauthorized.class::isInstance).isPresent());
        await().untilAsserted(() -> assertThat(changes).hasValue(3));
    }

    @Test
    void a_call_that_fails_while_the_server_answers_changes_nothing() {
        health.start();
        health.unanswered();
        await().until(() -> probes.size() == 1);
        health.answered(503);
        await().until(() -> probes.size() == 2);
        assertNoNewsSoFar();
    }

    @Test
    void what_a_refusal_of_other_kinds_says_is_that_the_server_is_there() {
        status = 403;
        health.start();
        health.unanswered();
        await().until(() -> probes.size() == 1);
        for (int code : new int[]{403, 404, 409, 410, 422, 429}) {
            health.answered(code);
        }
        assertThat(health.denied()).isFalse();
        assertNoNewsSoFar();
    }

    /** A probe is asked for when the one before has been taken in: what it finds is the first news, or was not. */
    private void assertNoNewsSoFar() {
        status = NO_ANSWER;
        health.ask();
        await().until(() -> health.failing().isPresent());
        await().untilAsserted(() -> assertThat(changes).hasPositiveValue());
        assertThat(changes).hasValue(1);
        assertThat(health.down()).isFalse();
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
        await().until(() -> health.failing().filter(ApiFailure.Unauthorized.class::isInstance).isPresent());
        assertThat(health.denied()).isTrue();
        status = 200;
        await().until(() -> !health.denied());
        assertThat(health.failing()).isEmpty();
    }

    @Test
    void the_first_of_several_failures_is_told() {
        status = 503;
        health.start();
        health.unanswered();
        await().until(() -> health.failing().isPresent());
        status = NO_ANSWER;
        await().until(health::down);
        assertThat(health.failing().orElseThrow().status().code()).isEqualTo(503);
    }

    @Test
    void a_closed_one_asks_nothing() throws InterruptedException {
        health = health(Duration.ofMillis(50));
        health.start();
        health.close();
        health.unanswered();
        Thread.sleep(300);
        assertThat(probes).isEmpty();
    }

    private final class Probed implements Transport {
        @Override
        public Answer exchange(Call call) {
            int now = status; // before the probe shows: a test may change it then
            probes.add(call.method() + " " + call.path());
            if (now == NO_ANSWER) {
                throw ApiFailure.unreachable("GET /version", "connection refused", new IOException());
            }
            return new Answer(now, Optional.empty(), new ByteArrayInputStream(new byte[0]));
        }

        @Override
        public void close() {}
    }
}
