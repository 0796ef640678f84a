package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A group that is enforced gives its pods the toleration first, and its Nodes the taint when all have it. */
class PodReconcilerTest {
    private static final Map<String, Object> BANANA = Map.of(
            "nodes", Map.of("names", List.of("foo")), "who", Map.of("namespaces", List.of("banana")));
    private static final Tree TOLERATION =
            Tree.of(Map.of("key", "dedicated", "operator", "Equal", "value", "g"));

    private final DedicatedFixture cluster = new DedicatedFixture(60, new PodFeatures(false, true));
    private final DedicatedWatches watches = new DedicatedWatches(cluster.scope);
    private final Set<ObjectKey> told = new TreeSet<>();

    @BeforeEach
    void cluster() {
        cluster.node("foo", Map.of());
        cluster.pod("banana", "running", "foo");
        cluster.pod("banana", "pending", "");
        cluster.pod("cherry", "stranger", "foo");
        cluster.scope.whenPodsDiffer(now -> told.addAll(watches.mapToPods(now)));
    }

    @Test
    void audit_gives_nothing_and_warn_gives_the_toleration_without_any_taint() {
        cluster.declare("g", BANANA, "Audit", "NoSchedule");
        cluster.reconcileGroup("g");
        assertThat(names()).isEmpty();
        assertThat(decided("banana", "running")).isInstanceOf(Decision.InEffect.class);
        cluster.declare("g", BANANA, "Warn", "NoSchedule");
        assertThat(names()).as("the groups have not been compared").isEmpty();
        assertThat(decided("banana", "running")).isInstanceOf(Decision.InEffect.class);
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
        assertThat(names()).containsExactly("banana/pending", "banana/running");
        assertThat(patch("banana", "running").operations()).containsExactly(JsonPatch.Operation.add(
                List.of("spec", "tolerations"), new Tree.Items(List.of(TOLERATION))));
        assertThat(decided("cherry", "stranger")).isInstanceOf(Decision.InEffect.class);
        assertThat(cluster.reconcileNode("foo").change().isEmpty()).isTrue();
    }

    @Test
    void no_node_gets_the_taint_before_all_members_tolerate_it() {
        cluster.declare("g", BANANA, "Enforce", "NoSchedule", "NoExecute");
        Decision.Blocked waits = (Decision.Blocked) cluster.reconcileGroup("g");
        assertThat(waits.by()).isEqualTo(new Blocked("TolerationsPending",
                "pods have yet to get the toleration of dedicated=g; status.preview.withoutToleration names them"));
        assertThat(waits.event()).as("it passes by itself").isFalse();
        assertThat(waits.owner().details().orElseThrow().conditions().get("Conflict").status())
                .isEqualTo(Condition.FALSE);
        assertThat(names()).containsExactly("banana/pending", "banana/running");
        cluster.tolerating("banana", "running", "dedicated", "g", "foo");
        cluster.reconcileGroup("g");
        assertThat(cluster.reconcileNode("foo").change().isEmpty()).as("one is left").isTrue();
        cluster.tolerating("banana", "pending", "dedicated", "g");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("foo");
        assertThat(cluster.taints("foo")).as("a stranger would be evicted, and nobody has confirmed it")
                .containsExactly("dedicated=g:NoSchedule");
    }

    /** None of these is a change of an object. */
    @Test
    void the_pods_of_a_group_that_is_gone_fall_to_the_shared_group_and_nobody_looks_at_others() {
        toleratingPodsOfG();
        cluster.declare("all", Map.of("shared", true), "Warn", "NoSchedule");
        cluster.reconcileGroup("all");
        assertThat(names()).containsExactly("cherry/stranger");
        List<Runnable> ends = List.of(() -> cluster.delete("g"), () -> {
            toleratingPodsOfG();
            cluster.loseStatus("g");
            cluster.declare("g", BANANA, "Audit", "NoSchedule");
        });
        for (Runnable end : ends) {
            end.run();
            cluster.reconcileGroup("all");
            cluster.settle();
            told.clear();
            assertThat(names()).as("they are still of the group whose taint a Node may have").isEmpty();
            cluster.reconcileGroup("g");
            assertThat(names()).containsExactly("banana/pending", "banana/running");
        }
    }

    private void toleratingPodsOfG() {
        cluster.tolerating("banana", "running", "dedicated", "g", "foo");
        cluster.tolerating("banana", "pending", "dedicated", "g");
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
    }

    @Test
    void pods_whose_namespace_has_unknown_labels_fall_to_the_shared_group_when_no_group_awaits_these_any_more() {
        List.of("banana", "cherry").forEach(namespace -> cluster.namespace(namespace, Map.of()));
        cluster.namespaces.put(cluster.namespace("dates", Map.of("team", "y")).reduced());
        cluster.tolerating("dates", "p", "dedicated", "g");
        cluster.declare("g", Map.of("nodes", Map.of("names", List.of("foo")), "who", Map.of(
                "namespaceSelector", Map.of("matchLabels", Map.of("team", "x")))), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.declare("all", Map.of("shared", true), "Warn", "NoSchedule");
        cluster.reconcileGroup("all");
        assertThat(names()).contains("cherry/stranger").doesNotContain("dates/p");
        cluster.delete("g");
        cluster.reconcileGroup("g");
        assertThat(names()).contains("dates/p");
    }

    @Test
    void whatever_compares_the_groups_first_the_pods_of_one_that_may_come_into_force_are_looked_at() {
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        assertThat(names()).isEmpty();
        cluster.resolution();
        assertThat(names()).containsExactly("banana/pending", "banana/running");
    }

    @Test
    void a_group_whose_listener_has_failed_is_told_of_when_it_is_folded_in_later() {
        cluster.whileLooking = key -> {
            throw new IllegalStateException("planted");
        };
        cluster.declare("w", BANANA, "Warn", "NoSchedule");
        assertThat(cluster.scope.declared().all()).isEmpty();
        cluster.whileLooking = key -> {};
        cluster.settle();
        cluster.reconcileGroup("w");
        assertThat(names()).containsExactly("banana/pending", "banana/running");
    }

    @Test
    void a_pod_that_is_created_between_the_steps_gets_it_too() {
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        assertThat(watches.mapLackingPod(null, put("banana", "late"))).hasSize(1);
        for (String pod : List.of("running", "pending", "late")) {
            cluster.tolerating("banana", pod, "dedicated", "g");
        }
        cluster.ofGroups.reconcile(ObjectKey.clusterScoped("g")); // its status is not read again yet
        assertThat(watches.mapLackingPod(null, put("banana", "later"))).hasSize(1);
        cluster.reconcileGroup("g");
        assertThat(watches.mapLackingPod(null, put("banana", "last"))).hasSize(1);
        assertThat(watches.mapLackingPod(null, put("cherry", "other"))).isEmpty();
    }

    @Test
    void an_edit_of_the_taint_waits_while_the_old_one_stays() {
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g"));
        cluster.reconcileGroup("g");
        cluster.reconcileNode("foo");
        Map<String, Object> edited = new HashMap<>(BANANA);
        edited.put("taint", Map.of("key", "dedicated", "value", "new", "effects", List.of("NoSchedule")));
        cluster.declare("g", edited, "Enforce");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by().reason()).isEqualTo("TolerationsPending");
        cluster.reconcileNode("foo");
        assertThat(cluster.taints("foo")).containsExactly("dedicated=g:NoSchedule");
        assertThat(patch("banana", "running").operations()).as("behind those that it has").containsExactly(
                JsonPatch.Operation.add(List.of("spec", "tolerations", "-"),
                        Tree.of(Map.of("key", "dedicated", "operator", "Equal", "value", "new"))));
        assertThat(patch("banana", "newcomer-with-neither", "").operations()).hasSize(1);
    }

    @Test
    void members_and_effects_change_without_a_wait_where_the_taint_is_there() {
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g"));
        cluster.reconcileGroup("g");
        Map<String, Object> more = new HashMap<>(BANANA);
        more.put("who", Map.of("namespaces", List.of("banana", "cherry")));
        cluster.declare("g", more, "Enforce", "NoSchedule", "PreferNoSchedule");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by().reason()).isEqualTo("NodesPending");
        assertThat(names()).contains("cherry/stranger");
    }

    @Test
    void what_keeps_a_pod_from_its_toleration_is_told_by_its_group_and_by_no_other() {
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        cluster.declare("h", Map.of("nodes", Map.of("names", List.of("bar")), "who",
                Map.of("namespaces", List.of("cherry"))), "Enforce", "NoSchedule");
        cluster.pod("cherry", "pending", "");
        Decision.Change change = (Decision.Change) decidedAfter("g", "banana", "running");
        Blocked by = new Blocked("PodRejected", "Pod banana/running was rejected");
        cluster.exchange.pods().report(
                change.owner().regarding().key(), change.owner(), new Outcome.NotWritten(by, true));
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by()).isEqualTo(by);
        assertThat(((Decision.Blocked) cluster.reconcileGroup("h")).by().reason()).isEqualTo("TolerationsPending");
        cluster.declare("g", BANANA, "Warn", "NoSchedule");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by()).as("in Warn, too").isEqualTo(by);
        assertThat(watches.mapPodOutcome(new ObjectKey("banana", "running"))).extracting(ObjectKey::name)
                .containsExactly("g");
    }

    @Test
    void pods_that_have_ended_and_static_pods_of_the_node_are_none_to_wait_for() {
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g"));
        cluster.pods.put(CandidatePod.of(cluster.pods.get(new ObjectKey("banana", "running")).orElseThrow()
                .metadata().withResourceVersion("100"), Tree.of(Map.of("nodeName", "foo")),
                Tree.of(Map.of("phase", "Succeeded"))));
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by().reason()).isEqualTo("NodesPending");
        assertThat(decided("banana", "running")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void labels_of_a_namespace_and_claims_make_members_whose_pods_are_looked_at() {
        cluster.declare("g", Map.of("nodes", Map.of("names", List.of("foo")), "who", Map.of(
                "namespaceSelector", Map.of("matchLabels", Map.of("team", "x")),
                "deviceClasses", List.of("gpu"))), "Warn", "NoSchedule");
        cluster.reconcileGroup("g");
        List<ObjectKey> found = new ArrayList<>();
        cluster.namespaces.subscribe((before, after) -> found.addAll(watches.mapNamespaceToPods(before, after)));
        cluster.namespace("cherry", Map.of("team", "x"));
        assertThat(found).containsExactly(new ObjectKey("cherry", "stranger"));
        cluster.pods.put(CandidatePod.of(put("banana", "claiming").metadata().withResourceVersion("200"),
                Tree.of(Map.of("resourceClaims", List.of(Map.of("name", "r", "resourceClaimName", "c")))),
                Tree.ABSENT));
        cluster.claim("banana", "c", "gpu");
        assertThat(watches.mapClaimToPods(new ObjectKey("banana", "c")))
                .containsExactly(new ObjectKey("banana", "claiming"));
    }

    @Test
    void the_shared_group_gives_its_toleration_to_all_that_no_other_enforced_group_has() {
        cluster.declare("s", Map.of("shared", true), "Enforce", "NoSchedule");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("s")).by().reason()).isEqualTo("TolerationsPending");
        assertThat(names()).containsExactly("banana/pending", "banana/running", "cherry/stranger");
        for (ObjectKey pod : List.copyOf(told)) {
            cluster.tolerating(pod.namespace(), pod.name(), "dedicated", "s", "foo");
        }
        cluster.reconcileGroup("s");
        cluster.reconcileNode("foo");
        assertThat(cluster.taints("foo")).containsExactly("dedicated=s:NoSchedule");
    }

    /** What the group has given up belongs to the shared one, which has changed nothing and is not asked again. */
    @Test
    void pods_and_nodes_that_fall_to_the_shared_group_get_its_toleration_and_evict_nobody_unconfirmed() {
        Map<String, Object> everywhere =
                Map.of("key", "pool", "value", "s", "effects", List.of("NoSchedule", "NoExecute"));
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g",
                pod.equals("running") ? "foo" : ""));
        cluster.tolerating("cherry", "stranger", "", "", "foo");
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.declare("s", Map.of("shared", true, "taint", everywhere), "Enforce");
        cluster.reconcileGroup("s");
        cluster.reconcileGroup("s");
        cluster.settle();
        told.clear();
        cluster.declare("g", BANANA, "Audit", "NoSchedule");
        cluster.reconcileGroup("g");
        assertThat(names()).containsExactly("banana/pending", "banana/running");
        cluster.reconcileGroup("s");
        cluster.reconcileNode("foo");
        assertThat(cluster.taints("foo")).as("running lacks the toleration, and nobody has confirmed its eviction")
                .contains("pool=s:NoSchedule").doesNotContain("pool=s:NoExecute");
        cluster.pods.put(tolerant("banana", "running", "foo"));
        cluster.reconcileGroup("s");
        cluster.reconcileNode("foo");
        assertThat(cluster.taints("foo")).contains("pool=s:NoExecute");
    }

    private CandidatePod tolerant(String namespace, String name, String node) {
        cluster.tolerating(namespace, name, "", "", node);
        return cluster.pods.get(new ObjectKey(namespace, name)).orElseThrow();
    }

    @Test
    void a_member_whose_write_is_refused_is_not_evicted_unconfirmed_by_an_effect_that_is_added() {
        cluster.tolerating("cherry", "stranger", "", "", "foo");
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g"));
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.pod("banana", "refused", "foo");
        cluster.declare("g", BANANA, "Enforce", "NoSchedule", "NoExecute");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by().reason()).isEqualTo("NoExecuteNotConfirmed");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("foo");
        assertThat(cluster.taints("foo")).containsExactly("dedicated=g:NoSchedule");
    }

    @Test
    void a_pod_on_another_node_holds_up_nobody_and_a_daemonset_does_whose_pods_its_controller_would_take() {
        Map<String, Object> labelled = Map.of("nodes", Map.of("names", List.of("foo")), "who", Map.of(
                "podSelector", Map.of("matchLabels", Map.of("app", "x")), "namespaces", List.of("banana")));
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g"));
        cluster.pod("banana", "elsewhere", "bar");
        cluster.daemon("cherry", "tenant", Map.of(), Map.of("app", "x"));
        cluster.declare("g", labelled, "Enforce", "NoExecute");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by().reason()).isEqualTo("DaemonSetsNotTolerating");
        cluster.daemon("cherry", "tenant", Map.of(), Map.of());
        cluster.reconcileGroup("g");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by().reason()).isEqualTo("NoExecuteNotConfirmed");
        assertThat(names()).as("it gets the toleration all the same").contains("banana/elsewhere");
    }

    @Test
    void a_group_that_waits_for_what_is_cut_off_keeps_giving_tolerations_to_new_pods() {
        cluster.node("own", Map.of());
        cluster.declare("g", Map.of("nodes", Map.of("names", List.of("own")), "who",
                Map.of("namespaces", List.of("banana"))), "Enforce", "NoSchedule");
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g", "foo"));
        cluster.tolerating("cherry", "stranger", "", "", "foo");
        cluster.reconcileGroup("g");
        cluster.declare("s", Map.of("shared", true), "Enforce", "NoSchedule");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("s")).by().reason()).isEqualTo("PodsCutOff");
        assertThat(watches.mapLackingPod(null, put("cherry", "new"))).hasSize(1);
    }

    @Test
    void no_group_by_device_class_comes_into_force_before_claims_have_been_listed() {
        DedicatedFixture starting = new DedicatedFixture(60, new PodFeatures(false, true));
        starting.node("foo", Map.of());
        starting.pods.put(CandidatePod.of(put("banana", "claiming").metadata().withResourceVersion("700"),
                Tree.of(Map.of("nodeName", "foo", "resourceClaims",
                        List.of(Map.of("name", "r", "resourceClaimName", "c")))),
                Tree.ABSENT));
        starting.declare("g", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("deviceClasses", List.of("gpu"))), "Enforce", "NoSchedule");
        assertThat(((Decision.Blocked) starting.reconcileGroup("g")).by()).isEqualTo(new Blocked("TolerationsPending",
                "claims of devices, which make pods members, have not been listed yet"));
        List<ObjectKey> told = new ArrayList<>();
        starting.claims.whenChanged(told::add);
        starting.claims.claims().replace(Set.of());
        starting.claims.templates().replace(Set.of());
        assertThat(told).as("so that groups are looked at although there is no claim").isNotEmpty();
        assertThat(((Decision.Blocked) starting.reconcileGroup("g")).by().reason()).isEqualTo("NodesPending");
    }

    @Test
    void an_edit_that_takes_more_from_a_daemonset_waits_for_its_template() {
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g"));
        cluster.daemon("kube-system", "proxy", Map.of());
        cluster.declare("g", BANANA, "Enforce", "PreferNoSchedule");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("foo");
        assertThat(cluster.taints("foo")).containsExactly("dedicated=g:PreferNoSchedule");
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by().reason()).isEqualTo("DaemonSetsNotTolerating");
        cluster.reconcileNode("foo");
        assertThat(cluster.taints("foo")).containsExactly("dedicated=g:PreferNoSchedule");
        cluster.declare("g", Map.of("nodes", Map.of("names", List.of("foo", "none")), "who",
                Map.of("namespaces", List.of("banana", "cherry"))), "Enforce", "PreferNoSchedule");
        assertThat(cluster.reconcileGroup("g")).as("that takes nothing more").isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void an_edit_of_a_template_concerns_all_groups_and_nothing_else_of_a_daemonset_does() {
        cluster.declare("g", BANANA, "Audit", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.settle();
        cluster.daemon("cherry", "tenant", Map.of());
        assertThat(cluster.settle()).containsExactly("g");
        cluster.daemon("cherry", "tenant", Map.of());
        assertThat(cluster.settle()).isEmpty();
    }

    @Test
    void a_template_of_a_member_or_of_the_system_that_lacks_the_toleration_is_named_and_blocks_enforce() {
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g"));
        cluster.nodes.put(new Node(cluster.node("foo").metadata().withResourceVersion("900"), "",
                List.of(Taint.of("node.kubernetes.io/not-ready", "", "NoSchedule"))));
        cluster.daemon("banana", "logs", Map.of());
        cluster.daemon("kube-system", "proxy", Map.of());
        cluster.daemon("kube-system", "all", Map.of("tolerations", List.of(Map.of("operator", "Exists"))));
        cluster.daemon("kube-system", "elsewhere", Map.of("nodeSelector", Map.of("gpu", "true")));
        cluster.daemon("cherry", "tenant", Map.of());
        cluster.declare("g", BANANA, "Audit", "NoSchedule");
        assertThat(named(cluster.reconcileGroup("g"))).as("named before").containsExactly(
                "banana/logs", "kube-system/proxy");
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        Decision.Blocked blocked = (Decision.Blocked) cluster.reconcileGroup("g");
        assertThat(blocked.event()).isTrue();
        assertThat(blocked.by()).isEqualTo(new Blocked("DaemonSetsNotTolerating", "the templates of 2 DaemonSets do not"
                + " tolerate dedicated=g, and their pods would not run on the Nodes any more: banana/logs,"
                + " kube-system/proxy"));
        assertThat(blocked.owner().details().orElseThrow().conditions().get("Conflict").status())
                .as("it waits, and contradicts nothing").isEqualTo(Condition.FALSE);
        assertThat(cluster.reconcileNode("foo").change().isEmpty()).isTrue();
        assertThat(watches.mapLackingPod(null, put("banana", "meanwhile"))).as("pods get it all the same").hasSize(1);
        cluster.tolerating("banana", "meanwhile", "dedicated", "g");
        Map<String, Object> tolerating = Map.of("tolerations", List.of(Map.of("key", "dedicated", "value", "g")));
        cluster.daemon("banana", "logs", tolerating);
        cluster.daemon("kube-system", "proxy", tolerating);
        cluster.reconcileGroup("g");
        cluster.reconcileNode("foo");
        assertThat(cluster.taints("foo")).contains("dedicated=g:NoSchedule");
        assertThat(named(cluster.reconcileGroup("g"))).isEmpty();
    }

    @Test
    void a_daemonset_that_does_not_run_on_the_nodes_for_another_taint_blocks_nothing() {
        List.of("running", "pending").forEach(pod -> cluster.tolerating("banana", pod, "dedicated", "g"));
        cluster.nodes.put(new Node(cluster.node("foo").metadata().withResourceVersion("900"), "",
                List.of(Taint.of("infra", "", "NoSchedule"))));
        cluster.daemon("kube-system", "proxy", Map.of());
        cluster.daemon("kube-system", "named", Map.of("affinity", Map.of("nodeAffinity", Map.of(
                "requiredDuringSchedulingIgnoredDuringExecution", Map.of("nodeSelectorTerms", List.of(Map.of(
                        "matchExpressions", List.of(Map.of("key", "x", "operator", "Future")))))))));
        cluster.declare("g", BANANA, "Enforce", "NoSchedule");
        assertThat(((Decision.Blocked) cluster.reconcileGroup("g")).by().reason()).isEqualTo("NodesPending");
    }

    private static List<String> named(Decision decision) {
        Target owner = decision instanceof Decision.Blocked blocked
                ? blocked.owner()
                : ((Decision.InEffect) decision).owner();
        return owner.details().orElseThrow().fields().get("preview").at("daemonSets").at("names").elements().stream()
                .map(Tree::string).toList();
    }

    private CandidatePod put(String namespace, String name) {
        cluster.pod(namespace, name, "");
        return cluster.pods.get(new ObjectKey(namespace, name)).orElseThrow();
    }

    private Decision decided(String namespace, String name) {
        return cluster.ofPods.reconcile(new ObjectKey(namespace, name));
    }

    private Decision decidedAfter(String group, String namespace, String name) {
        cluster.reconcileGroup(group);
        return decided(namespace, name);
    }

    private JsonPatch patch(String namespace, String name) {
        ObjectChange update = ((Decision.Change) decided(namespace, name)).change();
        assertThat(update.preconditions().uid()).isNotEmpty();
        return ((Verb.JsonPatch) update.verb()).patch();
    }

    private JsonPatch patch(String namespace, String name, String node) {
        cluster.pod(namespace, name, node);
        return patch(namespace, name);
    }

    /** Returns the pods that are to be looked at again because of groups. */
    private List<String> names() {
        cluster.settle();
        return told.stream().map(ObjectKey::toString).sorted().toList();
    }
}
