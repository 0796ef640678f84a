package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.daemon;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.groups;
import static io.nodeward.core.rules.dedicated.Make.members;
import static io.nodeward.core.rules.dedicated.Make.mirror;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GroupsTest {
    private static final Groups GROUPS = groups(
            shared("shared"),
            group("banana").names("foo", "both"),
            group("apple").names("both").namespaces("apple", "banana"),
            group("warned").names("idle", "foo").mode(EnforcementMode.Warn));

    @Test
    void a_node_is_of_all_groups_that_select_it_by_name() {
        assertThat(of(node("both"))).containsExactly("apple", "banana");
        assertThat(of(node("foo"))).containsExactly("banana");
    }

    @Test
    void a_node_that_no_enforced_group_selects_is_of_the_shared_one() {
        assertThat(of(node("bar"))).containsExactly("shared");
        assertThat(of(node("idle"))).containsExactly("shared");
        assertThat(groups(group("banana").names("foo")).of(node("bar"))).isEmpty();
        assertThat(groups(shared("shared").mode(EnforcementMode.Warn)).of(node("bar"))).isEmpty();
    }

    @Test
    void a_control_plane_is_of_no_shared_group_and_may_be_of_others() {
        assertThat(of(node("bar", Map.of("node-role.kubernetes.io/control-plane", ""), Map.of()))).isEmpty();
        assertThat(of(node("bar", Taint.of("node-role.kubernetes.io/control-plane", "", "NoSchedule")))).isEmpty();
        assertThat(of(node("bar", Map.of("node-role.kubernetes.io/master", ""), Map.of()))).isEmpty();
        assertThat(of(node("foo", Map.of("node-role.kubernetes.io/control-plane", ""), Map.of())))
                .containsExactly("banana");
        assertThat(of(node("bar", Map.of("node-role.kubernetes.io/worker", ""), Map.of()))).containsExactly("shared");
    }

    @Test
    void a_pod_is_of_all_groups_that_admit_it() {
        assertThat(of(pod("banana/p", ""))).containsExactly("apple", "banana");
        assertThat(of(pod("apple/p", ""))).containsExactly("apple");
    }

    @Test
    void a_pod_for_which_no_enforced_group_has_nodes_is_of_the_shared_one_too() {
        assertThat(of(pod("other/p", ""))).containsExactly("shared");
        assertThat(of(pod("warned/p", ""))).containsExactly("shared", "warned");
    }

    @Test
    void what_a_pod_says_of_its_owner_or_its_kubelet_makes_it_a_member_of_nothing_else() {
        assertThat(of(mirror("banana/p", "foo"))).containsExactly("apple", "banana");
        assertThat(of(daemon("kube-system/cni", "foo"))).containsExactly("shared");
        assertThat(of(daemon("apple/agent", "foo"))).containsExactly("apple");
    }

    @Test
    void a_group_takes_the_place_of_the_one_with_its_name() {
        Groups changed = GROUPS.with(group("banana").names("bar").ready());
        assertThat(names(changed.all())).containsExactly("apple", "banana", "shared", "warned");
        assertThat(names(changed.of(node("bar")))).containsExactly("banana");
        assertThat(names(changed.without("banana").all())).containsExactly("apple", "shared", "warned");
        assertThat(changed.find("apple")).map(Group::name).contains("apple");
        assertThat(changed.find("cherry")).isEmpty();
    }

    private static List<String> of(Node node) {
        return names(GROUPS.of(node));
    }

    private static List<String> of(CandidatePod pod) {
        return names(GROUPS.of(pod, members()));
    }

    private static List<String> names(List<Group> groups) {
        return groups.stream().map(Group::name).toList();
    }
}
