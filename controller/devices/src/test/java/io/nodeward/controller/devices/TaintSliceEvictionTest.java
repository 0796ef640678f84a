package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that taints of a DeviceTaintSlice evict, over caches: the test writes the status that is decided. */
class TaintSliceEvictionTest {
    private static final String POOL = "gpu.example.com/node-1";
    private static final ObjectKey HEALTH = ObjectKey.clusterScoped("health");

    private final RuleFixture fixture = new RuleFixture((change, manager, again) -> write(change));
    private final DevicesFixture cluster = fixture.cluster;
    private final List<String> deleted = new ArrayList<>();
    private Evictions evictions = evictions(true);

    @BeforeEach
    void devices() {
        cluster.server.serveNone();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Evictions evictions(boolean unenforced) {
        return cluster.evictions(
                new Pacer<>(fixture.time::nanoTime), fixture.time::nanoTime, fixture.time, unenforced);
    }

    /** A process in the place of the one before. */
    private void restart() {
        evictions = evictions(true);
    }

    private Applied write(ObjectChange change) {
        ObjectChange update = change;
        if (update.verb() instanceof Verb.Delete) {
            deleted.add(update.key().name());
            cluster.caches.pods().remove(cluster.caches.pods().get(update.key()).orElseThrow());
        }
        return new Applied.Written();
    }

    /** Decides, without showing it. */
    private StatusDetails decide() {
        cluster.settle();
        Decision decision =
                cluster.reconciler(Kind.TAINT_SLICE, evictions, fixture.time).reconcile(HEALTH);
        if (decision instanceof Decision.Change change) {
            cluster.server.write(change.change());
        }
        return DevicesFixture.target(decision).details().orElseThrow();
    }

    private void show(StatusDetails details) {
        put(details.conditions().entrySet().stream().map(entry -> new Condition(
                entry.getKey(), entry.getValue().status(), entry.getValue().why().reason(),
                entry.getValue().why().message(), fixture.time.instant(), slice().generation())).toList(),
                Trees.text(Tree.of(details.fields())));
    }

    private CustomResource<DeviceTaintSlice> slice() {
        return cluster.caches.taintSlices().get(HEALTH).orElseThrow();
    }

    private void put(List<Condition> conditions, String status) {
        CustomResource<DeviceTaintSlice> slice = slice();
        cluster.caches.taintSlices().put(new CustomResource<>(slice.metadata().withResourceVersion("shown"),
                slice.generation(), slice.spec(), conditions, status, slice.created()));
    }

    private void evict() {
        PodEviction eviction = new PodEviction(cluster.caches, evictions, fixture.context);
        List<ObjectKey> pods = cluster.caches.pods().all().stream().map(pod -> pod.key())
                .sorted(Comparator.comparing(ObjectKey::toString)).toList();
        pods.forEach(eviction::apply);
    }

    /** All that is to be done now. Returns what the status shows then. */
    private StatusDetails.Text work() {
        show(decide());
        show(decide());
        evict();
        show(decide());
        return decide().conditions().get(TaintStatus.EVICTION);
    }

    /** Pods go meanwhile. */
    private void pass(int seconds) {
        for (int tick = 0; tick < seconds * 10; tick++) {
            fixture.time.pass(Duration.ofMillis(100));
            evict();
        }
    }

    /** Keeps the status, as the server does when a spec is edited. */
    private void declare(String... taints) {
        Optional<CustomResource<DeviceTaintSlice>> before = cluster.caches.taintSlices().get(HEALTH);
        cluster.taintSlice("health", POOL, taints);
        before.ifPresent(old -> put(old.conditions(), old.status()));
    }

    private void pods(String device, int count) {
        cluster.slice("s-" + device, "gpu.example.com", "node-1", device + "=any");
        for (int i = 0; i < count; i++) {
            cluster.claim(device + i, POOL + "/" + device, device + i);
            cluster.pod(device + i, "node-1");
        }
    }

    @Test
    void nobody_goes_before_the_status_is_seen_that_shows_it() {
        pods("a", 1);
        declare("a:k:NoExecute");
        StatusDetails details = decide();
        assertThat(details.conditions().get(TaintStatus.EVICTION).why().reason())
                .isEqualTo("PodsPendingEviction");
        decide();
        evict();
        assertThat(deleted).isEmpty();
        show(details);
        decide();
        evict();
        assertThat(deleted).containsExactly("a0");
        assertThat(decide().conditions().get(TaintStatus.EVICTION).why().message())
                .isEqualTo("1 pod evicted since the controller started");
        show(decide());
        cluster.claim("new", POOL + "/a", "new");
        cluster.pod("new", "node-1");
        StatusDetails again = decide();
        evict();
        assertThat(deleted).as("the status says that no pod is left").containsExactly("a0");
        show(again);
        decide();
        evict();
        assertThat(deleted).containsExactly("a0", "new");
    }

    @Test
    void each_taint_has_a_burst_and_a_pace_of_its_own() {
        pods("a", 14);
        pods("b", 2);
        pods("c", 3);
        declare("a:k:NoExecute", "b:k:NoExecute", "c:k:NoSchedule");
        work();
        assertThat(deleted).hasSize(12).contains("b0", "b1");
        assertThat(work().status()).isEqualTo(Condition.TRUE);
        pass(1);
        assertThat(work().why().message()).isEqualTo("16 pods evicted since the controller started");
        assertThat(deleted).hasSize(16).noneMatch(pod -> pod.startsWith("c"));
    }

    @Test
    void a_pod_counts_once_whatever_number_of_taints_it_goes_for_and_also_when_a_taint_is_taken_out() {
        cluster.slice("s", "gpu.example.com", "node-1", "a=any", "b=any");
        cluster.claim("c", POOL + "/a", "p");
        cluster.claim("d", POOL + "/b", "p");
        cluster.pod("p", "node-1");
        declare("a:k:NoExecute", "b:k:NoExecute");
        assertThat(work().why().message()).isEqualTo("1 pod evicted since the controller started");
        declare("b:k:NoExecute");
        assertThat(work().why().message()).isEqualTo("1 pod evicted since the controller started");
    }

    /** The status of the DeviceTaintSlice does not tell for which taint it has evicted. */
    @Test
    void a_taint_that_is_added_after_pods_were_evicted_has_no_burst() {
        pods("a", 2);
        declare("a:k:NoExecute");
        work();
        assertThat(deleted).hasSize(2);
        pods("b", 14);
        declare("a:k:NoExecute", "b:k:NoExecute");
        work();
        assertThat(deleted).hasSize(2);
        pass(1);
        assertThat(deleted).hasSize(12);
    }

    @Test
    void a_process_that_comes_after_another_has_no_burst() {
        pods("a", 14);
        declare("a:k:NoExecute");
        work();
        assertThat(deleted).hasSize(10);
        restart();
        work();
        assertThat(deleted).hasSize(10);
        pass(1);
        work();
        assertThat(deleted).hasSize(14);
    }

    @Test
    void it_stops_when_the_taint_goes_or_its_effect_is_lowered_or_the_slice_is_gone() {
        pods("a", 30);
        declare("a:k:NoExecute");
        work();
        assertThat(deleted).hasSize(10);
        fixture.time.pass(Duration.ofSeconds(1));
        declare("a:k:NoSchedule");
        evict();
        assertThat(deleted).as("at once, whatever was decided").hasSize(10);
        assertThat(work().why().reason()).isEqualTo("OtherEffect");
        declare("b:k:NoExecute");
        work();
        assertThat(deleted).hasSize(10);
        declare("a:k:NoExecute");
        show(decide());
        show(decide());
        DevicesFixture.remove(cluster.caches.taintSlices(), "", "health");
        evict();
        assertThat(deleted).hasSize(10);
    }

    @Test
    void a_taint_that_goes_and_comes_back_has_no_burst_again() {
        pods("a", 40);
        declare("a:k:NoExecute");
        work();
        pass(1);
        work();
        assertThat(deleted).hasSize(20);
        fixture.time.pass(Duration.ofSeconds(5));
        declare("a:k:None");
        work();
        declare("a:k:NoExecute");
        work();
        assertThat(deleted).hasSize(20);
        pass(1);
        work();
        assertThat(deleted).hasSize(30);
    }

    @Test
    void a_claim_that_tolerates_the_taint_for_a_time_keeps_its_pod_from_when_the_effect_became_no_execute() {
        pods("a", 0);
        cluster.claim("c", POOL + "/a", Map.of("key", "k", "operator", "Exists", "effect", "NoExecute",
                "tolerationSeconds", 60), "p");
        cluster.pod("p", "node-1");
        declare("a:k:None");
        work();
        pass(100);
        declare("a:k:NoExecute");
        work();
        pass(59);
        restart();
        work();
        assertThat(deleted).isEmpty();
        pass(2);
        work();
        assertThat(deleted).containsExactly("p");
    }

    /** As when another client has edited the status. */
    @Test
    void a_taint_evicts_nobody_while_it_is_not_known_since_when_it_counts() {
        pods("a", 1);
        declare("a:k:NoExecute");
        show(decide());
        StatusDetails details = decide();
        List<ObjectKey> woken = new ArrayList<>();
        cluster.caches.taintSlices().subscribeToChanges(
                (before, after) -> woken.addAll(TaintStatus.mapShown(before, after)));
        show(details.withField("devices", 2));
        assertThat(woken).isEmpty();
        show(new StatusDetails(Map.of(TaintStatus.BEGAN, Tree.of(true)), details.conditions()));
        assertThat(woken).containsExactly(HEALTH);
        decide();
        evict();
        assertThat(deleted).isEmpty();
        show(details);
        assertThat(woken).containsExactly(HEALTH, HEALTH);
        decide();
        evict();
        assertThat(deleted).containsExactly("a0");
    }

    @Test
    void before_any_pod_goes_the_scheduler_knows_of_all_devices() {
        onlyEnforced();
        cluster.server.serve();
        pods("a", 1);
        pods("b", 1);
        declare("a:k:NoExecute", "b:k:NoExecute");
        work();
        cluster.server.report(cluster.server.cache.all().iterator().next(), 1);
        assertThat(work().why().reason()).isEqualTo("NotEnforced");
        assertThat(deleted).isEmpty();
    }

    private void onlyEnforced() {
        evictions = evictions(false);
    }

    @Test
    void pods_of_a_device_that_is_not_kept_off_yet_wait_and_others_go_on() {
        onlyEnforced();
        cluster.server.serve();
        pods("a", 14);
        declare("a:k:NoExecute");
        assertThat(work().why().reason()).isEqualTo("NotEnforced");
        cluster.server.report(1);
        assertThat(work().status()).isEqualTo(Condition.TRUE);
        assertThat(deleted).hasSize(10);
        pods("b", 1);
        declare("a:k:NoExecute", "b:k:NoExecute");
        assertThat(work().status()).isEqualTo(Condition.TRUE);
        pass(1);
        assertThat(deleted).hasSize(14).doesNotContain("b0");
        cluster.server.report(1);
        work();
        pass(1);
        assertThat(deleted).hasSize(15).contains("b0");
    }

    @Test
    void nobody_goes_while_the_scheduler_does_not_know_of_the_taints() {
        onlyEnforced();
        pods("a", 1);
        declare("a:k:NoExecute");
        assertThat(work().why().reason()).isEqualTo("NotEnforced");
        assertThat(deleted).isEmpty();
    }

    @Test
    void the_condition_says_that_the_server_does_not_let_a_pod_go() {
        pods("a", 1);
        declare("a:k:NoExecute");
        show(decide());
        show(decide());
        Set<DeviceKey> told = new HashSet<>();
        evictions.whenHeldUp(told::addAll);
        new PodEviction(cluster.caches, evictions, fixture.context)
                .refused(new ObjectKey("ns", "a0"), new Blocked("Refused", "not now"));
        assertThat(told).containsExactly(new DeviceKey(Kind.TAINT_SLICE, HEALTH));
        assertThat(decide().conditions().get(TaintStatus.EVICTION).why().message())
                .isEqualTo("1 pod in 1 namespace to be evicted; the server does not let 1 go, which is tried again;"
                        + " of Pod ns/a0 not now");
    }

    @Test
    void a_fault_or_an_empty_slice_evicts_nobody() {
        pods("a", 1);
        declare("a:k:NoExecute", "a:kubernetes.io/k:NoExecute");
        assertThat(work().why().reason()).isEqualTo("NotInEffect");
        declare();
        assertThat(work().why().reason()).isEqualTo("NoEffect");
        declare("a:k:None");
        assertThat(work().why().reason()).isEqualTo("NoEffect");
        assertThat(deleted).isEmpty();
    }
}
