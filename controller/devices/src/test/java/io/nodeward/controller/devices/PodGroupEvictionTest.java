package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that use devices through a claim which is reserved for their PodGroup. */
class PodGroupEvictionTest {
    private static final String DEVICE = EvictionFixture.DRIVER + "/node-1/d";

    private final EvictionFixture cluster = new EvictionFixture();
    private final DevicesFixture devices = cluster.devices;

    @BeforeEach
    void group() {
        devices.slice("s", EvictionFixture.DRIVER, "node-1", "d=any");
        devices.claim("shared", DEVICE, "group/gang");
        devices.podOf("gang", "a", "shared");
        devices.podOf("gang", "b", "shared", "own");
        devices.podOf("gang", "without", "own");
        devices.podOf("others", "other", "shared");
        cluster.start();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Optional<Long> evicted() {
        return devices.count("r", "evicted");
    }

    @Test
    void the_preview_follows_the_pods_of_the_group() {
        cluster.declare("None", 10);
        cluster.work();
        assertThat(evicted()).contains(2L);
        devices.podOf("gang", "without", "own", "shared");
        cluster.work();
        assertThat(evicted()).as("its status names the claim now").contains(3L);
        DevicesFixture.remove(devices.caches.pods(), "ns", "a");
        cluster.work();
        assertThat(evicted()).contains(2L);
        devices.claim("shared", DEVICE);
        cluster.work();
        assertThat(evicted()).contains(0L);
    }

    @Test
    void a_pod_concerns_no_rule_if_no_claim_is_reserved_for_its_group() {
        cluster.declare("None", 10);
        cluster.work();
        devices.settle();
        devices.podOf("others", "another", "shared");
        assertThat(devices.settle()).isEmpty();
        devices.podOf("gang", "late", "shared");
        assertThat(devices.settle()).containsExactly("r");
    }

    @Test
    void those_go_that_use_the_claim_and_those_that_come_again_stay_longer() {
        cluster.declare("NoExecute", 10);
        cluster.work();
        assertThat(cluster.deleted).containsExactlyInAnyOrder("a", "b");
        cluster.pass(2);
        devices.podOf("gang", "c", "shared");
        cluster.pass(6);
        assertThat(cluster.deleted).as("the scheduler looks at no taint of a device that a claim has").hasSize(2);
        assertThat(cluster.rule.condition("EvictionBackoff", "message")).contains("ResourceClaim ns/shared");
        cluster.pass(5);
        assertThat(cluster.deleted).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void a_claim_that_is_given_to_another_group_spares_the_pods_that_have_not_gone() {
        cluster.declare("NoExecute", 10);
        cluster.whileDeleted = pod -> devices.claim("shared", DEVICE, "group/nobody");
        cluster.work();
        cluster.pass(3);
        assertThat(cluster.deleted).hasSize(1);
    }
}
