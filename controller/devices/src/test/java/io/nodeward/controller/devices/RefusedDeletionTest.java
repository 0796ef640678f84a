package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Status;
import io.nodeward.core.spi.ApiFailure;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods and rules that the server does not let go, as a ValidatingAdmissionPolicy may say it. */
class RefusedDeletionTest {
    private final EvictionFixture cluster = new EvictionFixture();

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void refuse(int code, String reason) {
        cluster.refusal = Optional.of(ApiFailure.of(
                new Status(code, reason, "not before noon", 0), "DELETE /api/v1/pods/p", Optional.empty()));
    }

    private void start(int pods, int perSecond) {
        start(pods, perSecond, Map.of());
    }

    private void start(int pods, int perSecond, Map<String, Object> spec) {
        cluster.pods(pods);
        cluster.start();
        cluster.declare(Map.of("driver", EvictionFixture.DRIVER, "pool", "node-1"), "NoExecute", perSecond, spec);
        cluster.edit(Map.of("taint", Map.of("timeAdded", cluster.rule.time.instant().toString())));
        cluster.work();
    }

    @ParameterizedTest
    @CsvSource({"400, BadRequest", "403, Forbidden", "413, RequestEntityTooLarge", "422, Invalid"})
    void a_pod_goes_when_the_server_lets_it(int code, String reason) {
        refuse(code, reason);
        start(1, 1);
        assertThat(cluster.marked).hasSize(1);
        cluster.pass(23);
        assertThat(cluster.marked).as("30 s, jittered by a fifth").hasSize(1);
        cluster.pass(15);
        assertThat(cluster.marked).hasSize(2);
        cluster.refusal = Optional.empty();
        cluster.pass(33);
        assertThat(cluster.deleted).as("60 s, after the first at the earliest").isEmpty();
        cluster.pass(38);
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @Test
    void the_condition_says_how_many_and_why() {
        refuse(422, "Invalid");
        start(40, 1); // 30 of them are refused long after the rule was decided on
        cluster.pass(80);
        assertThat(cluster.progress("status")).isEqualTo("True");
        assertThat(cluster.progress("message"))
                .isEqualTo("40 pods in 1 namespace to be evicted; the server does not let"
                        + " 40 go, which is tried again; of Pod ns/p0 the request was refused: not before noon");
        cluster.refusal = Optional.empty();
        cluster.pass(160);
        assertThat(cluster.deleted).hasSize(40);
        assertThat(cluster.progress("message")).isEqualTo("40 pods evicted since the controller started");
    }

    @Test
    void a_pod_that_is_refused_and_then_need_not_go_is_not_counted() {
        refuse(422, "Invalid");
        start(2, 10);
        cluster.pass(10);
        cluster.devices.pod("p0", "node-1", "Succeeded", Map.of(), false);
        cluster.pass(70);
        assertThat(cluster.progress("message")).startsWith("1 pod in 1 namespace to be evicted; the server does not"
                + " let 1 go").contains("Pod ns/p1");
    }

    /** The pauses would be of 30 s, one and two minutes. */
    @Test
    void a_deadline_ends_the_pause() {
        refuse(422, "Invalid");
        start(1, 10, Map.of("eviction", "Respect", "deadlineSeconds", 130));
        cluster.pass(129);
        assertThat(cluster.asksBudgets).hasSize(3).containsOnly(true);
        cluster.refusal = Optional.empty();
        cluster.pass(2);
        assertThat(cluster.deleted).containsExactly("p0");
        assertThat(cluster.asksBudgets).last().isEqualTo(false);
    }

    @Test
    void a_deadline_that_is_over_ends_no_pause() {
        refuse(422, "Invalid");
        start(1, 10, Map.of("eviction", "Respect", "deadlineSeconds", 1));
        cluster.pass(3);
        assertThat(cluster.asksBudgets).containsExactly(true, false);
        cluster.pass(40);
        assertThat(cluster.asksBudgets).as("60 s, jittered by a fifth").hasSize(2);
    }

    @Test
    void another_pod_of_the_same_name_starts_with_the_first_pause() {
        refuse(422, "Invalid");
        start(1, 10);
        cluster.pass(150);
        assertThat(cluster.asksBudgets).as("at 0, 30 and 90 s").hasSize(3);
        cluster.devices.life = "again";
        cluster.pods(1);
        cluster.pass(3);
        assertThat(cluster.asksBudgets).hasSize(4);
        cluster.untilAsked(5, 37);
        assertThat(cluster.asksBudgets).as("30 s later").hasSize(5);
    }
}
