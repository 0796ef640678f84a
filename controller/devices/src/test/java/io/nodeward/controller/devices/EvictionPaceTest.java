package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When each of the pods goes. */
class EvictionPaceTest {
    private final EvictionFixture cluster = new EvictionFixture();

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Of so many pods ten are gone, and one goes in each second from now on. */
    private void burst(int pods) {
        cluster.pods(pods);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.work();
        assertThat(cluster.deleted).hasSize(10);
    }

    @Test
    void ten_go_at_once_and_then_as_many_as_the_rule_allows() {
        cluster.pods(30);
        cluster.start();
        cluster.declare("NoExecute", 2);
        cluster.work();
        assertThat(cluster.deleted).hasSize(10);
        assertThat(cluster.marked).isEqualTo(cluster.deleted);
        cluster.pass(5);
        assertThat(cluster.deleted).hasSize(20);
        assertThat(cluster.progress("status")).isEqualTo("True");
        cluster.pass(4);
        assertThat(cluster.deleted).hasSize(28);
        cluster.pass(2);
        assertThat(cluster.deleted).hasSize(30).doesNotHaveDuplicates();
        cluster.pass(1);
        assertThat(cluster.progress("status")).as("no pause holds it up").isEqualTo("False");
        assertThat(cluster.progress("message")).isEqualTo("30 pods evicted since the controller started");
    }

    @Test
    void all_rules_together_have_a_pace_and_the_condition_of_a_rule_that_it_holds_back_names_it() {
        cluster.config.evictionsPerSecond = 3;
        cluster.pods(200);
        cluster.start();
        cluster.declare("NoExecute", 1000);
        cluster.work();
        assertThat(cluster.deleted).as("the burst of a rule").hasSize(10);
        cluster.pass(1);
        assertThat(cluster.deleted).as("the burst of all").hasSizeBetween(50, 53);
        int before = cluster.deleted.size();
        cluster.pass(10);
        assertThat(cluster.deleted).hasSize(before + 30).doesNotHaveDuplicates();
        cluster.pass(11);
        assertThat(cluster.progress("message")).contains("--devices-evictions-per-second, holds it below its own");
        cluster.pass(60);
        assertThat(cluster.deleted).hasSize(200);
        assertThat(cluster.progress("message")).isEqualTo("200 pods evicted since the controller started");
    }

    @Test
    void a_rule_that_evicts_at_its_own_pace_again_says_nothing_of_the_pace_of_all_rules() {
        cluster.config.evictionsPerSecond = 3;
        cluster.pods(150);
        cluster.start();
        cluster.declare("NoExecute", 1000);
        cluster.pass(12);
        assertThat(cluster.progress("message")).contains("--devices-evictions-per-second, holds it below its own");
        cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", 1)));
        cluster.pass(30);
        assertThat(cluster.progress("status")).isEqualTo("True");
        assertThat(cluster.progress("message")).contains("to be evicted").doesNotContain("holds it below");
    }

    @Test
    void a_pace_of_three_a_second_is_kept() {
        cluster.pods(100);
        cluster.start();
        cluster.declare("NoExecute", 3);
        cluster.work();
        cluster.pass(20);
        assertThat(cluster.deleted).hasSize(70);
    }

    @Test
    void a_rule_that_names_nothing_but_a_driver_is_confirmed_like_one_for_every_device() {
        cluster.pods(3);
        cluster.start();
        cluster.declare(Map.of("driver", EvictionFixture.DRIVER), "NoExecute", 10, Map.of());
        cluster.pass(20);
        assertThat(cluster.deleted).isEmpty();
        assertThat(cluster.progress("reason")).isEqualTo("NotConfirmed");
        assertThat(cluster.progress("message")).startsWith(
                "the rule selects every device of driver " + EvictionFixture.DRIVER + ", and evicts nobody unless");
        cluster.edit(Map.of("confirmedPods", 3));
        cluster.pass(20);
        assertThat(cluster.deleted).hasSize(3);
    }

    @Test
    void a_pause_of_all_writes_lets_no_pod_go_and_saves_up_no_evictions() {
        List<Runnable> over = new ArrayList<>();
        cluster.whileMarked = () -> {
            throw ApiFailure.paused("PATCH", "paused", over::add);
        };
        cluster.pods(30);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.pass(60);
        assertThat(cluster.deleted).isEmpty();
        cluster.whileMarked = () -> {};
        over.forEach(Runnable::run);
        cluster.pass(4);
        assertThat(cluster.deleted).as("one that was kept, and one a second").hasSize(5);
        cluster.pass(26);
        assertThat(cluster.deleted).hasSize(30).doesNotHaveDuplicates();
    }

    @Test
    void who_waits_is_not_looked_at_each_time_another_goes() {
        cluster.pods(30);
        cluster.start();
        cluster.declare("NoExecute", 2);
        cluster.work();
        assertThat(cluster.asked).hasSize(30).doesNotHaveDuplicates();
        cluster.pass(5);
        assertThat(cluster.deleted).hasSize(20);
        assertThat(cluster.asked).filteredOn(pod -> !cluster.deleted.contains(pod)).hasSize(10);
        cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", 1)));
        cluster.work();
        assertThat(cluster.asked).filteredOn(pod -> !cluster.deleted.contains(pod)).as("another pace").hasSize(20);
    }

    /** As the scheduler reserves a claim: the pod gets its Node after that. */
    @Test
    void a_pod_that_gets_its_node_after_its_claim_goes() {
        cluster.pods(30);
        cluster.devices.pod("p0", "");
        cluster.start();
        cluster.declare("NoExecute", 2);
        cluster.pass(2);
        assertThat(cluster.deleted).hasSizeBetween(11, 15);
        cluster.devices.pod("p0", "node-1");
        cluster.pass(12);
        assertThat(cluster.deleted).hasSize(30).contains("p0");
    }

    @Test
    void another_rate_acts_at_once() {
        cluster.pods(60);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.work();
        cluster.pass(2);
        assertThat(cluster.deleted).hasSize(12);
        cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", 20)));
        cluster.pass(2);
        assertThat(cluster.deleted).hasSizeBetween(45, 60);
        cluster.pass(1);
        assertThat(cluster.deleted).hasSize(60);
    }

    @Test
    void a_rule_that_has_rested_has_no_burst_again() {
        burst(10);
        cluster.pass(60);
        cluster.pods(10, 30);
        cluster.pass(4);
        assertThat(cluster.deleted).hasSizeBetween(13, 14);
    }

    /** It has seen the rule before any pod went, and the former leader may have taken the burst. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void a_process_that_takes_over_has_no_burst(int asked) {
        cluster.standsBy = true;
        cluster.pods(asked);
        cluster.start();
        cluster.declare("NoExecute", 5);
        cluster.work();
        assertThat(cluster.asked).hasSize(asked);
        cluster.pods(asked, 30);
        cluster.rule.time.pass(Duration.ofSeconds(1));
        cluster.decide();
        assertThat(cluster.asked).as("to be looked at").hasSize(30);
        cluster.lead();
        cluster.work();
        assertThat(cluster.deleted).isEmpty();
        cluster.pass(2);
        assertThat(cluster.deleted).hasSize(10);
        cluster.pass(4);
        assertThat(cluster.deleted).hasSize(30).doesNotHaveDuplicates();
    }

    @Test
    void a_process_that_has_waited_for_its_first_pod_has_no_burst() {
        burst(30);
        cluster.start();
        cluster.rule.time.pass(Duration.ofMinutes(1));
        cluster.work();
        assertThat(cluster.deleted).hasSize(10);
        cluster.pass(3);
        assertThat(cluster.deleted).hasSize(13);
    }

    @Test
    void a_process_that_comes_after_another_has_no_burst() {
        burst(30);
        cluster.start();
        cluster.work();
        assertThat(cluster.deleted).hasSize(10);
        cluster.pass(3);
        assertThat(cluster.deleted).hasSize(13);
    }

    @Test
    void a_process_has_no_burst_if_the_status_has_ever_shown_that_the_rule_evicts() {
        burst(30);
        cluster.effect("NoSchedule");
        cluster.work();
        cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", 0))); // a fault
        cluster.work();
        assertThat(cluster.progress("status")).isEqualTo("False");
        cluster.start();
        cluster.edit(Map.of("taint", Map.of("effect", "NoExecute", "evictionsPerSecond", 1)));
        cluster.work();
        assertThat(cluster.deleted).hasSize(10);
        cluster.pass(3);
        assertThat(cluster.deleted).hasSize(13);
    }

    @Test
    void another_rule_of_the_same_name_has_a_burst_of_its_own() {
        cluster.pods(30);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.work();
        cluster.rule.delete();
        cluster.declare("NoExecute", 1);
        cluster.work();
        assertThat(cluster.deleted).hasSize(20);
    }

    /** As that of a StatefulSet: the token of the one before is no token of the next. */
    @Test
    void a_pod_that_has_the_name_of_one_that_went_needs_a_token_too() {
        burst(10);
        cluster.devices.life = "again";
        come(cluster.deleted.getLast());
        assertThat(cluster.deleted).hasSize(10);
        cluster.pass(1);
        assertThat(cluster.deleted).hasSize(11);
        come("other");
        assertThat(cluster.deleted).hasSize(11);
        cluster.pass(1);
        assertThat(cluster.deleted).hasSize(12).endsWith("other");
    }

    /** An edit of the rule is looked at without a pause. */
    private void come(String pod) {
        cluster.devices.claim("of-" + pod, EvictionFixture.DRIVER + "/node-1/d0", pod);
        cluster.devices.pod(pod, "node-1");
        cluster.edit(Map.of("taint", Map.of("description", "for " + pod)));
        cluster.work();
    }

    /** Who is not there any more has no turn. */
    @Test
    void a_pod_that_goes_by_itself_is_not_deleted() {
        cluster.pods(12);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.work();
        for (Pod pod : List.copyOf(cluster.devices.caches.pods().all())) {
            cluster.devices.pod(pod.key().name(), "node-1", "Running", Map.of(), true);
        }
        cluster.pass(10);
        assertThat(cluster.deleted).hasSize(10);
        assertThat(cluster.devices.caches.pods().get(new ObjectKey("ns", cluster.deleted.getFirst()))).isEmpty();
    }
}
