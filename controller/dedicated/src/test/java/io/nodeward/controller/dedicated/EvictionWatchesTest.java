package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What has the controller decide again on a group that evicts pods. */
class EvictionWatchesTest extends EvictionFixture {
    @BeforeEach
    void start() {
        DedicatedModule module = new DedicatedModule(new DedicatedConfig(), new PodFeatures(false, false, true));
        loops.add(new SteppedLoop((ReconcileLoop<?>) module.groups(cluster.scope, new DedicatedWatches(cluster.scope),
                cluster.exchange, new Pacer<>(time::nanoTime),
                module.releases(cluster.scope, context, Leadership.UNCONTESTED), cluster.evictions,
                new AdmissionProbe(time::nanoTime), context)));
    }

    @Test
    void pods_go_when_the_watch_brings_the_status_that_shows_it() {
        pods(1);
        declare(1, Map.of("eviction", "Respect"));
        pass(Duration.ofSeconds(30));
        assertThat(asksBudgets).isEmpty();
        see();
        pass(Duration.ofSeconds(1));
        assertThat(gone).containsExactly("p0");
    }

    @Test
    void the_status_says_soon_that_a_budget_holds_up_a_pod() {
        disruptionsAllowed = 0;
        pods(0);
        put("p", "uid-p", List.of(Map.of("key", "dedicated", "operator", "Exists", "tolerationSeconds", 30)));
        declare(1, Map.of("eviction", "Respect"));
        show();
        pass(Duration.ofSeconds(29));
        assertThat(asksBudgets).isEmpty();
        pass(Duration.ofSeconds(15));
        assertThat(statuses).last().asString().contains("PodDisruptionBudgets hold up 1");
    }
}
