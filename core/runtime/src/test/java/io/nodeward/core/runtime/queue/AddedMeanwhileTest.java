package io.nodeward.core.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.core.runtime.metrics.QueueMeters;
import io.nodeward.core.runtime.time.Timers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is added while it is worked on, as the meters count it: to wait for a key that is lost would take for ever. */
class AddedMeanwhileTest {
    private final Timers timers = new Timers();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WorkQueue<String> queue = new WorkQueue<>(timers, new QueueMeters(registry, "test"), key -> "", 2);

    @AfterEach
    void stop() {
        timers.close();
    }

    private double depth() {
        return registry.get("workqueue.depth").gauge().value();
    }

    @Test
    void it_waits_once_more_and_only_from_when_the_work_is_done() throws Exception {
        queue.add("a");
        queue.take();
        queue.add("a");
        queue.add("a");
        assertThat(depth()).isZero();

        queue.done("a");
        assertThat(depth()).isEqualTo(1);
        queue.take();
        queue.done("a");
        assertThat(depth()).isZero();
        assertThat(registry.get("workqueue.adds").counter().count()).isEqualTo(2);
    }

    @Test
    void in_a_full_lane_it_goes_behind_those_that_have_waited() throws Exception {
        queue.add("a");
        queue.add("b");
        queue.take();
        queue.take();
        queue.add("c");
        queue.add("a");
        queue.done("a");
        assertThat(depth()).isEqualTo(2);
        assertThat(queue.take()).contains("c");
        assertThat(depth()).isEqualTo(1);
    }
}
