package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Status;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How fast pods are evicted, and when a pod that stays is tried again. */
class EvictionPaceTest extends EvictionFixture {
    @Test
    void a_pod_that_the_server_refuses_to_evict_is_tried_again_and_the_status_says_why() {
        pods(1);
        refusal = Optional.of(ApiFailure.of(new Status(403, "Forbidden", "no right", 0), "POST p0", Optional.empty()));
        declare(1, Map.of("eviction", "Respect"));
        show();
        pass(Duration.ofSeconds(1));
        assertThat(asksBudgets).hasSize(1);
        assertThat(progress().why().message()).contains("the server does not let 1 go", "no right");
        refusal = Optional.empty();
        pass(Duration.ofMinutes(1));
        assertThat(gone).containsExactly("p0");
    }

    @Test
    void pods_go_at_the_pace_of_all_together_and_none_at_once_after_a_start() {
        pods(30);
        declare(30, Map.of("eviction", "Respect"));
        show();
        drain();
        assertThat(gone).hasSizeLessThanOrEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(gone).hasSizeBetween(18, 22);
        cluster.evictions.restart();
        drain();
        assertThat(gone).hasSizeLessThanOrEqualTo(23);
        pass(Duration.ofSeconds(2));
        assertThat(gone).hasSize(30);
    }

    @Test
    void a_pod_that_a_budget_holds_up_gives_its_token_to_the_next_and_is_tried_again() {
        pods(1);
        disruptionsAllowed = 0;
        declare(3, Map.of("eviction", "Respect"));
        show();
        while (asksBudgets.isEmpty()) {
            pass(Duration.ofMillis(50));
        }
        disruptionsAllowed = 1;
        cluster.pod("cherry", "p1", "n");
        cluster.pod("cherry", "p2", "n");
        progress();
        drain();
        assertThat(gone).as("at once").hasSize(1);
        pass(Duration.ofSeconds(1));
        assertThat(gone).hasSize(1);
        assertThat(asksBudgets).hasSize(3);
        assertThat(progress().why().message()).contains("2 pods to be evicted; 1 pod evicted since the controller"
                + " started; PodDisruptionBudgets hold up 2, which is tried again; of Pod cherry/p");
        disruptionsAllowed = 2;
        pass(Duration.ofSeconds(8));
        assertThat(gone).hasSize(3);
    }

    @Test
    void a_pod_whose_reply_is_lost_is_counted_once() {
        pods(3);
        losesReply = true;
        declare(3, Map.of("eviction", "Respect"));
        show();
        pass(Duration.ofSeconds(30));
        assertThat(gone).hasSize(3);
        assertThat(asksBudgets).hasSize(3);
        assertThat(cluster.registry.get("nodeward.dedicated.evictions").counter().count()).isEqualTo(3);
    }
}
