package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NeededObjectsTest {
    private static final Resource POLICIES = AdmissionPhase.VALIDATING.policies();

    private String wanted = "a";
    private final NeededObjects needed = new NeededObjects(List.of(() -> wanting(wanted)));

    @Test
    void until_a_pass_has_settled_what_it_replaces_is_needed_as_well() {
        needed.begin();
        needed.settle();
        wanted = "b";
        needed.begin();
        wanted = "c";
        assertThat(names()).containsExactlyInAnyOrder("a", "b", "c");

        needed.settle();
        assertThat(names()).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void a_settled_pass_asks_for_another_look_if_that_one_kept_more_than_it_needs() {
        needed.begin();
        assertThat(needed.settle()).isTrue();
        assertThat(names()).containsExactly("a");
        assertThat(needed.settle()).isFalse();

        wanted = "c";
        assertThat(names()).containsExactlyInAnyOrder("a", "c");
        wanted = "a";
        assertThat(needed.settle()).isTrue();
    }

    private List<String> names() {
        return needed.all().stream().map(object -> object.key().name()).toList();
    }

    private static Registration wanting(String name) {
        return new Registration() {
            @Override
            public Ensured ensure() {
                return Ensured.accepted(true);
            }

            @Override
            public Set<Needed> needed() {
                return Set.of(new Needed(POLICIES, ObjectKey.clusterScoped(name)));
            }
        };
    }
}
