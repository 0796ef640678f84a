package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.meta.Status;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the controller may not write: how long it leaves it alone. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MissingRightsTest {
    private final DedicatedFixture cluster = new DedicatedFixture(6, new PodFeatures(false, true));
    private final DedicatedWatches watches = new DedicatedWatches(cluster.scope);
    private final ManualTime time = new ManualTime();
    private final AtomicInteger writes = new AtomicInteger();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ApiServer server = new ApiServer(new UnaskedServer());
    private final ControllerContext context = new ControllerContext((change, manager, again) -> {
        writes.incrementAndGet();
        throw ApiFailure.of(new Status(403, "Forbidden", "why", 0), "PATCH x", Optional.empty());
    }, new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
            new EventRecorder(server, time, timers, false, cluster.registry), time, timers, cluster.registry, "",
            false);

    @BeforeEach
    void declare() {
        cluster.node("n", Map.of());
        cluster.declare("g", Map.of("nodes", Map.of("names", List.of("n")), "who",
                Map.of("namespaces", List.of("banana"))), "Enforce", "NoSchedule");
    }

    @AfterEach
    void stop() {
        context.events().close();
        timers.close();
    }

    @Test
    void a_node_is_tried_again_after_long_pauses() throws InterruptedException {
        cluster.reconcileGroup("g");
        DedicatedModule module = new DedicatedModule(new DedicatedConfig(), PodFeatures.NONE);
        isTriedAgainAfterLongPauses(module.nodes(cluster.scope, watches, cluster.exchange, new Pacer<>(time::nanoTime),
                module.releases(cluster.scope, context, Leadership.UNCONTESTED), context));
    }

    @Test
    void a_pod_is_tried_again_after_long_pauses() throws InterruptedException {
        cluster.pod("banana", "p", "n");
        cluster.reconcileGroup("g");
        isTriedAgainAfterLongPauses(new PodTolerationsModule(new DedicatedConfig())
                .pods(cluster.scope, watches, cluster.exchange, context));
    }

    private void isTriedAgainAfterLongPauses(Controller controller) throws InterruptedException {
        ReconcileLoop<?> loop = (ReconcileLoop<?>) controller;
        loop.start();
        try {
            for (int tries = 1; tries <= 2; tries++) {
                int now = tries;
                await().until(() -> writes.get() == now && loop.isIdle());
                assertThat(time.waits()).singleElement().satisfies(pause -> assertThat(pause.toMillis())
                        .as("doubled, jittered by a fifth").isBetween(now * 24_000L, now * 36_000L));
                time.passWait();
            }
        } finally {
            assertThat(loop.stop(Duration.ofSeconds(50))).isTrue();
        }
    }
}
