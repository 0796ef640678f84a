package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DedicatedScopeTest {
    private final DedicatedFixture cluster = new DedicatedFixture(1);

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
                    Set.of()));
        }
    }
}
