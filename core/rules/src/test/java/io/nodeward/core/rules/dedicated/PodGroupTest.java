package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.members;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.selector;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static io.nodeward.core.rules.dedicated.Make.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.Selector;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.dedicated.PodGroup.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a group is to a pod. */
class PodGroupTest {
    private static final Toleration BANANA = Toleration.equalTo("dedicated", "banana", "");
    private static final Make ON_N1 = group("banana").names("n1");
    private static final Map<State, String> STATES =
            Map.of(State.IN_FORCE, " ", State.WAITS, ", waits ", State.CONFLICT, ", conflict ");

    @Test
    void a_member_is_told_whether_it_tolerates_the_taint() {
        assertThat(of(pod("banana/p", ""), ON_N1.established()))
                .isEqualTo("banana Enforce MEMBER it does not tolerate dedicated=banana");
        assertThat(of(pod("banana/p", "", BANANA), ON_N1.established()))
                .isEqualTo("banana Enforce MEMBER it tolerates dedicated=banana");
    }

    @Test
    void a_member_of_an_exclusive_group_is_for_its_nodes_alone_once_that_is_enforced() {
        assertThat(of(pod("banana/p", "", BANANA), ON_N1.exclusive().established())).isEqualTo(
                "banana Enforce MEMBER it tolerates dedicated=banana, and is for Nodes of the group alone");
        assertThat(of(pod("banana/p", "", BANANA), ON_N1.exclusive().mode(EnforcementMode.Audit).declared()))
                .isEqualTo("banana Audit MEMBER it tolerates dedicated=banana");
    }

    @Test
    void others_are_told_whose_nodes_they_are_and_whether_they_get_there_all_the_same() {
        assertThat(of(pod("other/p", ""), ON_N1.established()))
                .isEqualTo("banana Enforce NO_MEMBER they are for pods of namespace banana");
        assertThat(of(pod("other/p", "", BANANA), ON_N1.established())).isEqualTo("banana Enforce NO_MEMBER they are"
                + " for pods of namespace banana; it tolerates dedicated=banana all the same");
    }

    @Test
    void groups_of_other_pods_matter_where_they_have_a_node_that_is_asked_about() {
        assertThat(of(pod("other/p", ""), group("banana").names("n2").established())).isEmpty();
        assertThat(of(pod("banana/p", ""), group("banana").names("n2").established())).contains("MEMBER");
    }

    @Test
    void one_that_is_to_be_enforced_waits_until_it_is() {
        assertThat(of(pod("banana/p", "", BANANA), ON_N1.exclusive().declared()))
                .isEqualTo("banana Warn, waits MEMBER it tolerates dedicated=banana");
        assertThat(of(pod("other/p", ""), group("cherry").names("n2").over(ON_N1)))
                .as("what is in force counts, not what is edited")
                .isEqualTo("cherry Enforce NO_MEMBER they are for pods of namespace banana");
    }

    @Test
    void of_a_taint_that_no_node_gets_the_fault_is_told_and_nothing_about_tolerations() {
        Make reserved = ON_N1.taint("node.kubernetes.io/x", "", DedicatedEffect.NoSchedule);
        String fault = "spec.taint.key: another controller sets and removes node.kubernetes.io/x";
        assertThat(of(pod("banana/p", ""), reserved.declared())).isEqualTo("banana Warn, conflict MEMBER " + fault);
        assertThat(of(pod("other/p", ""), reserved.established()))
                .isEqualTo("banana Enforce NO_MEMBER they are for pods of namespace banana; " + fault);
        assertThat(of(pod("banana/p", ""), reserved.mode(EnforcementMode.Audit).declared()))
                .isEqualTo("banana Audit MEMBER " + fault);
    }

    @Test
    void one_that_contradicts_another_does_not_wait_and_says_why() {
        Make plum = group("plum").names("n1");
        assertThat(of(pod("plum/p", ""), plum.declared()))
                .isEqualTo("plum Warn, conflict MEMBER it does not tolerate dedicated=plum; another has n1");
        assertThat(of(pod("other/p", ""), plum.declared()))
                .isEqualTo("plum Warn, conflict NO_MEMBER they are for pods of namespace plum; another has n1");
        assertThat(of(pod("plum/p", ""), plum.established())).as("it is in force, the other is not")
                .isEqualTo("plum Enforce MEMBER it does not tolerate dedicated=plum");
        assertThat(of(pod("plum/p", ""), plum.mode(EnforcementMode.Audit).declared())).as("it only counts")
                .isEqualTo("plum Audit MEMBER it does not tolerate dedicated=plum");
    }

    @Test
    void the_shared_group_is_for_pods_of_no_other_that_is_in_force() {
        assertThat(of(pod("other/p", ""), shared("rest").established()))
                .isEqualTo("rest Enforce MEMBER it does not tolerate dedicated=rest");
        assertThat(of(pod("banana/p", ""), shared("rest").established(), group("banana").names("n2").established()))
                .contains("banana Enforce MEMBER", "rest Enforce NO_MEMBER they are for pods of no other group");
        assertThat(of(pod("banana/p", ""), shared("rest").established(), group("banana").names("n2").declared()))
                .contains("banana Warn, waits MEMBER", "rest Enforce MEMBER");
    }

    @Test
    void claims_that_are_not_known_decide_nothing() {
        Make gpu = group("gpu").who(who(Optional.empty(), "gpu.example.com"));
        CandidatePod claiming = with(pod("other/p", ""), "default", Set.of(),
                new PodClaim(false, new ObjectKey("other", "c")));
        String open = "MAY_BE_MEMBER its claims of devices, not known here, decide";
        assertThat(of(claiming, gpu.established())).isEqualTo("gpu Enforce " + open);
        assertThat(of(claiming, gpu.established(), shared("rest").established()))
                .isEqualTo("gpu Enforce " + open + "\nrest Enforce " + open);
        assertThat(of(claiming, gpu.declared(), shared("rest").established())).as("not in force yet")
                .contains("rest Enforce MEMBER");
        assertThat(of(pod("other/p", ""), gpu.established())).as("without claims").isEmpty();
    }

    @Test
    void labels_of_a_namespace_that_is_not_known_decide_nothing() {
        Make fruit = group("banana").who(who(Optional.of(selector("team", "fruit"))));
        assertThat(of(pod("other/p", ""), fruit.established()))
                .isEqualTo("banana Enforce MAY_BE_MEMBER the labels of its namespace, not known here, decide");
        assertThat(of(pod("banana/p", ""), fruit.established())).as("by its name").contains("Enforce MEMBER");
        assertThat(of(pod("other/p", ""), Map.of("other", Map.of("team", "fruit")), fruit.established()))
                .contains("Enforce MEMBER");
        assertThat(of(pod("other/p", ""), Map.of("other", Map.of()), fruit.names("n1").established()))
                .contains("Enforce NO_MEMBER");
    }

    private static Who who(Optional<Selector> namespaces, String... classes) {
        return new Who(List.of("banana"), namespaces, List.of(), Optional.empty(), List.of(), List.of(classes));
    }

    private static String of(CandidatePod pod, DeclaredGroup... groups) {
        return of(pod, Map.of(), groups);
    }

    /** Asked about Node n1, a line for each group. */
    private static String of(
            CandidatePod pod, Map<String, Map<String, String>> namespaces, DeclaredGroup... groups) {
        Node asked = node("n1", Taint.of("other", "", "NoSchedule"));
        Map<String, String> conflicts = Map.of("plum", "another has n1");
        return PodGroup.of(pod, List.of(groups), conflicts, members(namespaces), List.of(asked)).stream()
                .map(of -> of.group().name() + " " + of.group().spec().enforcement() + STATES.get(of.state())
                        + of.relation() + " " + of.because())
                .reduce((one, other) -> one + "\n" + other).orElse("");
    }
}
