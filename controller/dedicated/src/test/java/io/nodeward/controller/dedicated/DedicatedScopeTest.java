package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class DedicatedScopeTest {
    private final DedicatedFixture cluster = new DedicatedFixture(1);

    @Test
    void listeners_do_not_wait_for_a_preview() {
        DedicatedWatches watches = new DedicatedWatches(cluster.scope);
        cluster.nodes.subscribeToChanges((before, after) -> watches.mapNode(before, after));
        cluster.pods.subscribeToChanges((before, after) -> {
            watches.mapPod(before, after);
            watches.mapPodToNode(before, after);
        });
        cluster.groups.subscribeToChanges((before, after) -> {
            watches.mapGroupToOthers(before, after);
            watches.mapGroupToNodes(before, after);
        });
        cluster.namespaces.subscribeToChanges(watches::mapNamespace);
        cluster.scope.settled(() -> {
            assertTimeoutPreemptively(Duration.ofSeconds(20), this::changes, "it is through");
            return "counted";
        });
        assertThat(cluster.scope.resolution().find("g")).isPresent();
        assertThat(cluster.scope.preview(cluster.scope.resolution().find("g").orElseThrow()).nodes().names())
                .as("what has changed meanwhile").containsExactly("n2");
    }

    @Test
    void a_node_at_which_looking_failed_is_looked_at_again() {
        cluster.declare("g", Map.of("nodes", Map.of("names", List.of("n")), "who",
                Map.of("namespaces", List.of("banana"))), "Enforce", "NoSchedule");
        cluster.beforeNodes = () -> {
            throw new IllegalStateException("planted");
        };
        cluster.node("n", Map.of());
        assertThatIllegalStateException().isThrownBy(cluster.scope::resolution).withMessage("planted");
        cluster.beforeNodes = () -> {};
        assertThat(cluster.scope.preview(cluster.scope.resolution().find("g").orElseThrow()).nodes().names())
                .containsExactly("n");
    }

    private void changes() {
        cluster.namespace("banana", Map.of());
        cluster.declare("g", Map.of("nodes", Map.of("names", List.of("n1", "n2")), "who",
                Map.of("namespaces", List.of("banana"))), "Enforce", "NoSchedule");
        List.of("n1", "n2").forEach(node -> cluster.node(node, Map.of()));
        cluster.pod("banana", "p", "n1");
        cluster.pods.remove(cluster.pods.get(new ObjectKey("banana", "p")).orElseThrow());
        cluster.nodes.remove(cluster.node("n1"));
    }

    @Test
    void it_is_no_scope_of_caches_that_tell_somebody_else_first() {
        for (ObjectCache<?> heard : List.of(
                cluster.groups, cluster.nodes, cluster.pods, cluster.namespaces)) {
            DedicatedFixture other = new DedicatedFixture(1);
            assertThatIllegalStateException().as(heard.toString()).isThrownBy(() -> new DedicatedScope(
                    heard == cluster.groups ? other.groups : new ObjectCache<>(),
                    heard == cluster.nodes ? other.nodes : new ObjectCache<>(DedicatedScope.MANAGED),
                    heard == cluster.pods ? other.pods : new ObjectCache<>(),
                    heard == cluster.namespaces ? other.namespaces : new ObjectCache<>(),
                    CachedClaims.unwatched(), new ObjectCache<>(), PodFeatures.NONE, Set.of(),
                    UnaryOperator.identity()));
        }
    }
}
