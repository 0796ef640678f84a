package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.daemon;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.groups;
import static io.nodeward.core.rules.dedicated.Make.members;
import static io.nodeward.core.rules.dedicated.Make.mirror;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.selector;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static io.nodeward.core.rules.dedicated.Make.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClusterApiOwner;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.Vectors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PodRefusalsTest {
    private static final Author JANE = new Author("jane");
    private static final Author DAEMON_SETS = new Author("system:serviceaccount:kube-system:daemon-set-controller");
    private static final Toleration BANANA = Toleration.equalTo("dedicated", "banana", "");
    private static final Toleration ANYTHING = new Toleration("", "Exists", "", "", OptionalLong.empty());
    private static final Make GROUP = group("banana").names("foo", "later");
    private static final Map<String, Node> NODES = Map.of("foo", node("foo"), "bar", node("bar"),
            "cp", node("cp", Map.of("node-role.kubernetes.io/control-plane", ""), Map.of()));
    private static final String ON_FOO = "[{'matchFields':[{'key':'metadata.name','operator':'In','values':['foo']}]}]";

    @Test
    void a_toleration_of_another_groups_taint_is_refused_with_who_may() {
        assertThat(created(pod("cherry/p", "", Toleration.exists("x", ""), BANANA), GROUP).message()).contains(
                "DedicatedNodes banana is for pods of namespace banana: spec.tolerations[1] tolerates its taint");
        assertThat(created(pod("banana/p", "", BANANA), GROUP).all()).isEmpty();
        assertThat(created(pod("cherry/p", "", Toleration.equalTo("dedicated", "cherry", "")), GROUP).all()).isEmpty();
        assertThat(created(pod("cherry/p", ""), GROUP).all()).isEmpty();
    }

    @Test
    void one_without_a_key_tolerates_the_taints_of_all_groups() {
        PodRefusals refusals = created(pod("cherry/p", "", ANYTHING), IntStream.range(0, 7)
                .mapToObj(i -> group("g" + i)).toArray(Make[]::new));
        assertThat(refusals.all()).hasSize(7);
        assertThat(refusals.message()).contains("DedicatedNodes g0 is for pods of namespace g0: spec.tolerations[0]"
                + " tolerates its taint; g1, g2, g3 and 3 more refuse it too");
    }

    @Test
    void what_a_pod_has_already_stays_and_what_it_gets_is_refused() {
        CandidatePod before = pod("cherry/p", "foo", BANANA);
        assertThat(updated(before, pod("cherry/p", "foo", BANANA, Toleration.exists("x", ""))).all()).isEmpty();
        assertThat(updated(pod("cherry/p", "foo"), before).message()).isPresent();
        assertThat(updated(pod("banana/p", "foo"), pod("banana/p", "foo", BANANA)).all()).isEmpty();
        assertThat(updated(pod("cherry/p", "", BANANA.forSeconds(5)), pod("cherry/p", "", BANANA)).message())
                .as("for longer than it had it").isPresent();
    }

    @Test
    void what_a_pod_tolerates_already_is_nothing_new_in_other_words_or_for_a_shorter_time() {
        Toleration evicted = Toleration.equalTo("dedicated", "banana", "NoExecute");
        Make evicting = GROUP.effects(DedicatedEffect.NoExecute);
        assertThat(updated(evicting, evicted.forSeconds(60), evicted.forSeconds(5)).all()).as("shortened").isEmpty();
        assertThat(updated(evicting, evicted, evicted.forSeconds(5)).all()).isEmpty();
        assertThat(updated(evicting, evicted.forSeconds(5), evicted.forSeconds(60)).all()).as("longer").hasSize(1);
        assertThat(updated(evicting, evicted.forSeconds(5), evicted).all()).as("for ever").hasSize(1);
        assertThat(updated(GROUP, ANYTHING, BANANA).all()).as("a part of it").isEmpty();
        assertThat(updated(GROUP, Toleration.exists("dedicated", "NoSchedule"), BANANA).all())
                .as("effects that its taint may get").hasSize(1);
    }

    @Test
    void the_taint_that_nodes_have_until_no_execute_is_confirmed_is_the_groups_too() {
        Make evicting = GROUP.effects(DedicatedEffect.NoExecute);
        Toleration scheduled = Toleration.equalTo("dedicated", "banana", "NoSchedule");
        assertThat(created(pod("cherry/p", "", scheduled), evicting).message()).isPresent();
        assertThat(created(pod("cherry/p", "", Toleration.equalTo("dedicated", "banana", "PreferNoSchedule")), evicting)
                .all()).isEmpty();
        assertThat(created(pod("cherry/p", "", Toleration.equalTo("dedicated", "banana", "NoExecute")), GROUP).all())
                .as("it has no NoExecute").isEmpty();
    }

    @ParameterizedTest
    @EnumSource(EnforcementMode.class)
    void who_gets_the_same_toleration_of_another_group_is_a_guest(EnforcementMode mode) {
        Make other = group("other").taint("dedicated", "banana", DedicatedEffect.NoExecute).names("bar").mode(mode);
        int refusals = mode == EnforcementMode.Audit ? 1 : 0;
        assertThat(created(pod("other/p", "", BANANA), GROUP, other).all()).hasSize(refusals);
        assertThat(created(pod("other/p", "foo"), GROUP, other).all()).hasSize(refusals);
        assertThat(created(pod("other/p", "", ANYTHING), GROUP, other, group("third")).all()).as("of other taints")
                .hasSize(refusals + 1);
        assertThat(created(pod("banana/p", "bar", BANANA), other, GROUP).all()).isEmpty();
        assertThat(created(pod("cherry/p", "", BANANA), GROUP, other).all()).as("of neither").hasSize(2);
    }

    @Test
    void a_node_without_the_scheduler_is_refused_whatever_the_pod_tolerates() {
        assertThat(created(pod("cherry/p", "foo"), GROUP).message())
                .contains("DedicatedNodes banana is for pods of namespace banana: spec.nodeName is its Node foo");
        assertThat(created(pod("cherry/p", "bar"), GROUP).all()).isEmpty();
        assertThat(created(pod("banana/p", "foo"), GROUP).all()).isEmpty();
        assertThat(created(pod("cherry/p", "later"), GROUP).message()).as("named before it joins").isPresent();
        assertThat(created(pod("cherry/p", "unknown"), GROUP, shared("rest")).all()).isEmpty();
        assertThat(created(pod("banana/p", "foo"), GROUP, group("cherry").names("foo")).message())
                .as("of two groups").hasValueSatisfying(text -> assertThat(text).startsWith("DedicatedNodes cherry"));
    }

    @Test
    void a_node_that_does_not_exist_may_become_one_of_a_group_that_does_not_go_by_names_alone() {
        CandidatePod stranger = pod("cherry/p", "to-come");
        String refused = "spec.nodeName is Node to-come, which does not exist and may become one of its Nodes";
        Make labelled = group("banana").labelled(selector("pool", "banana"));
        assertThat(created(stranger, labelled).message())
                .contains("DedicatedNodes banana is for pods of namespace banana: " + refused);
        assertThat(created(stranger, group("banana").owner(new ClusterApiOwner("", "", "MachineDeployment", "md", "")))
                .message())
                .isPresent();
        assertThat(created(pod("banana/p", "to-come"), labelled, shared("rest")).message())
                .contains("DedicatedNodes rest is for pods of no other group: " + refused);
        assertThat(created(stranger, labelled.mode(EnforcementMode.Warn)).warnings()).singleElement().asString()
                .endsWith(refused);
        assertThat(created(stranger, group("banana").names("foo")).all()).as("it has another name").isEmpty();
        assertThat(created(pod("cherry/p", "bar"), labelled).all()).as("it exists, without the label").isEmpty();
        assertThat(created(pod("cherry/p", ""), labelled).all()).as("the scheduler chooses").isEmpty();
        assertThat(created(pod("banana/p", "to-come"), labelled).all()).isEmpty();
        assertThat(created(pod("kube-system/p", "to-come"), labelled).all()).isEmpty();
    }

    @Test
    void whether_the_node_would_have_to_be_known_is_said_of_enforced_groups() {
        Make labelled = group("banana").labelled(selector("pool", "banana"));
        assertThat(created(pod("cherry/p", "to-come"), labelled).areForUnknownNode()).isTrue();
        assertThat(of(PodWrite.created(daemon("cherry/p", "", ANYTHING), DAEMON_SETS,
                tree(ON_FOO.replace("foo", "to-come"))), members(), labelled).areForUnknownNode()).isTrue();
        assertThat(created(pod("cherry/p", "to-come"), labelled.mode(EnforcementMode.Warn)).areForUnknownNode())
                .as("it only warns").isFalse();
        assertThat(created(pod("cherry/p", "later"), GROUP).areForUnknownNode()).as("the group names it").isFalse();
        assertThat(created(pod("cherry/p", "foo"), GROUP, labelled.mode(EnforcementMode.Enforce)).areForUnknownNode())
                .as("it is known").isFalse();
        assertThat(created(pod("cherry/p", "", ANYTHING), labelled).areForUnknownNode()).as("it has none").isFalse();
    }

    @Test
    void the_kubelet_and_the_daemonset_controller_may_be_quicker_than_the_node_is_known() {
        Make labelled = group("banana").labelled(selector("pool", "banana"));
        assertThat(of(PodWrite.created(mirror("cherry/p", "to-come"), new Author("system:node:to-come"), tree("[]")),
                members(), labelled).all()).isEmpty();
        String there = ON_FOO.replace("foo", "to-come");
        assertThat(of(PodWrite.created(daemon("cherry/p", ""), DAEMON_SETS, tree(there)), members(), labelled).all())
                .isEmpty();
        assertThat(of(PodWrite.created(daemon("cherry/p", "", ANYTHING), DAEMON_SETS, tree(there)), members(), labelled)
                .message()).as("it would get there").isPresent();
    }

    @Test
    void the_shared_group_has_the_nodes_and_pods_that_no_other_has() {
        Make rest = shared("rest");
        assertThat(created(pod("banana/p", "bar"), GROUP, rest).message())
                .contains("DedicatedNodes rest is for pods of no other group: spec.nodeName is its Node bar");
        assertThat(created(pod("other/p", "bar"), GROUP, rest).all()).isEmpty();
        assertThat(created(pod("banana/p", "foo"), GROUP, rest).all()).isEmpty();
        assertThat(created(pod("banana/p", "cp"), GROUP, rest).all()).as("the control plane is nobody's").isEmpty();
        assertThat(created(pod("banana/p", "bar"), GROUP, rest.mode(EnforcementMode.Audit)).all()).hasSize(1);
    }

    @Test
    void the_system_and_static_pods_may_run_everywhere() {
        assertThat(created(pod("kube-system/p", "foo", ANYTHING), GROUP).all()).isEmpty();
        CandidatePod mirror = mirror("cherry/p", "foo");
        assertThat(of(PodWrite.created(mirror, new Author("system:node:foo"), tree("[]")), members(), GROUP).all())
                .isEmpty();
        assertThat(of(PodWrite.created(mirror, new Author("system:node:bar"), tree("[]")), members(), GROUP).all())
                .hasSize(1);
        assertThat(created(mirror, GROUP).all()).as("who only says so").hasSize(1);
    }

    @Test
    void a_pod_of_a_daemonset_is_refused_on_nodes_of_the_group_alone() {
        CandidatePod pod = daemon("cherry/p", "", ANYTHING);
        assertThat(of(PodWrite.created(pod, DAEMON_SETS, tree(ON_FOO)), members(), GROUP).message()).contains(
                "DedicatedNodes banana is for pods of namespace banana: its DaemonSet makes it for Node foo");
        assertThat(of(PodWrite.created(pod, DAEMON_SETS, tree(ON_FOO.replace("foo", "bar"))), members(), GROUP).all())
                .isEmpty();
        assertThat(of(PodWrite.created(daemon("cherry/p", ""), DAEMON_SETS, tree(ON_FOO)), members(), GROUP).all())
                .as("it does not get there").isEmpty();
        assertThat(of(PodWrite.created(pod, JANE, tree(ON_FOO.replace("foo", "bar"))), members(), GROUP).all())
                .as("who only says so").hasSize(1);
        assertThat(of(PodWrite.created(pod("cherry/p", ""), JANE, tree(ON_FOO)), members(), GROUP).all())
                .as("who only prefers it is left to the scheduler").isEmpty();
        String both = ON_FOO.substring(0, ON_FOO.length() - 1) + "," + ON_FOO.substring(1).replace("foo", "bar");
        for (String none : List.of("[]", "[{}]", ON_FOO.replace("'In'", "'NotIn'"), ON_FOO.replace("'foo'", "'a','b'"),
                ON_FOO.replace("[{", "[{},{"), both)) {
            assertThat(of(PodWrite.created(pod, DAEMON_SETS, tree(none)), members(), GROUP).message())
                    .as("for no Node: " + none).hasValueSatisfying(text -> assertThat(text).contains("tolerations[0]"));
        }
    }

    @Test
    void warn_warns_and_audit_counts() {
        CandidatePod pod = pod("cherry/p", "", ANYTHING);
        PodRefusals warned = created(pod, GROUP.mode(EnforcementMode.Warn));
        assertThat(warned.message()).isEmpty();
        assertThat(warned.warnings()).containsExactly(
                "DedicatedNodes banana: Enforce will refuse this pod: spec.tolerations[0] tolerates its taint");
        PodRefusals audited = created(pod, GROUP.mode(EnforcementMode.Audit));
        assertThat(audited.message()).isEmpty();
        assertThat(audited.warnings()).isEmpty();
        assertThat(audited.all()).hasSize(1);
        assertThat(created(pod, IntStream.range(0, 9).mapToObj(i -> group("g" + i).mode(EnforcementMode.Warn))
                .toArray(Make[]::new)).warnings()).hasSize(3);
    }

    @Test
    void who_may_is_told_of_each_kind_and_not_at_length() {
        Who all = new Who(List.of("a", "b", "c", "d", "e"), Optional.of(selector("team", "x")),
                List.of(new ObjectKey("n", "s")), Optional.of(selector("app", "y")), List.of("example.com/gpu"),
                List.of("gpu"));
        assertThat(of(PodWrite.created(pod("cherry/p", "", BANANA), JANE, tree("[]")),
                members(Map.of("cherry", Map.of())), GROUP.who(all)).message()).contains(
                        "DedicatedNodes banana is for pods of namespace a, b, c and 2 more, or of namespaces that"
                                + " spec.who.namespaceSelector selects, or of ServiceAccount n/s, or that spec.who.podSelector"
                                + " selects, or that request example.com/gpu, or that claim devices of gpu:"
                                + " spec.tolerations[0] tolerates its taint");
        assertThat(created(pod("cherry/p", "", BANANA), GROUP.who(Who.NONE)).message())
                .hasValueSatisfying(text -> assertThat(text).startsWith("DedicatedNodes banana is for no pod: "));
    }

    @Test
    void claims_that_are_not_known_may_make_a_member_later() {
        Make gpu = GROUP.who(new Who(List.of(), Optional.empty(), List.of(), Optional.empty(), List.of(),
                List.of("gpu")));
        CandidatePod pod = with(pod("cherry/p", "", BANANA), "default", Set.of(),
                new PodClaim(false, new ObjectKey("cherry", "c")));
        PodRefusals unknown = created(pod, gpu);
        assertThat(unknown.isIncomplete()).isTrue();
        assertThat(unknown.message()).hasValueSatisfying(
                text -> assertThat(text).endsWith("; claims of this pod are not known yet, try again"));
        assertThat(unknown.certain().all()).isEmpty();
        assertThat(created(pod, gpu.mode(EnforcementMode.Warn)).isIncomplete()).as("it refuses nothing").isFalse();
        assertThat(created(pod, GROUP).isIncomplete()).isFalse();
        PodRefusals both = created(pod, gpu, group("g").taint("dedicated", "banana", DedicatedEffect.NoSchedule));
        assertThat(both.all()).hasSize(2);
        assertThat(both.isIncomplete()).as("it may be a guest of the other").isTrue();
        PodRefusals refused = created(with(pod("cherry/p", "", ANYTHING), "default", Set.of(),
                new PodClaim(false, new ObjectKey("cherry", "c"))), gpu, group("other"));
        assertThat(refused.isIncomplete()).as("whatever its claims").isFalse();
        assertThat(refused.certain().all()).extracting(each -> each.group().name()).containsExactly("other");
        MemberFacts known =
                new MemberFacts(Map.of(), claim -> Optional.of(Set.of(Set.of("gpu"))), Make.SYSTEM);
        assertThat(of(PodWrite.created(pod, JANE, tree("[]")), known, gpu).all()).isEmpty();
    }

    @Test
    void a_group_that_no_node_can_be_of_keeps_nobody_out() {
        assertThat(created(pod("cherry/p", "foo", ANYTHING), GROUP.unknownEffect("Later")).all()).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> a_toleration_is_refused_if_it_matches_as_in_the_vectors() {
        return Vectors.cases("tolerate.json").stream()
                .filter(c -> c.get("kind").textValue().equals("match"))
                .filter(c -> !c.path("taint").path("key").asText("").isEmpty())
                // A server that compares no numbers stores no such toleration; one that does is in the vectors.
                .filter(c -> !List.of("Gt", "Lt").contains(c.path("toleration").path("operator").asText(""))
                        || c.path("comparisonOperators").booleanValue())
                // It lets a pod past the taint that stands in for this one.
                .filter(c -> !c.path("taint").path("effect").asText("").equals("NoExecute")
                        || !c.path("toleration").path("effect").asText("").equals("NoSchedule"))
                .map(c -> dynamicTest(c.get("id").textValue(), () -> {
                    JsonNode taint = c.get("taint");
                    JsonNode toleration = c.get("toleration");
                    Make group = group("g").namespaces("members").taint(taint.path("key").asText(""),
                            taint.path("value").asText(""),
                            DedicatedEffect.valueOf(taint.path("effect").asText("")));
                    CandidatePod pod = pod("other/p", "", new Toleration(toleration.path("key").asText(""),
                            toleration.path("operator").asText(""), toleration.path("value").asText(""),
                            toleration.path("effect").asText(""), OptionalLong.empty()));
                    assertThat(created(pod, group).message().isPresent())
                            .isEqualTo(c.get("expect").get("tolerates").booleanValue()
                                    && group.ready().fault().isEmpty());
                }));
    }

    private static PodRefusals created(CandidatePod pod, Make... groups) {
        return of(PodWrite.created(pod, JANE, tree("[]")), members(), groups);
    }

    private static PodRefusals updated(Make group, Toleration before, Toleration after) {
        return of(PodWrite.updated(pod("cherry/p", "foo", after), JANE, List.of(before)), members(), group);
    }

    private static PodRefusals updated(CandidatePod before, CandidatePod after) {
        return of(PodWrite.updated(after, JANE, before.pod().tolerations()), members(), GROUP);
    }

    private static PodRefusals of(PodWrite write, MemberFacts facts, Make... groups) {
        return PodRefusals.of(write, groups(groups), facts, Optional.ofNullable(NODES.get(write.nodeName())));
    }

    /** @param terms of the required node affinity */
    private static Tree tree(String terms) {
        return Trees.read(("{'spec':{'affinity':{'nodeAffinity':{"
                + "'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':" + terms + "}}}}}")
                .replace('\'', '"'));
    }
}
