package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the claims of pods say of their eviction: for how long they tolerate the taint, and for whom they are. */
class ClaimEvictionTest {
    private final EvictionFixture cluster = new EvictionFixture();

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** From when its claim tolerates the taint for 60 s, and how long it still has to stay at the end of the story. */
    enum Story {
        EFFECT_BECAME_NO_EXECUTE(60) {
            @Override
            void tell(EvictionFixture cluster) {
                cluster.declare("None", 10);
                cluster.work();
                cluster.effect("NoExecute");
            }
        },
        EFFECT_CAME_WITH_A_FAULT_THAT_IS_GONE_NOW(60) {
            @Override
            void tell(EvictionFixture cluster) {
                cluster.declare("None", 10);
                cluster.work();
                cluster.edit(Map.of("taint", Map.of("effect", "NoExecute", "evictionsPerSecond", 0)));
                cluster.work();
                cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", 10)));
            }
        },
        /** Two edits that nobody has seen. */
        EFFECT_MAY_HAVE_BEEN_ANOTHER_WHILE_NO_PROCESS_RAN(60) {
            @Override
            void tell(EvictionFixture cluster) {
                evictingFor50Seconds(cluster);
                cluster.effect("None");
                cluster.effect("NoExecute");
                cluster.start();
            }
        },
        ONE_EDIT_WHILE_NO_PROCESS_RAN_CHANGES_NO_TIME(10) {
            @Override
            void tell(EvictionFixture cluster) {
                evictingFor50Seconds(cluster);
                cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", 5)));
                cluster.start();
            }
        };

        private final int seconds;

        Story(int seconds) {
            this.seconds = seconds;
        }

        abstract void tell(EvictionFixture cluster);

        private static void evictingFor50Seconds(EvictionFixture cluster) {
            cluster.declare("NoExecute", 10);
            cluster.edit(Map.of("taint", Map.of("timeAdded", "2026-11-01T12:00:00Z")));
            cluster.work();
            cluster.pass(50);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tolerated_time_counts_from_when_the_effect_became_no_execute(Story story) {
        cluster.tolerating(60);
        cluster.start();
        story.tell(cluster);
        cluster.work();
        cluster.pass(story.seconds - 1);
        assertThat(cluster.deleted).isEmpty();
        assertThat(cluster.progress("status")).as("it is to be evicted").isEqualTo("True");
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
