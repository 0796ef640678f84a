package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often the status of a rule is written, by the controller as it is installed. */
class StatusPauseTest {
    private static final String BROKEN = "device.attributes['gpu.example.com'].model == 'broken'";
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RuleFixture rule = new RuleFixture((change, manager, again) -> {
        throw new AssertionError("no object is to be changed: " + change);
    });
    private final DevicesFixture cluster = rule.cluster;
    private final SteppedLoop loop = new SteppedLoop(
            (ReconcileLoop<?>) new DevicesModule(new DevicesConfig()).rules(
                    cluster.devices, cluster.serverRules, cluster.evictions, cluster.meters, rule.context));

    @BeforeEach
    void declare() {
        cluster.deviceClass("gpus", "true");
        published();
        rule.declare(Map.of(
                "deviceSelector", Map.of("deviceClassName", "gpus", "selectors", DevicesFixture.selectors(BROKEN)),
                "taint", Map.of("key", "example.com/broken", "effect", "None", "timeAdded", "2026-01-01T00:00:00Z")));
        work();
        assertThat(rule.statusWrites()).isEqualTo(1);
        assertThat(ready()).isEqualTo("True");
    }

    @AfterEach
    void stop() {
        rule.close();
    }

    /** In which the attribute is missing and there again, so that an expression fails, and the device is selected again. */
    @Test
    void a_device_that_flaps_costs_a_write_in_ten_seconds_and_the_last_state_is_shown() {
        for (int second = 1; second <= 35; second++) {
            rule.time.pass(SECOND);
            if (second % 2 == 1) {
                failing();
            } else {
                published();
            }
            work();
            assertThat(rule.statusWrites()).as("after " + second + " s").isLessThanOrEqualTo(1 + second / 10);
        }
        assertThat(rule.statusWrites()).as("each second pause ends as it began").isEqualTo(4);
        assertThat(failed()).isTrue();
        published();
        work();
        assertThat(failed()).isTrue();
        rule.time.pass(PAUSE);
        work();
        assertThat(failed()).isFalse();
        assertThat(rule.stored().at("/status/devices").asInt()).isEqualTo(1);
        assertThat(rule.statusWrites()).isEqualTo(5);
    }

    @Test
    void after_a_rest_a_condition_is_written_at_once_and_nothing_is_written_that_is_as_it_was() {
        rule.time.pass(PAUSE);
        failing();
        work();
        rule.time.pass(SECOND);
        work();
        assertThat(failed()).isTrue();
        published();
        work();
        rule.time.pass(SECOND);
        work();
        assertThat(failed()).as("the other state waits").isTrue();
        failing();
        rule.time.pass(PAUSE);
        work();
        assertThat(rule.statusWrites()).as("as is shown").isEqualTo(2);
    }

    @Test
    void a_new_spec_and_a_change_of_ready_do_not_wait() {
        rule.edit(Map.of("taint", Map.of("key", "example.com/other")));
        work();
        assertThat(rule.stored().at("/status/observedGeneration").asInt()).isEqualTo(2);
        DevicesFixture.remove(cluster.caches.classes(), "", "gpus");
        work();
        rule.time.pass(SECOND); // in which changes of devices are collected
        work();
        assertThat(ready()).isEqualTo("False");
        assertThat(rule.statusWrites()).isEqualTo(3);
    }

    /** Each device is asked the class's expression and its own. */
    @Test
    void what_a_slice_of_time_leaves_is_done_in_the_next_ones() {
        SteppedLoop devices = new SteppedLoop(
                (ReconcileLoop<?>) new DevicesModule(new DevicesConfig()).work(cluster.devices, rule.context));
        devices.runOnce();
        cluster.slow();
        cluster.sized("many", "gpu.example.com", "node-2", 100, size -> size);
        int slices = 0;
        while (devices.runOnce()) {
            slices++;
            rule.time.pass(Duration.ZERO);
        }
        assertThat(slices).isEqualTo(2 * 100 / DevicesFixture.IN_A_SLICE);
        work();
        rule.time.pass(PAUSE);
        work();
        assertThat(rule.stored().at("/status/preview/failed/count").asInt()).isEqualTo(100);
    }

    private void published() {
        cluster.slice("s", "gpu.example.com", "node-1", "a=broken");
    }

    private void failing() {
        cluster.sized("s", "gpu.example.com", "node-1", "a", 1, 1);
    }

    private void work() {
        cluster.settle();
        boolean more = true;
        while (more) {
            more = loop.runOnce();
        }
    }

    private boolean failed() {
        return !rule.condition("EvaluationFailed", "status").isEmpty();
    }

    private String ready() {
        return rule.condition("Ready", "status");
    }
}
