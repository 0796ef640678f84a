package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Gauge;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.status.StatusDetails;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TaintSliceReconcilerTest {
    private static final String POOL = "gpu.example.com/node-1";

    private final DevicesFixture cluster = DevicesFixture.started();
    private final ServerRulesFixture server = cluster.server;
    private final Set<String> told = new TreeSet<>();

    @BeforeEach
    void devices() {
        server.serve();
        hear(cluster);
        cluster.slice("s", "gpu.example.com", "node-1", "a=x", "b=x", "c=x");
        cluster.claim("claim", POOL + "/a", "pod");
        cluster.pod("pod", "node-1");
        settle();
    }

    private void hear(DevicesFixture cluster) {
        cluster.devices.holder().whenChanged(
                keys -> DeviceKey.objects(Kind.TAINT_SLICE, keys).forEach(slice -> told.add(slice.name())));
    }

    private static Decision reconcile(DevicesFixture cluster, String slice) {
        return cluster.reconciler(Kind.TAINT_SLICE, cluster.evictions,
                () -> Instant.parse("2026-01-02T03:04:05Z")).reconcile(ObjectKey.clusterScoped(slice));
    }

    /** Does what is decided until there is nothing left to do. */
    private StatusDetails shown(String slice) {
        Decision decision = reconcile(cluster, slice);
        while (decision instanceof Decision.Change change) {
            server.write(change.change());
            decision = reconcile(cluster, slice);
        }
        return DevicesFixture.target(decision).details().orElseThrow();
    }

    private Set<String> settle() {
        cluster.settle();
        Set<String> all = Set.copyOf(told);
        told.clear();
        return all;
    }

    private List<String> projected() {
        return server.cache.all().stream().map(rule -> rule.spec().selector().orElseThrow().device().orElseThrow()
                + ":" + rule.spec().taint().effect()).sorted().toList();
    }

    @Test
    void a_status_counts_the_devices_that_are_published_and_names_the_others() {
        cluster.taintSlice("health", POOL, "b:k:None", "a:k:None", "a:l:None", "z:k:None", "y:k:None", "y:l:None");
        StatusDetails shown = shown("health");
        assertThat(shown.fields().get("devices").integer()).hasValue(2);
        assertThat(shown.fields().get("unknown")).isEqualTo(Tree.of(List.of("y", "z")));
        assertThat(shown.fields().get("pods").integer()).hasValue(0);
        assertThat(shown.fields().get("poolGeneration").integer()).hasValue(1);
        assertThat(shown.conditions()).containsOnlyKeys(TaintStatus.EVICTION);
        assertThat(projected()).isEmpty();
    }

    @Test
    void a_taint_slice_has_the_meters_of_a_rule_until_it_is_gone_or_has_a_fault() {
        cluster.claim("claim", POOL + "/a", "pod");
        cluster.pod("pod", "node-1");
        cluster.taintSlice("health", POOL, "a:k:NoExecute", "b:k:NoSchedule", "z:k:None");
        shown("health");
        assertThat(meter("nodeward.devices.taint.slice.devices")).hasValue(2);
        assertThat(meter("nodeward.devices.taint.slice.pods")).hasValue(1);
        assertThat(slices("NotEnforced")).isEqualTo(1);
        cluster.taintSlice("health", POOL, "a:kubernetes.io/k:NoSchedule");
        shown("health");
        assertThat(meter("nodeward.devices.taint.slice.pods")).isEmpty();
        assertThat(slices("Invalid")).isEqualTo(1);
        DevicesFixture.remove(cluster.caches.taintSlices(), "", "health");
        reconcile(cluster, "health");
        assertThat(slices("Invalid")).isZero();
    }

    private OptionalDouble meter(String name) {
        return cluster.registry.find(name).tag("taint_slice", "health").gauges().stream()
                .mapToDouble(Gauge::value).findFirst();
    }

    private double slices(String state) {
        return cluster.registry.get("nodeward.devices.taint.slices").tag("state", state).gauge().value();
    }

    @Test
    void a_slice_without_taints_is_in_effect() {
        cluster.taintSlice("health", POOL);
        assertThat(reconcile(cluster, "health")).isInstanceOf(Decision.InEffect.class);
        assertThat(shown("health").fields().get("unknown")).isEqualTo(Tree.of(List.of()));
        cluster.taintSlice("health", POOL, "a:k:NoSchedule");
        shown("health");
        assertThat(projected()).hasSize(1);
        cluster.taintSlice("health", POOL);
        shown("health");
        assertThat(projected()).isEmpty();
    }

    /** None changes nothing; a device that nobody publishes yet has its taint from the first moment. */
    @Test
    void the_server_has_a_rule_for_each_taint_that_keeps_pods_off_and_evicts_nobody() {
        cluster.taintSlice("health", POOL, "a:k:NoExecute", "b:k:NoSchedule", "c:k:None", "z:k:NoSchedule");
        assertThat(shown("health").conditions().get(ServerRules.CONDITION).why().reason()).isEqualTo("NotReported");
        assertThat(projected()).containsExactly("a:NoExecute", "b:NoSchedule", "z:NoSchedule");
        assertThat(server.cache.all()).allSatisfy(rule -> {
            assertThat(rule.spec().selector().orElseThrow().pool()).contains("node-1");
            assertThat(rule.spec().selector().orElseThrow().driver()).contains("gpu.example.com");
            assertThat(rule.metadata().owners()).extracting(OwnerRef::kind, OwnerRef::name)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple("DeviceTaintSlice", "health"));
        });
        assertThat(server.cache.all()).filteredOn(rule -> rule.spec().taint().effect().equals("NoExecute"))
                .allSatisfy(rule -> assertThat(rule.spec().taint().timeAdded().orElseThrow())
                        .isAfter("2325-01-01T00:00:00Z"));
        server.report(1);
        assertThat(shown("health").conditions().get(ServerRules.CONDITION).status()).isEqualTo(Condition.TRUE);
        assertThat(shown("health").fields().get("pods").integer()).hasValue(1);
    }

    @Test
    void what_is_wrong_is_told_with_its_fields_and_no_device_has_a_taint() {
        cluster.taintSlice("health", POOL, "a:k:NoSchedule");
        shown("health");
        cluster.taintSlice("health", POOL, "a:k:NoSchedule", "a:kubernetes.io/k:NoSchedule");
        Decision decision = reconcile(cluster, "health");
        assertThat(decision).as("the server's rule goes").isInstanceOf(Decision.Change.class);
        assertThat(shown("health").fields()).containsOnlyKeys("observedGeneration", "observedTaints");
        assertThat(projected()).isEmpty();
        assertThat(DevicesFixture.blocked(reconcile(cluster, "health"))).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("Invalid");
            assertThat(why.message()).startsWith("spec.taints[1].taint.key: Invalid value: ");
        });
    }

    @Test
    void rules_and_slices_share_the_limit_and_a_slice_has_all_or_nothing() {
        cluster.rule("old", Optional.of(DevicesFixture.cel("true")),
                Map.of("effect", "NoSchedule", "timeAdded", "2026-01-01T00:00:00Z"));
        cluster.taintSlice("health", POOL, "a:k:NoSchedule");
        settle();
        StatusDetails.Text tooMany = shown("health").conditions().get(ServerRules.CONDITION);
        assertThat(tooMany.status()).isEqualTo(Condition.FALSE);
        assertThat(tooMany.why().reason()).isEqualTo("TooManyTaints");
        assertThat(tooMany.why().message()).contains("needs 1 ").contains("may have 3");
        assertThat(cluster.devices.granted(Kind.RULE)).containsExactly("old");
        assertThat(cluster.devices.granted(Kind.TAINT_SLICE)).isEmpty();

        DevicesFixture.remove(cluster.caches.rules(), "", "old");
        assertThat(settle()).as("who hears that there is room").containsExactly("health");
        assertThat(cluster.devices.granted(Kind.RULE)).isEmpty();
        assertThat(cluster.devices.granted(Kind.TAINT_SLICE)).containsExactly("health");
        shown("health");
        assertThat(projected()).containsExactly("a:NoSchedule");
    }

    /** Also of one whose name a rule has. */
    @Test
    void who_hears_of_a_change_are_the_slices_that_name_the_device_and_nothing_is_evaluated() {
        cluster.rule("of-a", DevicesFixture.cel("true"));
        cluster.taintSlice("of-a", POOL, "a:k:None");
        cluster.taintSlice("of-b", POOL, "b:k:None", "z:k:None");
        cluster.taintSlice("elsewhere", "gpu.example.com/node-2", "a:k:None");
        assertThat(settle()).containsExactlyInAnyOrder("of-a", "of-b", "elsewhere");
        long evaluations = cluster.devices.evaluations();
        cluster.taintSlice("of-b", POOL, "b:k:NoExecute", "y:k:None");
        assertThat(settle()).containsExactly("of-b");
        cluster.pod("pod", "");
        assertThat(settle()).containsExactly("of-a");
        cluster.claim("claim", POOL + "/b", "pod");
        assertThat(settle()).containsExactlyInAnyOrder("of-a", "of-b");
        assertThat(cluster.devices.evaluations()).isEqualTo(evaluations);
        cluster.slice("s", "gpu.example.com", "node-1", "a=x", "b=x", "c=x", "z=x");
        assertThat(settle()).as("none names it any more").isEmpty();
        cluster.slice("s", "gpu.example.com", "node-1", "a=x", "b=x", "c=x", "y=x");
        assertThat(settle()).containsExactly("of-b");
        DevicesFixture.remove(cluster.caches.taintSlices(), "", "of-b");
        assertThat(settle()).containsExactly("of-b");
        assertThat(reconcile(cluster, "of-b")).isInstanceOf(Decision.Gone.class);
    }

    @Test
    void a_newer_generation_of_the_pool_makes_a_device_unknown() {
        cluster.taintSlice("health", POOL, "a:k:None", "b:k:None");
        assertThat(shown("health").fields().get("unknown")).isEqualTo(Tree.of(List.of()));
        cluster.published("newer", "gpu.example.com", "node-1", 2, List.of(Map.of("name", "a")));
        assertThat(settle()).containsExactly("health");
        assertThat(shown("health").fields().get("unknown")).isEqualTo(Tree.of(List.of("b")));
        assertThat(shown("health").fields().get("poolGeneration").integer()).hasValue(2);
        cluster.published("newer", "gpu.example.com", "node-1", 3, List.of(Map.of("name", "a")));
        assertThat(settle()).as("no device has changed").containsExactly("health");
        assertThat(shown("health").fields().get("poolGeneration").integer()).hasValue(3);
        DevicesFixture.remove(cluster.caches.slices(), "", "newer");
        assertThat(shown("health").fields().get("unknown")).isEqualTo(Tree.of(List.of()));
    }

    @Test
    void pods_count_that_do_not_tolerate_a_no_execute_taint_for_ever() {
        cluster.claim("tolerates", POOL + "/b", Map.of("key", "k", "operator", "Exists"), "other");
        cluster.claim("for-a-time", POOL + "/c", Map.of("key", "k", "operator", "Exists", "effect", "NoExecute",
                "tolerationSeconds", 60), "third");
        cluster.pod("other", "node-1");
        cluster.pod("third", "node-1");
        cluster.taintSlice("health", POOL, "a:k:NoExecute", "a:l:NoExecute", "b:k:NoExecute", "c:k:NoExecute");
        assertThat(shown("health").fields().get("pods").integer()).hasValue(2);
        cluster.taintSlice("health", POOL, "a:k:NoSchedule", "b:l:NoExecute", "c:k:None");
        assertThat(shown("health").fields().get("pods").integer()).hasValue(1);
    }

    @Test
    void rules_do_not_wait_for_taint_slices_and_these_wait_for_the_rest() {
        DevicesFixture starting = new DevicesFixture();
        starting.rule("r", DevicesFixture.ALL);
        starting.taintSlice("health", POOL, "a:k:None");
        assertThat(reconcile(starting, "health")).isInstanceOfSatisfying(Decision.Waiting.class,
                waiting -> assertThat(waiting.reason()).startsWith("all devicetaintrules, "));
        starting.caches.all().values().forEach(DevicesFixture::sync);
        assertThat(starting.reconcile("r")).isInstanceOf(Decision.InEffect.class);
        assertThat(reconcile(starting, "health")).isInstanceOf(Decision.InEffect.class);
    }

    /** Its cache cannot say which claims have a device. */
    @Test
    void while_a_claim_cannot_be_settled_nothing_is_shown_and_then_all_are_told() {
        DevicesFixture failing = new DevicesFixture(new ObjectCache<>(DeviceCaches.OF_CONSUMER));
        failing.taintSlice("health", POOL, "a:k:None");
        failing.taintSlice("invalid", POOL, "a:kubernetes.io/k:None");
        failing.start();
        failing.settle();
        hear(failing);
        failing.claim("claim", POOL + "/a", "pod");
        assertThatThrownBy(failing::settle).isInstanceOf(RuntimeException.class);
        assertThat(reconcile(failing, "health")).isInstanceOf(Decision.Waiting.class);
        assertThat(reconcile(failing, "invalid")).isInstanceOf(Decision.Waiting.class);
        told.clear();
        DevicesFixture.remove(failing.caches.claims(), "ns", "claim");
        failing.settle();
        assertThat(told).containsExactlyInAnyOrder("health", "invalid");
    }

    @Test
    void before_the_server_has_said_whether_it_has_rules_of_its_own_a_taint_with_an_effect_waits() {
        DevicesFixture starting = DevicesFixture.started();
        starting.taintSlice("none", POOL, "a:k:None");
        starting.taintSlice("health", POOL, "a:k:NoSchedule");
        assertThat(reconcile(starting, "none")).isInstanceOf(Decision.InEffect.class);
        assertThat(reconcile(starting, "health")).isInstanceOfSatisfying(Decision.Waiting.class,
                waiting -> assertThat(waiting.reason()).startsWith("an answer of the server"));
        starting.server.serveNone();
        assertThat(DevicesFixture.target(reconcile(starting, "health")).details().orElseThrow().conditions()
                .get(ServerRules.CONDITION).why().reason()).isEqualTo("NotServed");
    }

    /** One at a time, some together, all at once. */
    @Test
    void in_whatever_order_the_first_objects_come_the_statuses_are_the_same() {
        List<Object> expected = null;
        Random random = new Random(7);
        for (int run = 0; run < 60; run++) {
            DevicesFixture other = new DevicesFixture();
            List<Runnable> events = new ArrayList<>(List.of(
                    () -> other.taintSlice("health", POOL, "a:k:NoExecute", "b:k:NoSchedule", "z:k:None"),
                    () -> other.taintSlice("more", POOL, "b:l:NoExecute"),
                    () -> other.slice("s", "gpu.example.com", "node-1", "a=x", "b=x", "z=x"),
                    () -> other.published("newer", "gpu.example.com", "node-1", 2,
                            List.of(Map.of("name", "a"), Map.of("name", "b"))),
                    () -> other.claim("claim", POOL + "/a", "pod"), () -> other.claim("second", POOL + "/b", "pod-b"),
                    () -> other.pod("pod", "node-1"), () -> other.pod("pod-b", "node-1"),
                    () -> other.pod("pod-b", "node-1"),
                    () -> other.rule("r", DevicesFixture.cel("true"))));
            Collections.shuffle(events, random);
            int settled = random.nextInt(4);
            for (Runnable event : events) {
                event.run();
                if (settled > 0 && random.nextInt(settled) == 0) {
                    other.settle();
                }
            }
            other.start();
            other.server.serve();
            List<Object> statuses = List.of(status(other, "health"), status(other, "more"));
            expected = expected == null ? statuses : expected;
            assertThat(statuses).as("run " + run).isEqualTo(expected);
        }
        assertThat(expected).hasToString("[{devices=2, pods=1, unknown=[z]}, {devices=1, pods=1, unknown=[]}]");
    }

    private static Map<String, Object> status(DevicesFixture cluster, String slice) {
        Map<String, Tree> fields = new HashMap<>(
                DevicesFixture.target(reconcile(cluster, slice)).details().orElseThrow().fields());
        fields.remove("observedGeneration");
        return new java.util.TreeMap<>(Map.of("devices", fields.get("devices").integer().orElseThrow(),
                "pods", fields.get("pods").integer().orElseThrow(),
                "unknown", fields.get("unknown").elements().stream().map(Tree::string).toList()));
    }
}
