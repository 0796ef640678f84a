package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProjectionLimitTest {
    private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATE = Instant.parse("2026-02-01T00:00:00Z");

    private final ProjectionLimit limit = new ProjectionLimit(10);

    @Test
    void a_rule_has_all_that_it_needs_or_none_and_older_rules_come_first() {
        limit.need("a-young", LATE, 4);
        limit.need("a-large", EARLY, 11);
        assertThat(limit.decide()).containsExactly("a-young");
        limit.need("old", EARLY, 7);
        assertThat(limit.decide()).containsExactlyInAnyOrder("old", "a-young");
        assertThat(limit.within()).containsExactly("old");
        assertThat(limit.needed("a-young")).isEqualTo(4);
        limit.need("small", LATE, 3);
        assertThat(limit.decide()).containsExactly("small");
        limit.need("old", EARLY, 0);
        assertThat(limit.decide()).containsExactlyInAnyOrder("old", "a-young");
        assertThat(limit.isWithin("old")).isFalse();
        assertThat(limit.needed("old")).isZero();
    }

    @Test
    void of_rules_that_are_as_old_the_names_decide() {
        limit.need("b", EARLY, 6);
        limit.need("a", EARLY, 6);
        assertThat(limit.decide()).containsExactly("a");
    }

    @Test
    void what_has_not_changed_is_not_decided_anew() {
        limit.need("a", EARLY, 6);
        assertThat(limit.decide()).containsExactly("a");
        limit.need("a", EARLY, 6);
        limit.need("gone", EARLY, 0);
        assertThat(limit.decide()).isEmpty();
        assertThat(limit.within()).containsExactly("a");
    }
}
