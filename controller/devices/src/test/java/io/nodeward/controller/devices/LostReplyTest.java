package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pod whose eviction the server may have made: the reply was lost. */
class LostReplyTest {
    private static final Applied LOST =
            new Applied.Unanswered(ApiFailure.unreachable("DELETE p0", "connection reset", new IOException("reset")));
    private static final Applied OUTDATED = new Applied.Outdated(failure(409, "Conflict"));

    private final EvictionFixture cluster = new EvictionFixture();

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static ApiFailure failure(int code, String reason) {
        return ApiFailure.of(new Status(code, reason, "why", 0), "DELETE p0", Optional.empty());
    }

    /** @param mode of the rule that evicts it; the server does not say what becomes of its eviction */
    private void lose(String mode) {
        cluster.answers.add(LOST);
        cluster.pods(1);
        cluster.start();
        cluster.declare(Map.of("driver", EvictionFixture.DRIVER, "pool", "node-1"), "NoExecute", 10,
                Map.of("eviction", mode));
        cluster.edit(Map.of("taint", Map.of("timeAdded", cluster.rule.time.instant().toString())));
        cluster.work();
        assertThat(cluster.asksBudgets).hasSize(1);
        assertThat(cluster.events()).isEmpty();
    }

    /** The watch tells that the pod is gone. */
    private void seeGone() {
        cluster.devices.caches.pods()
                .remove(cluster.devices.caches.pods().get(new ObjectKey("ns", "p0")).orElseThrow());
    }

    private void reportedOnce() {
        cluster.pass(15);
        assertThat(cluster.events()).singleElement().asString().contains("uid-ns/p0", "evicted by");
        assertThat(cluster.progress("message")).isEqualTo("1 pod evicted since the controller started");
        assertThat(counted()).isOne();
    }

    private void notReported() {
        cluster.pass(40);
        assertThat(cluster.events()).isEmpty();
        assertThat(cluster.progress("message")).doesNotContain("evicted since");
        assertThat(counted()).isZero();
    }

    private double counted() {
        return cluster.devices.registry.get("device.taint.eviction.controller.pod.deletions").counter().count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Respect"})
    void a_pod_that_is_gone_then_is_reported_once(String mode) {
        lose(mode);
        seeGone();
        reportedOnce();
    }

    /** Another leader may have evicted it, and reported it, since. */
    @Test
    void a_pod_that_is_gone_when_the_process_leads_again_is_not_reported() {
        lose("Delete");
        cluster.evictions.restart();
        seeGone();
        notReported();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Respect"})
    void a_pod_that_is_being_deleted_then_is_reported_once(String mode) {
        lose(mode);
        cluster.devices.pod("p0", "node-1", "Running", Map.of(), true);
        reportedOnce();
        seeGone();
        reportedOnce();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Respect"})
    void a_pod_that_is_still_there_is_evicted_again_and_reported_once(String mode) {
        lose(mode);
        reportedOnce();
        assertThat(cluster.deleted).containsExactly("p0");
        assertThat(cluster.asksBudgets).hasSize(2);
    }

    /** The watch is behind. */
    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Respect"})
    void a_pod_that_the_server_does_not_find_then_is_reported_once(String mode) {
        lose(mode);
        cluster.answers.add(new Applied.Gone());
        cluster.untilAsked(2, 5);
        seeGone();
        reportedOnce();
    }

    /** The server may not have found the budget, rather than the pod. */
    @Test
    void a_pod_that_is_there_although_the_server_does_not_find_it_is_reported_when_it_goes() {
        lose("Respect");
        cluster.answers.add(new Applied.Gone());
        cluster.untilAsked(2, 5);
        assertThat(cluster.events()).isEmpty();
        reportedOnce();
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Respect"})
    void a_pod_in_whose_place_is_another_then_is_reported_once_and_so_is_the_other(String mode) {
        lose(mode);
        cluster.answers.add(OUTDATED);
        cluster.untilAsked(2, 5);
        cluster.devices.life = "-other";
        cluster.devices.claim("c0", EvictionFixture.DRIVER + "/node-1/d0", "p0");
        cluster.devices.pod("p0", "node-1");
        cluster.pass(2);
        assertThat(cluster.events()).singleElement().asString().contains("\"uid-ns/p0\"");
        cluster.pass(15);
        assertThat(cluster.events()).hasSize(2).last().asString().contains("\"uid-ns/p0-other\"");
        assertThat(cluster.progress("message")).isEqualTo("2 pods evicted since the controller started");
    }

    /** Its status has changed, for example. */
    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Respect"})
    void a_pod_that_has_become_a_newer_version_then_is_evicted_again_and_reported_once(String mode) {
        lose(mode);
        cluster.answers.add(OUTDATED);
        cluster.untilAsked(2, 5);
        assertThat(cluster.events()).isEmpty();
        reportedOnce();
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @Test
    void the_status_counts_a_pod_of_which_it_is_known_late() {
        lose("Delete");
        for (int i = 0; i < 5; i++) {
            cluster.answers.add(LOST);
        }
        cluster.untilAsked(6, 10);
        seeGone();
        reportedOnce();
    }

    @Test
    void a_pod_that_is_refused_then_and_deleted_by_a_user_is_not_reported() {
        lose("Delete");
        cluster.refusal = Optional.of(failure(422, "Invalid"));
        cluster.untilAsked(2, 5);
        seeGone();
        notReported();
    }

    /** The refusal is about the condition, not about the deletion that may have been made. */
    @ParameterizedTest
    @CsvSource({"403, Forbidden", "422, Invalid"})
    void a_pod_whose_status_is_refused_then_is_reported_when_it_is_gone(int code, String reason) {
        lose("Delete");
        cluster.whileMarked = () -> {
            throw failure(code, reason);
        };
        cluster.pass(2);
        assertThat(cluster.marked).as("tried again").hasSize(2);
        seeGone();
        cluster.pass(30); // the pause after a refusal
        reportedOnce();
    }

    /** The deletion has not been made: the pod was seen for too long after it. */
    @Test
    void a_pod_whose_status_is_refused_for_longer_and_that_a_user_deletes_is_not_reported() {
        lose("Delete");
        cluster.whileMarked = () -> {
            throw failure(403, "Forbidden");
        };
        cluster.pass(60);
        assertThat(cluster.marked).as("tried again").hasSizeGreaterThan(2);
        seeGone();
        notReported();
    }

    @Test
    void a_pod_in_whose_place_is_another_when_its_status_is_refused_is_reported() {
        lose("Delete");
        cluster.whileMarked = () -> {
            cluster.devices.life = "-other";
            cluster.devices.claim("c0", EvictionFixture.DRIVER + "/node-1/d0", "p0");
            cluster.devices.pod("p0", "node-1");
            throw failure(403, "Forbidden");
        };
        cluster.pass(2);
        assertThat(cluster.events()).singleElement().asString().contains("\"uid-ns/p0\"");
    }

    @Test
    void a_pod_that_a_budget_holds_up_then_and_that_a_user_deletes_is_not_reported() {
        lose("Respect");
        cluster.disruptionsAllowed = 0;
        cluster.untilAsked(2, 5);
        seeGone();
        notReported();
    }

    @Test
    void a_pod_of_which_the_watch_tells_after_its_rule_is_gone_is_reported() {
        lose("Delete");
        cluster.rule.delete();
        cluster.pass(1);
        seeGone();
        cluster.pass(2);
        assertThat(cluster.events()).hasSize(1);
    }

    @Test
    void a_pod_that_need_not_go_any_more_and_that_a_user_deletes_later_is_not_reported() {
        lose("Delete");
        cluster.effect("None");
        cluster.pass(15);
        seeGone();
        cluster.pods(1, 2);
        cluster.effect("NoExecute");
        cluster.pass(15);
        assertThat(cluster.asked).as("looked at again").endsWith("p0", "p1");
        assertThat(cluster.events()).singleElement().asString().contains("uid-ns/p1");
    }
}
