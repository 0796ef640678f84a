package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.labelled;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.selector;
import static io.nodeward.core.rules.dedicated.Make.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MembersTest {
    private static final PodClaim KNOWN = new PodClaim(false, new ObjectKey("n", "known"));
    private static final PodClaim TEMPLATE = new PodClaim(true, new ObjectKey("n", "known"));
    private static final MemberFacts FACTS = new MemberFacts(
            Map.of("n", Map.of("team", "a"), "m", Map.of("team", "b")),
            claim -> claim.equals(KNOWN) ? Optional.of(Set.of(Set.of("gpu"), Set.of("nic"), Set.of("big", "small")))
                    : Optional.empty(),
            Set.of());
    private static final CandidatePod POD = pod("n/p", "");

    @Test
    void a_namespace_makes_all_its_pods_members() {
        assertThat(admits(who(List.of("m", "n"), List.of(), List.of(), List.of()), POD)).isTrue();
        assertThat(admits(who(List.of("m"), List.of(), List.of(), List.of()), POD)).isFalse();
    }

    @Test
    void labels_of_a_namespace_do_too() {
        Who team = new Who(List.of(), Optional.of(selector("team", "a")), List.of(), Optional.empty(), List.of(),
                List.of());
        assertThat(admits(team, POD)).isTrue();
        assertThat(admits(team, pod("m/p", ""))).isFalse();
        assertThat(admits(team, pod("unknown/p", ""))).isFalse();
    }

    @Test
    void a_service_account_is_one_of_its_namespace() {
        Who build = who(List.of(), List.of(new ObjectKey("n", "build")), List.of(), List.of());
        assertThat(admits(build, with(POD, "build", Set.of()))).isTrue();
        assertThat(admits(build, POD)).isFalse();
        assertThat(admits(build, with(pod("m/p", ""), "build", Set.of()))).isFalse();
    }

    @Test
    void labels_of_a_pod_make_it_a_member_in_any_namespace() {
        Who labelled = new Who(List.of(), Optional.empty(), List.of(), Optional.of(selector("app", "x")), List.of(),
                List.of());
        assertThat(admits(labelled, labelled("m/p", "app", "x"))).isTrue();
        assertThat(admits(labelled, labelled("m/p", "app", "y"))).isFalse();
    }

    @Test
    void a_request_of_a_resource_makes_a_pod_a_member() {
        Who gpu = who(List.of(), List.of(), List.of("example.com/gpu"), List.of());
        assertThat(admits(gpu, with(POD, "default", Set.of("cpu", "example.com/gpu")))).isTrue();
        assertThat(admits(gpu, with(POD, "default", Set.of("cpu")))).isFalse();
    }

    @Test
    void a_claim_makes_a_pod_a_member_once_its_device_class_is_known() {
        Who gpu = who(List.of(), List.of(), List.of(), List.of("gpu"));
        Group group = group("g").who(gpu).ready();
        CandidatePod known = with(POD, "default", Set.of(), KNOWN);
        CandidatePod unknown = with(POD, "default", Set.of(), TEMPLATE);
        assertThat(group.membership(known, FACTS).is()).isTrue();
        assertThat(group.membership(known, FACTS).byClaims()).isFalse();
        assertThat(group.membership(unknown, FACTS).is()).isFalse();
        assertThat(group.membership(unknown, FACTS).byClaims()).isTrue();
        assertThat(group.membership(with(POD, "default", Set.of(), TEMPLATE, KNOWN), FACTS).byClaims()).isFalse();
        assertThat(group.membership(POD, FACTS).byClaims()).isFalse();
        assertThat(admits(who(List.of(), List.of(), List.of(), List.of("disk")), known)).isFalse();
    }

    @Test
    void alternatives_make_a_member_if_each_of_them_does() {
        CandidatePod pod = with(POD, "default", Set.of(), KNOWN);
        assertThat(admits(who(List.of(), List.of(), List.of(), List.of("big", "small")), pod)).isTrue();
        for (String one : List.of("big", "small")) {
            assertThat(admits(who(List.of(), List.of(), List.of(), List.of(one)), pod)).as(one).isFalse();
        }
    }

    @Test
    void a_claim_that_is_known_to_ask_for_something_else_is_not_awaited() {
        Group disk = group("g").who(who(List.of(), List.of(), List.of(), List.of("disk"))).ready();
        assertThat(disk.membership(with(POD, "default", Set.of(), KNOWN), FACTS).byClaims()).isFalse();
    }

    @Test
    void a_group_without_device_classes_awaits_no_claim() {
        Group group = group("g").ready();
        assertThat(group.membership(with(POD, "default", Set.of(), TEMPLATE), FACTS).byClaims()).isFalse();
    }

    @Test
    void nobody_is_a_member_of_nobody() {
        assertThat(admits(Who.NONE, with(labelled("n/p", "a", "b"), "default", Set.of("cpu"), KNOWN))).isFalse();
    }

    @Test
    void a_shared_group_declares_no_pod() {
        Make shared = Make.shared("s").who(who(List.of("n"), List.of(), List.of(), List.of("gpu")));
        assertThat(shared.ready().membership(POD, FACTS).is()).isFalse();
        assertThat(shared.ready().membership(with(pod("m/p", ""), "default", Set.of(), TEMPLATE), FACTS).byClaims())
                .isFalse();
    }

    private static boolean admits(Who who, CandidatePod pod) {
        return group("g").who(who).ready().membership(pod, FACTS).is();
    }

    private static Who who(
            List<String> namespaces, List<ObjectKey> accounts, List<String> resources, List<String> classes) {
        return new Who(namespaces, Optional.empty(), accounts, Optional.empty(), resources, classes);
    }
}
