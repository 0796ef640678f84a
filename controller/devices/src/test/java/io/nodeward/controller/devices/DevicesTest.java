package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.StatusDetails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DevicesTest {
    private static final String BROKEN = "device.attributes['a.example.com'].model == 'broken'";
    private static final List<String> RULES = List.of("driver-a", "driver-b", "cel", "class", "all");

    private final DevicesFixture cluster = DevicesFixture.started();

    @BeforeEach
    void devices() {
        events(cluster).forEach(Runnable::run);
        cluster.settle();
        cluster.heard();
    }

    private static List<Runnable> events(DevicesFixture cluster) {
        return List.of(
                () -> cluster.slice("a", "a.example.com", "node-1", "d1=broken", "d2=good"),
                () -> cluster.slice("b", "b.example.com", "node-1", "d1=broken"),
                () -> cluster.deviceClass("broken", "device.driver == 'a.example.com'", BROKEN),
                () -> cluster.rule("driver-a", Map.of("driver", "a.example.com")),
                () -> cluster.rule("driver-b", Map.of("driver", "b.example.com")),
                () -> cluster.rule("cel", with("driver", "a.example.com", DevicesFixture.cel(BROKEN))),
                () -> cluster.rule("class", Map.of("deviceClassName", "broken")),
                () -> cluster.rule("all", DevicesFixture.ALL),
                () -> cluster.claim("of-a", "a.example.com/node-1/d1", "pod-a"),
                () -> cluster.claim("of-b", "b.example.com/node-1/d1", "pod-b"),
                () -> cluster.claim("gone", "a.example.com/node-9/d1", "pod-b"),
                () -> cluster.pod("pod-a", "node-1"),
                () -> cluster.pod("pod-b", "node-1"));
    }

    private static Map<String, Object> with(String field, Object value, Map<String, Object> selector) {
        Map<String, Object> more = new HashMap<>(selector);
        more.put(field, value);
        return more;
    }

    @Test
    void a_slice_concerns_the_rules_whose_answer_about_one_of_its_devices_changed() {
        cluster.slice("a", "a.example.com", "node-1", "d1=broken", "d2=broken");
        assertThat(cluster.settle()).containsExactlyInAnyOrder("cel", "class");
        cluster.slice("a", "a.example.com", "node-1", "d1=broken", "d2=broken", "d3=good");
        assertThat(cluster.settle()).containsExactlyInAnyOrder("driver-a", "all");
        DevicesFixture.remove(cluster.caches.slices(), "", "b");
        assertThat(cluster.settle()).containsExactlyInAnyOrder("driver-b", "all");
        assertThat(cluster.count("driver-b", "devices")).as("no slice publishes it").contains(0L);
        assertThat(cluster.count("driver-b", "pods")).as("a claim has it still").contains(1L);
    }

    @Test
    void devices_that_stay_as_no_slice_is_complete_count_for_the_heap_until_they_go() {
        long without = cluster.taken();
        cluster.slice("s", "a.example.com", "node-7", "d1=good", "d2=good");
        cluster.settle();
        long with = cluster.taken();
        cluster.unknownSlice("s", "a.example.com", "node-7");
        cluster.settle();
        assertThat(cluster.taken()).isEqualTo(with).isGreaterThan(without + 1200);

        DevicesFixture.remove(cluster.caches.slices(), "", "s");
        cluster.settle();
        assertThat(cluster.taken()).isEqualTo(without);
    }

    @Test
    void a_device_that_is_gone_is_as_it_was_last_although_nobody_looked_meanwhile() {
        cluster.slice("c", "a.example.com", "node-3", "d1=good");
        cluster.claim("of-c", "a.example.com/node-3/d1", "pod-a");
        cluster.settle();
        assertThat(cluster.count("cel", "allocated")).contains(1L);
        cluster.slice("c", "a.example.com", "node-3", "d1=broken");
        DevicesFixture.remove(cluster.caches.slices(), "", "c");
        assertThat(cluster.settle()).contains("cel");
        assertThat(cluster.count("cel", "allocated")).contains(2L);
    }

    @Test
    void a_class_concerns_the_rules_that_name_it() {
        cluster.deviceClass("broken", "device.driver == 'b.example.com'");
        assertThat(cluster.settle()).containsExactly("class");
        cluster.deviceClass("other", "true");
        assertThat(cluster.settle()).isEmpty();
        DevicesFixture.remove(cluster.caches.classes(), "", "broken");
        assertThat(cluster.settle()).containsExactly("class");
    }

    @Test
    void a_rule_concerns_itself() {
        cluster.rule("driver-b", Map.of("driver", "a.example.com"));
        assertThat(cluster.settle()).containsExactly("driver-b");
        cluster.rule("driver-c", Map.of("driver", "c.example.com"));
        assertThat(cluster.settle()).containsExactly("driver-c");
        DevicesFixture.remove(cluster.caches.rules(), "", "driver-c");
        assertThat(cluster.settle()).containsExactly("driver-c");
    }

    @Test
    void a_claim_concerns_the_rules_of_the_devices_that_it_has_and_had() {
        cluster.claim("of-b", "a.example.com/node-1/d2", "pod-b");
        assertThat(cluster.settle()).containsExactlyInAnyOrder("driver-b", "driver-a", "all");
        cluster.claim("of-a", "a.example.com/node-1/d1", Map.of("operator", "Exists"), "pod-a");
        assertThat(cluster.settle()).containsExactlyInAnyOrder("driver-a", "cel", "class", "all");
        assertThat(cluster.count("cel", "tolerating")).contains(1L);
        DevicesFixture.remove(cluster.caches.claims(), "ns", "of-a");
        assertThat(cluster.settle()).containsExactlyInAnyOrder("driver-a", "cel", "class", "all");
        assertThat(cluster.count("cel", "allocated")).contains(0L);
    }

    @Test
    void a_device_of_which_the_slice_is_gone_is_known_as_long_as_one_of_its_claims_has_it() {
        cluster.claim("second", "a.example.com/node-1/d1", "pod-b");
        cluster.settle();
        DevicesFixture.remove(cluster.caches.slices(), "", "a");
        assertThat(cluster.settle()).containsExactlyInAnyOrder("driver-a", "cel", "class", "all");
        assertThat(cluster.count("cel", "pods")).as("unknown is only the one that was never seen").isEmpty();
        DevicesFixture.remove(cluster.caches.claims(), "ns", "gone");
        assertThat(cluster.count("cel", "pods")).contains(2L);
        DevicesFixture.remove(cluster.caches.claims(), "ns", "of-a");
        assertThat(cluster.count("cel", "pods")).contains(1L);
        DevicesFixture.remove(cluster.caches.claims(), "ns", "second");
        assertThat(cluster.count("cel", "pods")).contains(0L);
        cluster.claim("second", "a.example.com/node-1/d1", "pod-b");
        assertThat(cluster.count("cel", "unknown")).as("nobody has kept it").contains(1L);
    }

    @Test
    void a_claim_that_comes_together_with_the_end_of_a_slice_keeps_what_was_known_of_its_device() {
        cluster.slice("c", "a.example.com", "node-3", "d1=broken");
        cluster.settle();
        DevicesFixture.remove(cluster.caches.slices(), "", "c");
        cluster.claim("late", "a.example.com/node-3/d1", "pod-b");
        assertThat(cluster.count("cel", "evicted")).contains(2L);
        assertThat(cluster.count("cel", "unknown")).as("the one that was never seen").contains(1L);
    }

    @Test
    void a_pod_concerns_the_rules_of_its_devices_when_it_comes_goes_ends_is_deleted_or_gets_its_node() {
        List<Runnable> changes = List.of(
                () -> DevicesFixture.remove(cluster.caches.pods(), "ns", "pod-a"),
                () -> cluster.pod("pod-a", ""),
                () -> cluster.pod("pod-a", "node-1"),
                () -> cluster.pod("pod-a", "node-1", "Running", Map.of(), true),
                () -> cluster.pod("pod-a", "node-1"),
                () -> cluster.pod("pod-a", "node-1", "Failed", Map.of(), false));
        List<Long> pods = new ArrayList<>();
        for (Runnable change : changes) {
            change.run();
            assertThat(cluster.settle()).containsExactlyInAnyOrder("driver-a", "cel", "class", "all");
            assertThat(cluster.devices.evaluations()).isEqualTo(EVALUATIONS);
            cluster.count("cel", "evicted").ifPresent(pods::add);
        }
        assertThat(pods).containsExactly(0L, 0L, 1L, 0L, 1L, 0L);
    }

    /** Of the rule that asks two devices, and of the class, whose first expression is asked of three. */
    private static final long EVALUATIONS = 2 + 3;

    @Test
    void all_that_has_changed_is_evaluated_together() {
        cluster.evaluated.set(0);
        events(cluster).forEach(Runnable::run);
        cluster.slice("a", "a.example.com", "node-1", "d1=good", "d2=broken");
        cluster.slice("b", "b.example.com", "node-1", "d1=good", "d2=broken");
        assertThat(cluster.settle()).contains("cel", "all");
        assertThat(cluster.evaluated).hasValue(1);
    }

    @Test
    void what_changes_nothing_wakes_nobody() {
        cluster.pod("pod-a", "node-1", "Running", Map.of("a", "label"), false);
        cluster.pod("without-a-claim", "node-1");
        cluster.rule("all", DevicesFixture.ALL); // of which only the generation is new, as with data of a taint
        cluster.labelClass("broken");
        cluster.labelClaim("of-a");
        assertThat(cluster.heard()).as("of the rule").isEqualTo(1);
    }

    @Test
    void listeners_do_not_wait_for_an_expression() {
        cluster.devices.holder().look(() -> {
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                events(cluster).forEach(Runnable::run);
                cluster.pod("pod-a", "");
                cluster.rule("driver-a", Map.of("driver", "none.example.com"));
                DevicesFixture.remove(cluster.caches.slices(), "", "b");
            }, "it is through");
            return "asked";
        });
        assertThat(cluster.count("driver-a", "devices")).contains(0L);
        assertThat(cluster.count("driver-b", "devices")).contains(0L);
        assertThat(cluster.count("cel", "evicted")).contains(0L);
    }

    @Test
    void a_rule_waits_until_all_its_devices_have_been_asked_while_others_are_shown() {
        cluster.sized("many", "m", "p", 100, size -> size);
        cluster.settle();
        cluster.slow();
        long before = cluster.devices.evaluations();
        cluster.rule("wide", Map.of("driver", "m", "selectors",
                DevicesFixture.selectors("device.attributes['m'].size > 50")));
        assertThat(cluster.reconcile("wide")).isInstanceOfSatisfying(Decision.Waiting.class,
                waiting -> assertThat(waiting.owner().orElseThrow().details()).as("what is shown stays").isEmpty());
        assertThat(cluster.devices.evaluations()).isEqualTo(before + DevicesFixture.IN_A_SLICE);
        assertThat(cluster.reconcile("cel")).isInstanceOf(Decision.InEffect.class);
        assertThat(cluster.devices.evaluations()).as("nobody waits who has no devices to ask")
                .isEqualTo(before + DevicesFixture.IN_A_SLICE + 1);

        cluster.slice("a", "a.example.com", "node-1", "d1=broken", "d2=broken");
        assertThat(cluster.devices.holder().work()).isNotEqualTo(Result.done());
        assertThat(cluster.devices.holder().work()).isNotEqualTo(Result.done());
        assertThat(cluster.count("cel", "devices")).contains(2L);
        assertThat(cluster.reconcile("wide")).isInstanceOf(Decision.Waiting.class);
        assertThat(cluster.settle()).contains("cel", "wide");
        assertThat(cluster.count("wide", "devices")).contains(49L);
    }

    /** So who acts by it acts for the pods that are counted, and for no others. */
    @Test
    void what_is_known_of_a_rule_that_acts_names_the_devices_of_its_pods() {
        cluster.slice("s", "a.example.com", "node-1", "used=any", "free=any");
        cluster.claim("used", "a.example.com/node-1/used", "pod-a");
        cluster.claim("other", "b.example.com/node-1/used", "pod-b");
        Map<String, Object> selector = Map.of("driver", "a.example.com", "pool", "node-1");
        Map<String, Object> effect = Map.of("effect", "NoExecute", "timeAdded", "2026-01-01T00:00:00Z");
        cluster.rule("acting", Optional.of(selector), effect);
        cluster.rule("none", selector);
        assertThat(inUse("acting")).extracting(DeviceName::device).contains("used").doesNotContain("free");
        assertThat(inUse("acting")).extracting(DeviceName::driver).containsOnly("a.example.com");
        assertThat(inUse("none")).isEmpty();
    }

    private Set<DeviceName> inUse(String rule) {
        return cluster.source(rule).orElseThrow().evicting().get(rule).devices();
    }

    @Test
    void while_a_claim_cannot_be_settled_nobody_is_evicted_for_a_taint_slice() {
        DevicesFixture failing = new DevicesFixture(new ObjectCache<>(DeviceCaches.OF_CONSUMER));
        failing.taintSlice("health", "a.example.com/node-1", "d1:k:NoExecute");
        failing.start();
        assertThat(selected(failing)).isNotEmpty();
        failing.claim("of-b", "b.example.com/node-1/d1", "pod-b");
        assertThat(selected(failing)).isEmpty();
        DevicesFixture.remove(failing.caches.claims(), "ns", "of-b");
        assertThat(selected(failing)).isNotEmpty();
    }

    private static Set<DeviceName> selected(DevicesFixture cluster) {
        return cluster.devices.selected(
                cluster.caches.taintSlices().get(ObjectKey.clusterScoped("health")).orElseThrow(),
                Set.of(new DeviceName("a.example.com", "node-1", "d1")));
    }

    /** Its cache cannot say which claims have a device. */
    @Test
    void while_a_claim_cannot_be_settled_no_rule_is_shown_and_then_all_are() {
        DevicesFixture failing = new DevicesFixture(new ObjectCache<>(DeviceCaches.OF_CONSUMER));
        events(failing).forEach(Runnable::run);
        List.of("of-a", "of-b", "gone").forEach(claim -> DevicesFixture.remove(failing.caches.claims(), "ns", claim));
        List.of("a", "b").forEach(slice -> DevicesFixture.remove(failing.caches.slices(), "", slice));
        failing.start();
        assertThat(failing.settle()).contains("driver-a");
        failing.claim("of-b", "b.example.com/node-1/d1", "pod-b");
        assertThatThrownBy(failing::settle).isInstanceOf(RuntimeException.class);
        assertThat(RULES).allSatisfy(
                rule -> assertThat(failing.reconcile(rule)).isInstanceOf(Decision.Waiting.class));
        DevicesFixture.remove(failing.caches.claims(), "ns", "of-b");
        assertThat(failing.settle()).containsExactlyInAnyOrderElementsOf(RULES);
    }

    /** Three threads ask while the caches change. One asks about the rules that it hears of, and keeps the answers. */
    @Test
    void whoever_asks_meanwhile_the_answers_are_those_of_a_new_start() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Set<String> told = ConcurrentHashMap.newKeySet();
        told.addAll(RULES);
        Map<String, TaintSource> heard = new ConcurrentHashMap<>();
        cluster.devices.holder().whenChanged(
                keys -> DeviceKey.objects(Kind.RULE, keys).forEach(rule -> told.add(rule.name())));
        Runnable hear = () -> RULES.stream().filter(told::remove)
                .forEach(rule -> cluster.source(rule).ifPresent(answer -> heard.put(rule, answer)));
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<?>> asking = List.of(
                    threads.submit(() -> until(isOver, () -> RULES.forEach(cluster::source))),
                    threads.submit(() -> until(isOver, hear)),
                    threads.submit(() -> until(isOver, cluster.devices.holder()::work)));
            try {
                Random random = new Random(7);
                for (int round = 0; round < 20; round++) {
                    for (int event = 0; event < 50; event++) {
                        change(random, "x" + random.nextInt(8));
                    }
                    await().untilAsserted(() -> assertThat(heard).isEqualTo(RULES.stream().collect(
                            Collectors.toMap(Function.identity(), rule -> cluster.source(rule).orElseThrow()))));
                }
            } finally {
                isOver.set(true);
            }
            for (Future<?> each : asking) {
                each.get();
            }
        }
        cluster.settle();
        DevicesFixture again = new DevicesFixture();
        cluster.caches.rules().all().forEach(again.caches.rules()::put);
        cluster.caches.classes().all().forEach(again.caches.classes()::put);
        cluster.caches.slices().all().forEach(again.caches.slices()::put);
        cluster.caches.claims().all().forEach(again.caches.claims()::put);
        cluster.caches.pods().all().forEach(again.caches.pods()::put);
        again.start();
        assertThat(statuses(cluster)).isEqualTo(statuses(again));
    }

    private static void until(AtomicBoolean isOver, Runnable how) {
        while (!isOver.get()) {
            how.run();
        }
    }

    /** No device goes, so that what a claim has is known from its slice. */
    private void change(Random random, String name) {
        String model = random.nextBoolean() ? "broken" : "good";
        switch (random.nextInt(5)) {
            case 0 -> cluster.slice(name, "a.example.com", "node-" + name, "d1=" + model, "d2=broken");
            case 1 -> cluster.claim(name, "a.example.com/never-" + name + "/d1", "pod-" + name);
            case 2 -> cluster.caches.claims().get(new ObjectKey("ns", name)).ifPresent(cluster.caches.claims()::remove);
            case 3 -> cluster.pod("pod-" + name, random.nextBoolean() ? "node-1" : "");
            default -> cluster.deviceClass("broken", random.nextBoolean() ? BROKEN : "true");
        }
    }

    /** One at a time, some together, all at once. */
    @Test
    void in_whatever_order_the_first_objects_come_the_statuses_are_the_same() {
        List<StatusDetails> expected = statuses(cluster);
        Random random = new Random(7);
        for (int run = 0; run < 60; run++) {
            DevicesFixture other = new DevicesFixture();
            List<Runnable> events = new ArrayList<>(events(other));
            Collections.shuffle(events, random);
            int settled = random.nextInt(4);
            for (Runnable event : events) {
                event.run();
                if (settled > 0 && random.nextInt(settled) == 0) {
                    other.settle();
                }
            }
            other.start();
            assertThat(statuses(other)).as("run " + run).isEqualTo(expected);
        }
        assertThat(expected.get(2).fields().get("preview").at("evicted").at("count").integer()).hasValue(1);
        assertThat(expected.get(2).fields().get("preview").at("unknown").at("count").integer()).hasValue(1);
    }

    private static List<StatusDetails> statuses(DevicesFixture cluster) {
        Stream<StatusDetails> all = RULES.stream().map(cluster::shown)
                .map(shown -> new StatusDetails(without(shown), shown.conditions()));
        return all.toList();
    }

    /** The generation is that of the order. */
    private static Map<String, Tree> without(StatusDetails shown) {
        Map<String, Tree> fields = new HashMap<>(shown.fields());
        fields.remove("observedGeneration");
        fields.remove("observedTaint"); // with its generation
        return fields;
    }
}
