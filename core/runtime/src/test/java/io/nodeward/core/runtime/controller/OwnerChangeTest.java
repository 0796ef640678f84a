package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A change of the object whose status follows. */
class OwnerChangeTest extends ExecutorFixture {
    private static final ObjectKind MACHINE = new ObjectKind("g", "v1", "Machine", "machines", true);

    @Test
    void a_change_of_the_owner_itself_is_followed_by_the_status_of_what_it_has_become() {
        ObjectKey owner = OWNER.regarding().key();
        ObjectChange unseen = ObjectChange.apply(MACHINE, owner, Tree.of(Map.of()));
        ObjectChange ofAnother =
                ObjectChange.apply(MACHINE, new ObjectKey("ns", "other"), Tree.of(Map.of()))
                        .seenIn(new ObjectCache<>());
        ObjectChange ofAnotherKind =
                ObjectChange.apply(new ObjectKind("g", "v1", "Other", "others", true), owner, Tree.of(Map.of()))
                        .seenIn(new ObjectCache<>());
        writer = (change, manager, again) -> {
            decision = new Decision.InEffect(OWNER, List.of());
            return new Applied.Written();
        };
        List<String> once = List.of("decide", "planned", "write by manager", "executed", "in effect");
        for (ObjectChange other : List.of(unseen, ofAnother, ofAnotherKind)) {
            decision = new Decision.Change(OWNER, other, "a", List.of(), Optional.empty());
            calls.clear();
            executor.apply("k");
            assertThat(calls).as(other.toString()).isEqualTo(once);
        }
        decision = new Decision.Change(OWNER, unseen.seenIn(new ObjectCache<>()), "a", List.of(), Optional.empty());
        calls.clear();
        executor.apply("k");
        assertThat(calls).containsExactly("decide", "planned", "write by manager", "decide", "planned", "executed",
                "in effect");
    }

    @Test
    void a_change_of_the_owner_that_it_always_needs_ends_after_twenty_tries() {
        ObjectChange update =
                ObjectChange.apply(MACHINE, OWNER.regarding().key(), Tree.of(Map.of())).seenIn(new ObjectCache<>());
        decision = new Decision.Change(OWNER, update, "a", List.of(), Optional.empty());
        executor(WriteLimits.of(100, Duration.ofMinutes(1))).apply("k");
        assertThat(calls).filteredOn("write by manager"::equals).hasSize(1);
        assertThat(calls).filteredOn("write by manager again"::equals).hasSize(19);
        assertThat(calls).endsWith("executed", "in effect");
    }
}
