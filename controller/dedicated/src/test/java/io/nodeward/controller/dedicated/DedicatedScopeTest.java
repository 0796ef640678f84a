package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.dedicated.DedicatedConfig.FailurePolicy;
import io.nodeward.core.rules.dedicated.ClaimView;
import io.nodeward.core.rules.dedicated.DedicatedKey;
import io.nodeward.core.rules.dedicated.DedicatedKey.Kind;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DedicatedScopeTest {
    private static final List<String> GROUPS = List.of("g", "h", "i");
    private static final DedicatedKey G = DedicatedKey.of(Kind.GROUP, "g");

    private final DedicatedFixture cluster = new DedicatedFixture(60);
    private final Set<DedicatedKey> told = new HashSet<>();

    DedicatedScopeTest() {
        cluster.scope.holder().whenChanged(told::addAll);
    }

    /** A look at all pods may take long. */
    @Test
    void nodes_hear_of_groups_that_differ_before_pods_do() {
        List<String> heard = new ArrayList<>();
        cluster.scope.whenPodsDiffer(groups -> heard.add("pods"));
        cluster.scope.whenNodesDiffer(groups -> heard.add("nodes"));
        cluster.declare("g", named("n1"), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.settle();
        assertThat(heard).startsWith("nodes", "pods");
    }

    @Test
    void neither_listeners_nor_reviews_wait_for_a_preview() {
        DedicatedWatches watches = new DedicatedWatches(cluster.scope);
        cluster.pods.subscribeToChanges((before, after) -> {
            watches.mapPod(before, after);
            watches.mapPodToNode(before, after);
        });
        cluster.groups.subscribeToChanges((before, after) -> {
            watches.mapGroupToOthers(before, after);
        });
        AdmissionResponse reviewed = cluster.scope.holder().look(() -> {
            assertTimeoutPreemptively(Duration.ofSeconds(20), this::changes, "it is through");
            return assertTimeoutPreemptively(Duration.ofSeconds(20), this::review, "it is answered");
        });
        assertThat(reviewed).isEqualTo(AdmissionResponse.allowed());
        assertThat(cluster.registry.get("nodeward.dedicated.new.pods").tag("group", "g").counter().count())
                .as("the group has come into its cache before the review").isOne();
        assertThat(cluster.preview("g").nodes().names()).as("what has changed meanwhile").containsExactly("n2");
    }

    private void changes() {
        cluster.namespace("banana", Map.of());
        cluster.declare("g", named("n1", "n2"), "Audit", "NoSchedule");
        List.of("n1", "n2").forEach(node -> cluster.node(node, Map.of()));
        cluster.pod("banana", "p", "n1");
        cluster.pods.remove(cluster.pods.get(new ObjectKey("banana", "p")).orElseThrow());
        cluster.nodes.remove(cluster.node("n1"));
    }

    private static Map<String, Object> named(String... nodes) {
        return Map.of("nodes", Map.of("names", List.of(nodes)), "who", Map.of("namespaces", List.of("banana")));
    }

    private AdmissionResponse review() {
        AdmissionRequest request = new AdmissionRequest("u", new AdmissionRequest.GroupVersionKind("", "v1", "Pod"),
                new AdmissionRequest.GroupVersionResource("", "v1", "pods"), "", "banana", "", "CREATE",
                new AdmissionRequest.UserInfo("jane", "", List.of(), Map.of()), false,
                Tree.of(Map.of("metadata", Map.of("generateName", "p-"), "spec", Map.of())), Tree.ABSENT);
        LiveObjects live = new LiveObjects(namespace -> Optional.empty(), name -> Optional.empty(),
                namespace -> List.of(), () -> ClaimView.NONE, () -> ClaimView.NONE);
        PodReviews pods =
                new PodReviews(cluster.scope, live, FailurePolicy.Fail, new PodMeters(cluster.registry));
        assertThat(new ClaimValidator(cluster.scope, live, FailurePolicy.Fail).handle(request).refusal()).isEmpty();
        assertThat(pods.validate(request).refusal()).isEmpty();
        return pods.mutate(request);
    }

    @Test
    void while_a_node_cannot_be_looked_at_no_group_is_answered_and_all_others_are_folded_in() {
        cluster.declare("g", named("bad", "good"), "Enforce", "NoSchedule");
        fail("bad");
        List.of("bad", "good").forEach(node -> cluster.node(node, Map.of()));
        assertThat(cluster.scope.resolved("g")).isEmpty();
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.Waiting.class);
        assertThatThrownBy(cluster.scope::work).hasMessage("planted");
        assertThat(told).isEmpty();
        cluster.whileLooking = key -> {};
        cluster.pass(Duration.ofSeconds(1));
        cluster.settle();
        assertThat(told).containsExactly(G);
        assertThat(cluster.preview("g").nodes().names()).containsExactly("bad", "good");
    }

    private void fail(String name) {
        cluster.whileLooking = key -> {
            if (key.name().equals(name)) {
                throw new IllegalStateException("planted");
            }
        };
    }

    @Test
    void a_group_whose_edit_cannot_be_looked_at_evicts_nobody_and_others_go_on() {
        cluster.nodeWithPod("n1", "g");
        cluster.nodeWithPod("m1", "h");
        List.of("g", "h").forEach(group -> {
            cluster.declare(group, taint(group, 1), "Enforce");
            cluster.reconcileGroup(group);
        });
        fail("g");
        cluster.declare("g", taint("g", 0), "Enforce");
        List.of("n1", "m1").forEach(cluster::reconcileNode);
        assertThat(cluster.taints("m1")).containsExactly("h=x:NoExecute");
        assertThat(cluster.taints("n1")).containsExactly("g=x:NoSchedule");
        cluster.whileLooking = key -> {};
        cluster.declare("g", taint("g", 1), "Enforce");
        assertThat(cluster.scope.work()).isEqualTo(Result.done());
        assertThat(told).contains(G);
        cluster.pass(Duration.ofSeconds(10));
        cluster.reconcileGroup("g");
        cluster.reconcileNode("n1");
        assertThat(cluster.taints("n1")).containsExactly("g=x:NoExecute");
    }

    private static Map<String, Object> taint(String group, int confirmed) {
        Map<String, Object> spec = DedicatedFixture.with(DedicatedFixture.pool(group), confirmed);
        spec.put("taint", Map.of("key", group, "value", "x", "effects", List.of("NoExecute")));
        return spec;
    }

    @Test
    void a_change_that_comes_while_its_object_is_looked_at_is_not_missed() {
        cluster.declare("g", named("n"), "Enforce", "NoSchedule");
        cluster.node("n", Map.of());
        cluster.whileLooking = key -> {
            if (key.name().equals("n")) {
                cluster.whileLooking = any -> {};
                cluster.nodes.remove(cluster.node("n"));
            }
        };
        cluster.preview("g");
        assertThat(cluster.preview("g").nodes().names()).isEmpty();
    }

    @Test
    void an_own_write_is_folded_in_and_concerns_the_groups_of_the_node() {
        List.of("n", "other").forEach(node -> cluster.node(node, Map.of()));
        cluster.declare("g", named("n"), "Enforce", "NoSchedule");
        cluster.declare("h", named("other"), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        assertThat(cluster.preview("g").tainted().count()).isZero();
        assertThat(cluster.reconcileNode("n").change().isEmpty()).isFalse();
        assertThat(cluster.registry.get("nodeward.state.mailbox").gauge().value()).isOne();
        assertThat(cluster.preview("g").tainted().names()).containsExactly("n");
        assertThat(told).containsExactly(G);
    }

    /** Three threads ask, review and work while the caches change. */
    @Test
    void whoever_asks_meanwhile_the_answers_are_those_of_a_new_start() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        List<Runnable> tasks = List.of(cluster.scope::work, this::review,
                () -> GROUPS.forEach(group -> cluster.scope.resolved(group).ifPresent(cluster.scope::preview)));
        try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
            List<Future<?>> asking = tasks.stream().<Future<?>>map(task -> threads.submit(() -> {
                while (!isOver.get()) {
                    task.run();
                }
            })).toList();
            Random random = new Random(7);
            IntStream.range(0, 3000).forEach(event -> change(random));
            isOver.set(true);
            for (Future<?> each : asking) {
                each.get();
            }
        }
        cluster.settle();
        DedicatedScope again = scope(cluster.namespaces, Set.of("kube-system"));
        assertThat(cluster.resolution().byName()).isEqualTo(
                again.resolution(ObjectKey.clusterScoped("any")).orElseThrow().byName()).isNotEmpty();
        assertThat(cluster.scope.declared().ofNewPods()).isEqualTo(again.declared().ofNewPods());
        cluster.resolution().byName().keySet().forEach(group -> assertThat(cluster.preview(group)).as(group)
                .isEqualTo(again.preview(again.resolved(group).orElseThrow()).orElseThrow()));
    }

    private void change(Random random) {
        String name = "x" + random.nextInt(4);
        switch (random.nextInt(5)) {
            case 0 -> cluster.node(name, Map.of("pool", "p" + random.nextInt(2)));
            case 1 -> cluster.namespace("banana", Map.of("team", name));
            case 2 -> cluster.tolerating("banana", name, random.nextBoolean() ? "" : "dedicated", "", "x1");
            case 3 -> cluster.groups.get(ObjectKey.clusterScoped("g")).ifPresentOrElse(
                    cluster.groups::remove, () -> cluster.declare("g", named(name), "Enforce", "NoSchedule"));
            default -> cluster.declare(GROUPS.get(random.nextInt(GROUPS.size())), random.nextBoolean()
                    ? named(name)
                    : DedicatedFixture.pool("p" + random.nextInt(2)), "Enforce", "NoSchedule");
        }
    }

    private DedicatedScope scope(ObjectCache<LabeledNamespace> namespaces, Set<String> systemNamespaces) {
        DedicatedCaches caches = new DedicatedCaches(cluster.groups, cluster.nodes, cluster.pods, namespaces,
                cluster.claims, cluster.daemons, systemNamespaces);
        return new DedicatedScope(caches, caches.view(), PodFeatures.NONE, () -> 0, cluster.registry);
    }

    @Test
    void before_all_has_been_seen_a_node_gives_up_nothing_and_is_told_when_it_has() {
        ObjectCache<LabeledNamespace> namespaces = new ObjectCache<>();
        DedicatedScope early = scope(namespaces, Set.of());
        early.holder().whenChanged(told::addAll);
        cluster.declare("g", named("n"), "Audit", "NoSchedule");
        assertThat(early.declared().versions()).as("for reviews").hasSize(1);
        assertThat(early.resolution(ObjectKey.clusterScoped("n"))).isEmpty();
        assertThat(early.work()).isEqualTo(Result.done());
        assertThat(told).isEmpty();
        namespaces.replace(Set.of());
        assertThat(early.work()).isEqualTo(Result.done());
        assertThat(told).containsExactly(DedicatedKey.of(Kind.NODE, "n"));
        assertThat(early.resolution(ObjectKey.clusterScoped("n")).orElseThrow().find("g")).isPresent();
    }
}
