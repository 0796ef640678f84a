package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.selector;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.ClusterApiOwner;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.Selector;
import io.nodeward.api.dedicated.Selector.Expression;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.EvictionMode;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.dedicated.Finding.Reason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupTest {
    private static final String RESPECT =
            "spec.eviction: nobody evicts the pods, and a Node gets NoExecute when they are gone";

    private static final Node FOO = node("foo", Map.of("pool", "a", "zone", "z"), Map.of(
            "cluster.x-k8s.io/cluster-name", "c", "cluster.x-k8s.io/cluster-namespace", "fleet",
            "cluster.x-k8s.io/owner-kind", "MachineSet", "cluster.x-k8s.io/owner-name", "ms",
            "cluster.x-k8s.io/machine", "m"));

    @Test
    void a_node_is_selected_by_name_by_label_or_by_owner() {
        assertThat(group("g").names("bar", "foo").ready().selects(FOO)).isTrue();
        assertThat(group("g").names("bar").ready().selects(FOO)).isFalse();
        assertThat(group("g").names("bar").labelled(selector("pool", "a")).ready().selects(FOO)).isTrue();
        assertThat(group("g").names("bar").labelled(selector("pool", "b")).ready().selects(FOO)).isFalse();
        assertThat(group("g").owner(owner("", "", "", "", "m")).ready().selects(FOO)).isTrue();
        assertThat(group("g").ready().selects(FOO)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(emptyValue = "", value = {
            "'', c, '', '', '', true",
            "fleet, c, MachineSet, ms, m, true",
            "other, c, MachineSet, ms, m, false",
            "fleet, other, MachineSet, ms, m, false",
            "fleet, c, MachinePool, ms, m, false",
            "fleet, c, MachineSet, other, m, false",
            "fleet, c, MachineSet, ms, other, false"
    })
    void an_owner_is_the_same_in_all_that_is_named(
            String namespace, String cluster, String kind, String name, String machine, boolean selected) {
        Group group = group("g").owner(owner(namespace, cluster, kind, name, machine)).ready();
        assertThat(group.selects(FOO)).isEqualTo(selected);
        assertThat(group.selects(node("foo"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
            "pool, In, a, true",
            "pool, In, b, false",
            "pool, NotIn, b, true",
            "pool, NotIn, a, false",
            "pool, NotIn, , false",
            "none, NotIn, , false",
            "pool, Exists, , true",
            "none, Exists, , false",
            "none, DoesNotExist, , true",
            "pool, DoesNotExist, , false",
            "pool, in, a, false",
            "none, Equals, , false"
    })
    void an_expression_selects_as_kubernetes_does_and_nothing_if_it_cannot_be_used(
            String key, String operator, String value, boolean selected) {
        Expression expression = new Expression(key, operator, value == null ? List.of() : List.of(value));
        Group group = group("g").labelled(new Selector(Map.of("zone", "z"), List.of(expression))).ready();
        assertThat(group.selects(FOO)).isEqualTo(selected);
        assertThat(group("g").labelled(new Selector(Map.of("zone", "y"), List.of(expression))).ready().selects(FOO))
                .isFalse();
    }

    @Test
    void a_shared_group_declares_no_node() {
        assertThat(shared("s").names("foo").ready().selects(FOO)).isFalse();
    }

    @Test
    void nodes_get_the_three_effects_that_they_accept() {
        assertThat(group("g").effects(DedicatedEffect.NoScheduleNoAdmitNoExecute, DedicatedEffect.PreferNoSchedule)
                .ready().taints()).containsExactly(
                        Taint.of("dedicated", "g", "NoExecute"),
                        Taint.of("dedicated", "g", "NoSchedule"),
                        Taint.of("dedicated", "g", "PreferNoSchedule"));
        assertThat(group("g").effects(DedicatedEffect.NoScheduleNoAdmit).ready().taints())
                .containsExactly(Taint.of("dedicated", "g", "NoSchedule"));
    }

    @Test
    void its_toleration_holds_for_all_effects_and_its_label_is_one_that_no_kubelet_sets() {
        Group group = group("g").taint("example.com/team", "x", DedicatedEffect.NoExecute).ready();
        assertThat(group.toleration()).isEqualTo(Toleration.equalTo("example.com/team", "x", ""));
        assertThat(group.labelKey()).isEqualTo("example.com.node-restriction.kubernetes.io/team");
        assertThat(group("g").ready().labelKey()).isEqualTo("node-restriction.kubernetes.io/dedicated");
    }

    @ParameterizedTest
    @CsvSource(emptyValue = "", nullValues = "null", value = {
            "dedicated, Equal, g, '', true",
            "dedicated, Exists, '', NoSchedule, true",
            "'', Exists, '', '', true",
            "dedicated, Equal, g, NoExecute, false",
            "dedicated, Equal, h, '', false",
            "other, Exists, '', '', false"
    })
    void it_is_tolerated_as_any_taint_is(String key, String operator, String value, String effect, boolean tolerated) {
        Toleration toleration = new Toleration(key, operator, value, effect, OptionalLong.empty());
        assertThat(group("g").ready().isToleratedBy(List.of(toleration))).isEqualTo(tolerated);
        assertThat(group("g").ready().isToleratedBy(List.of())).isFalse();
    }

    @Test
    void a_number_is_tolerated_by_a_comparison_which_a_server_may_have_learnt_to_make() {
        Group fifty = group("g").taint("dedicated", "50", DedicatedEffect.NoSchedule).ready();
        assertThat(fifty.isToleratedBy(List.of(new Toleration("dedicated", "Gt", "40", "", OptionalLong.empty()))))
                .isTrue();
        assertThat(fifty.isToleratedBy(List.of(new Toleration("dedicated", "Gt", "50", "", OptionalLong.empty()))))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", value = {
            "dedicated                          | g   | ''",
            "a b                                | g   | spec.taint: no Node accepts a b=g",
            "dedicated                          | g-  | spec.taint: no Node accepts dedicated=g-",
            "node.cluster.x-k8s.io/uninitialized| g   | spec.taint.key: another controller sets and removes"
                    + " node.cluster.x-k8s.io/uninitialized",
            "node.kubernetes.io/not-ready       | g   | spec.taint.key: another controller sets and removes"
                    + " node.kubernetes.io/not-ready",
            "ToBeDeletedByClusterAutoscaler     | g   | spec.taint.key: the cluster-autoscaler sets, removes or ignores"
                    + " taints with the key ToBeDeletedByClusterAutoscaler",
            "DeletionCandidateOfClusterAutoscaler| g  | spec.taint.key: the cluster-autoscaler sets, removes or ignores"
                    + " taints with the key DeletionCandidateOfClusterAutoscaler",
            "ignore-taint.cluster-autoscaler.kubernetes.io/a| g | spec.taint.key: the cluster-autoscaler sets, removes or"
                    + " ignores taints with the key ignore-taint.cluster-autoscaler.kubernetes.io/a",
            "node-role.kubernetes.io/control-plane| g | spec.taint.key: Nodes of control planes are recognized by"
                    + " node-role.kubernetes.io/control-plane",
            "node-role.kubernetes.io/master     | g   | spec.taint.key: Nodes of control planes are recognized by"
                    + " node-role.kubernetes.io/master",
            "node.kubernetes.io/out-of-service  | g   | spec.taint.key: another controller sets and removes"
                    + " node.kubernetes.io/out-of-service",
            "node.cloudprovider.kubernetes.io/uninitialized| g | spec.taint.key: another controller sets and removes"
                    + " node.cloudprovider.kubernetes.io/uninitialized",
            "nodeward/dedicated-nodes-digest    | g   | spec.taint.key: Nodeward itself uses the label of"
                    + " nodeward/dedicated-nodes-digest",
            "node-role.kubernetes.io/infra      | g   | ''",
            "a.example.com/cluster-autoscaler   | g   | ''"
    })
    void a_taint_that_no_node_can_have_is_a_fault(String key, String value, String fault) {
        Group group = group("g").taint(key, value, DedicatedEffect.NoSchedule).ready();
        assertThat(group.fault().orElse("")).isEqualTo(fault);
        assertThat(group.taints().isEmpty()).isEqualTo(!fault.isEmpty());
    }

    @Test
    void a_domain_may_be_so_long_that_the_label_has_room() {
        String longest = ("a.".repeat(111)).substring(0, 221) + "b";
        assertThat(longest).hasSize(222);
        assertThat(group("g").taint(longest + "/x", "", DedicatedEffect.NoSchedule).ready().fault()).isEmpty();
        Group longer = group("g").taint("c" + longest + "/x", "", DedicatedEffect.NoSchedule).ready();
        assertThat(longer.fault()).hasValueSatisfying(fault -> assertThat(fault)
                .startsWith("spec.taint.key: its domain is too long for the label ca.a."));
    }

    @Test
    void a_taint_without_an_effect_is_a_fault() {
        assertThat(group("g").effects().ready().fault()).contains("spec.taint.effects: none is known");
    }

    @Test
    void an_effect_that_this_version_does_not_know_is_a_fault() {
        assertThat(group("g").unknownEffect("NoRun").ready().fault())
                .contains("spec.taint.effects: this version does not know NoRun");
    }

    @Test
    void a_way_to_evict_that_this_version_does_not_know_is_a_fault() {
        Group group = group("g").effects(DedicatedEffect.NoExecute)
                .evicting(new EvictionMode("Ask", OptionalLong.empty())).ready();
        assertThat(group.fault()).contains("spec.eviction: this version does not know Ask");
        assertThat(group.taints()).isEmpty();
    }

    @Test
    void a_group_may_respect_budgets() {
        assertThat(group("g").respecting().ready().fault()).isEmpty();
    }

    @Test
    void what_a_kubelet_or_an_author_of_pods_could_set_is_a_finding() {
        assertThat(group("g").names("foo").ready().findings(PodFeatures.NONE)).isEmpty();
        assertThat(group("g").labelled(selector("node-restriction.kubernetes.io/a", "b")).ready()
                .findings(PodFeatures.NONE))
                .isEmpty();
        assertThat(group("g").labelled(new Selector(Map.of("pool", "a"), List.of(
                new Expression("kubernetes.io/os", "Exists", List.of()),
                new Expression("kubernetes.io/os", "In", List.of("linux")),
                new Expression("node-role.kubernetes.io/infra", "Exists", List.of())))).ready()
                .findings(PodFeatures.NONE))
                .containsExactly(new Finding(Reason.SelectorNotTrusted,
                        "spec.nodes.selector: a kubelet may set these labels of its own Node: kubernetes.io/os, pool"));
        assertThat(group("g").owner(owner("", "c", "", "", "")).ready().findings(PodFeatures.NONE))
                .containsExactly(new Finding(Reason.SelectorNotTrusted,
                        "spec.nodes.owner: a kubelet may set annotations of its own Node"));
        assertThat(group("g").who(new Who(List.of(), Optional.empty(), List.of(), Optional.of(selector("a", "b")),
                List.of(), List.of())).ready().findings(PodFeatures.NONE))
                .containsExactly(new Finding(Reason.PodSelectorNotTrusted,
                        "spec.who.podSelector: anyone who creates a pod chooses its labels"));
    }

    @Test
    void what_is_declared_and_nothing_acts_on_yet_is_one_finding_field_by_field() {
        Make all = group("g").exclusive().respecting().mode(EnforcementMode.Warn)
                .effects(DedicatedEffect.NoScheduleNoAdmitNoExecute).who(new Who(List.of(), Optional.empty(), List.of(),
                        Optional.empty(), List.of(), List.of("gpu")));
        assertThat(all.ready().findings(PodFeatures.NONE)).containsExactly(new Finding(Reason.FieldsNotInEffect,
                "spec.enforcement: Warn does what Audit does; spec.exclusive: no pod is refused or moved; "
                        + "spec.taint.effects: nothing stops a pod that has "
                        + "spec.nodeName; spec.who.deviceClasses: claims of devices are not read; "
                        + RESPECT));
        assertThat(all.ready().findings(new PodFeatures(true, false))).as("with a webhook for pods")
                .containsExactly(new Finding(Reason.FieldsNotInEffect, RESPECT));
        assertThat(group("g").effects(DedicatedEffect.NoScheduleNoAdmitNoExecute).ready().findings(PodFeatures.NONE))
                .singleElement().extracting(Finding::message).asString().startsWith("spec.taint.effects: ")
                .doesNotContain(";");
        assertThat(group("g").mode(EnforcementMode.Audit).effects(DedicatedEffect.NoExecute).ready()
                .findings(PodFeatures.NONE))
                .isEmpty();
        assertThat(group("g").respecting().effects(DedicatedEffect.NoSchedule).ready().findings(PodFeatures.NONE))
                .as("it evicts nobody").isEmpty();
        assertThat(group("g").evicting(new EvictionMode(EvictionMode.RESPECT, OptionalLong.of(1)))
                .effects(DedicatedEffect.NoExecute).ready().findings(PodFeatures.NONE)).containsExactly(new Finding(
                        Reason.FieldsNotInEffect, RESPECT + "; spec.deadlineSeconds: nobody evicts a pod after it"));
    }

    private static ClusterApiOwner owner(String namespace, String cluster, String kind, String name, String machine) {
        return new ClusterApiOwner(namespace, cluster, kind, name, machine);
    }
}
