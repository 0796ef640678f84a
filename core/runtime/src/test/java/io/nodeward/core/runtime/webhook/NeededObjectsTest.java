package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class NeededObjectsTest {
    private static final Resource POLICIES = AdmissionPhase.VALIDATING.policies();

    private String wanted = "a";
    private final Registration registration = wanting(() -> wanted);
    private final NeededObjects needed = new NeededObjects(List.of(registration));

    @Test
    void until_a_pass_has_settled_what_it_replaces_is_needed_as_well() {
        needed.begin(pass("a"));
        needed.settle();
        needed.begin(pass("b"));
        wanted = "c";
        assertThat(names()).containsExactlyInAnyOrder("a", "b", "c");

        needed.settle();
        assertThat(names()).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void a_settled_pass_asks_for_another_look_if_that_one_kept_more_than_it_needs() {
        needed.begin(pass("a"));
        assertThat(needed.settle()).isTrue();
        assertThat(names()).containsExactly("a");
        assertThat(needed.settle()).isFalse();

        wanted = "c";
        assertThat(names()).containsExactlyInAnyOrder("a", "c");
        wanted = "a";
        assertThat(needed.settle()).isTrue();
    }

    private List<String> names() {
        return needed.all().get(POLICIES).stream().map(ObjectKey::name).toList();
    }

    private static List<Registration> pass(String name) {
        return List.of(wanting(() -> name));
    }

    private static Registration wanting(Supplier<String> name) {
        return new Registration() {
            @Override
            public Ensured ensure() {
                return new Ensured(true, true, Result.done());
            }

            @Override
            public Map<Resource, Set<ObjectKey>> needed() {
                return Map.of(POLICIES, Set.of(ObjectKey.clusterScoped(name.get())));
            }
        };
    }
}
