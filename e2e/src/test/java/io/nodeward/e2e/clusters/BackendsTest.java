package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackendsTest {
    @Test
    void each_has_a_class_of_its_own_where_suites_take_minutes() {
        assertThat(Backends.names().stream()
                .map(name -> DroppedClusters.class.getName() + Character.toUpperCase(name.charAt(0)) + name.substring(1)
                        + "Test"))
                .isNotEmpty().allSatisfy(name -> assertThat(Class.forName(name)).isAssignableTo(DroppedClusters.class));
    }
}
