package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.members;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.EnforcementMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What groups come to once nothing changes any more. */
class ConvergenceTest {
    private static final List<String> NODES = List.of("a1", "b1", "b2", "c1", "c2");
    private static final Make A = group("a").names("a1", "b1");
    private static final Make B = group("b").names("b2", "c1");
    private static final Make C = group("c").names("c1", "c2");

    @Test
    void each_group_that_makes_room_lets_the_next_come_into_force() {
        Convergence end = of(false, List.of(A.declared(), B.over(group("b").names("b1", "b2")), C.names("c2").over(C)));
        assertThat(refused(end)).isEmpty();
        assertThat(end.resolution().groups().all()).extracting(Group::spec)
                .containsExactly(A.spec(), B.spec(), C.names("c2").spec());
        assertThat(end.resolution().byName().values()).allMatch(each -> each.conflicts().isEmpty());
    }

    @Test
    void what_contradicts_another_for_good_stays_refused_with_its_reason() {
        Convergence end = of(false, List.of(A.declared(), B.over(group("b").names("b1", "b2")), C.established()));
        assertThat(refused(end)).containsExactly("a", "b");
        assertThat(end.resolution().find("a").orElseThrow().conflicts()).extracting(Conflict::message)
                .containsExactly("DedicatedNodes b has Node b1 too, with the taint dedicated=b");
    }

    @Test
    void pods_of_each_group_get_their_tolerations_before_it_comes_into_force() {
        CandidatePod[] pods = {pod("a/p", "a1"), pod("b/p", "b2"), pod("other/p", "a1")};
        Convergence end = of(true, List.of(A.declared(), B.over(group("b").names("b1", "b2")), C.names("c2").over(C)),
                pods);
        assertThat(refused(end)).isEmpty();
        assertThat(end.cluster().all()).extracting(each -> each.pod().tolerations()).containsExactly(
                List.of(A.ready().toleration()), List.of(B.ready().toleration()), List.of());
        assertThat(of(false, List.of(A.declared()), pods).cluster().all()).containsExactly(pods);
    }

    @Test
    void the_shared_group_comes_into_force_once_all_pods_have_its_toleration() {
        List<DeclaredGroup> groups = List.of(shared("s").declared());
        Convergence given = of(true, groups, pod("other/p", "a1"));
        assertThat(refused(given)).isEmpty();
        assertThat(given.cluster().all().getFirst().pod().tolerations())
                .containsExactly(shared("s").ready().toleration());
        assertThat(refused(of(false, groups, pod("other/p", "a1")))).containsExactly("s");
    }

    @Test
    void groups_that_only_count_change_nothing() {
        Make audit = A.mode(EnforcementMode.Audit);
        Convergence end = of(true, List.of(audit.declared()), pod("a/p", "a1"));
        assertThat(end.resolution().groups().all()).isEmpty();
        assertThat(end.cluster().all()).containsExactly(pod("a/p", "a1"));
        assertThat(of(true, List.of()).resolution().byName()).isEmpty();
    }

    private static Convergence of(boolean tolerationsGiven, List<DeclaredGroup> declared, CandidatePod... pods) {
        NodeSets nodes = new NodeSets(NODES.stream().map(name -> node(name)).toList());
        return Convergence.of(declared, new ListedCluster(nodes, List.of(pods), members()),
                new PodFeatures(false, tolerationsGiven));
    }

    private static List<String> refused(Convergence end) {
        return end.resolution().byName().values().stream().filter(each -> !each.accepted())
                .map(each -> each.declared().name()).toList();
    }
}
