package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the claims of pods say of their eviction: for how long they tolerate the taint, and for whom they are. */
class ClaimEvictionTest {
    private final EvictionFixture cluster = new EvictionFixture();

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void tolerated_time_counts_from_when_the_effect_became_no_execute() {
        cluster.tolerating(60);
        cluster.start();
        cluster.declare("None", 10);
        cluster.work();
        cluster.effect("NoExecute");
        cluster.work();
        cluster.pass(59);
        assertThat(cluster.deleted).isEmpty();
        assertThat(cluster.progress("status")).as("it is to be evicted").isEqualTo("True");
        cluster.pass(2);
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @Test
    void an_effect_that_came_with_a_fault_counts_from_when_the_fault_is_gone() {
        cluster.tolerating(60);
        cluster.start();
        cluster.declare("None", 10);
        cluster.work();
        cluster.edit(Map.of("taint", Map.of("effect", "NoExecute", "evictionsPerSecond", 0)));
        cluster.work();
        cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", 10)));
        cluster.work();
        cluster.pass(59);
        assertThat(cluster.deleted).isEmpty();
        cluster.pass(2);
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @Test
    void with_a_time_of_its_own_an_edited_effect_counts_from_then() {
        cluster.pods(1);
        cluster.start();
        cluster.declare("None", 10);
        cluster.work();
        cluster.edit(Map.of("taint", Map.of("effect", "NoExecute", "timeAdded", "2026-11-01T12:00:30Z")));
        cluster.work();
        cluster.pass(29);
        assertThat(cluster.deleted).isEmpty();
        cluster.pass(2);
        assertThat(cluster.deleted).containsExactly("p0");
    }

    /** Two edits that nobody has seen may have lowered the effect and raised it again. */
    @Test
    void an_effect_that_may_have_been_another_while_no_process_ran_counts_from_when_it_is_seen() {
        cluster.tolerating(60);
        cluster.start();
        cluster.declare("NoExecute", 10);
        cluster.edit(Map.of("taint", Map.of("timeAdded", "2026-11-01T12:00:00Z")));
        cluster.work();
        cluster.pass(50);
        cluster.effect("None");
        cluster.effect("NoExecute");
        cluster.start();
        cluster.work();
        cluster.pass(59);
        assertThat(cluster.deleted).isEmpty();
        cluster.pass(2);
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @Test
    void one_edit_while_no_process_ran_changes_no_time() {
        cluster.tolerating(60);
        cluster.start();
        cluster.declare("NoExecute", 10);
        cluster.edit(Map.of("taint", Map.of("timeAdded", "2026-11-01T12:00:00Z")));
        cluster.work();
        cluster.pass(50);
        cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", 5)));
        cluster.start();
        cluster.work();
        cluster.pass(9);
        assertThat(cluster.deleted).isEmpty();
        cluster.pass(2);
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @Test
    void a_pod_that_comes_later_goes_too() {
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.work();
        assertThat(cluster.progress("reason")).isEqualTo("NotStarted");
        cluster.pods(1);
        cluster.pass(2);
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @Test
    void a_claim_that_gets_new_pods_keeps_them_longer_each_time() {
        cluster.devices.slice("s", EvictionFixture.DRIVER, "node-1", "d=any");
        cluster.devices.claim("shared", EvictionFixture.DRIVER + "/node-1/d", "a", "b");
        cluster.devices.pod("a", "node-1");
        cluster.devices.pod("b", "node-1");
        cluster.start();
        cluster.declare("NoExecute", 10);
        cluster.work();
        assertThat(cluster.deleted).as("they go together").containsExactlyInAnyOrder("a", "b");
        cluster.pass(2);
        cluster.devices.claim("shared", EvictionFixture.DRIVER + "/node-1/d", "c");
        cluster.devices.pod("c", "node-1");
        cluster.pass(6);
        assertThat(cluster.deleted).hasSize(2);
        assertThat(cluster.rule.condition("EvictionBackoff", "message")).contains("ResourceClaim ns/shared");
        cluster.pass(5);
        assertThat(cluster.deleted).contains("c");
        cluster.devices.claim("shared", EvictionFixture.DRIVER + "/node-1/d", "d");
        cluster.devices.pod("d", "node-1");
        cluster.pass(15);
        assertThat(cluster.deleted).hasSize(3);
        cluster.pass(5);
        assertThat(cluster.deleted).contains("d");
        cluster.devices.claim("shared", EvictionFixture.DRIVER + "/node-1/other");
        cluster.pass(2);
        assertThat(cluster.rule.condition("EvictionBackoff", "status")).isEmpty();
    }
}
