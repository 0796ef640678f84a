package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.facts;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.members;
import static io.nodeward.core.rules.dedicated.Make.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The groups that count for pods when Nodeward answers reviews and has not compared the groups yet. */
class DeclaredTest {
    private static final Make WARNED = group("g").mode(EnforcementMode.Warn);

    @Test
    void a_group_that_opens_no_nodes_counts_for_new_pods_alone() {
        Declared declared = Declared.of(List.of(WARNED.declared()), Optional.empty(), members());
        assertThat(declared.ofNewPods().all()).containsExactly(WARNED.ready());
        assertThat(declared.ofStoredPods().all()).isEmpty();
    }

    @Test
    void a_group_does_not_count_whose_taint_another_group_has_or_declares() {
        Make other = group("other").taint("dedicated", "g", DedicatedEffect.NoSchedule);
        assertThat(ofNewPods(WARNED.declared(), other.established())).containsExactly("other");
        assertThat(ofNewPods(WARNED.declared(), other.declared())).as("without a status, as after a restore").isEmpty();
        assertThat(ofNewPods(WARNED.declared(), other.mode(EnforcementMode.Audit).declared()))
                .containsExactly("other");
        assertThat(ofNewPods(WARNED.declared(), other.mode(EnforcementMode.Audit).over(other)))
                .as("it gives its Nodes up").containsExactly("other");
    }

    @Test
    void an_edit_of_a_group_in_force_waits_for_the_comparison() {
        assertThat(Declared.of(List.of(WARNED.over(group("g").names("bar"))), Optional.empty(), members())
                .ofNewPods().all()).containsExactly(group("g").names("bar").ready());
    }

    @Test
    void a_group_that_was_made_after_a_comparison_waits_for_the_next() {
        Resolution none = Make.resolution(List.of(), facts(List.of(node("bar"))));
        assertThat(Declared.of(List.of(WARNED.declared()), Optional.of(none), members()).ofNewPods().all()).isEmpty();
        assertThat(Declared.of(List.of(WARNED.declared()), Optional.empty(), members()).comparedWith(none).ofNewPods()
                .all()).isEmpty();
    }

    @Test
    void the_version_that_was_compared_counts_until_an_edit_has_been_compared_too() {
        Resolution last = Make.resolution(List.of(WARNED.declared()), facts(List.of(node("bar"))));
        DeclaredGroup edited = WARNED.names("bar").declared();
        assertThat(ofNewPods(last, edited)).containsExactly(WARNED.ready());
        assertThat(ofNewPods(last, WARNED.mode(EnforcementMode.Audit).declared())).as("it only counts from now on")
                .containsExactly(WARNED.mode(EnforcementMode.Audit).ready());
        Make guest = group("other").taint("dedicated", "g", DedicatedEffect.NoSchedule);
        assertThat(Declared.of(List.of(edited, guest.established()), Optional.of(last), members()).ofNewPods().all())
                .as("another group has its taint now").containsExactly(guest.ready());
        Resolution audited = Make.resolution(List.of(WARNED.mode(EnforcementMode.Audit).declared()),
                facts(List.of(node("bar"))));
        assertThat(ofNewPods(audited, edited)).as("it did nothing before").isEmpty();
    }

    private static List<Group> ofNewPods(Resolution last, DeclaredGroup group) {
        return Declared.of(List.of(group), Optional.of(last), members()).ofNewPods().all();
    }

    private static List<String> ofNewPods(DeclaredGroup... groups) {
        return Declared.of(List.of(groups), Optional.empty(), members()).ofNewPods().all().stream().map(Group::name)
                .distinct().toList();
    }
}
