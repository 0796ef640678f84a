package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.device.DeviceAttribute;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.PublishedDevice;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeapBudgetTest {
    private static final int BYTES = 1_000_000;
    private static final int PERCENT = BYTES / 100;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    /** Live bytes as they are measured; those of the cache if it is empty. */
    private OptionalLong live = OptionalLong.empty();
    private int measured;
    private long now = Duration.ofHours(1).toNanos();
    private final HeapBudget budget = new HeapBudget(BYTES, this::measure, () -> now, registry);
    private final ObjectCache<CandidatePod> pods = new ObjectCache<>(budget);

    private long measure() {
        measured++;
        return live.orElseGet(this::held);
    }

    @Test
    void an_estimate_that_is_too_high_refuses_nobody() {
        for (int i = 1; i <= 10; i++) {
            live = OptionalLong.of(6L * i * PERCENT);
            assertThat(budget.fits("a", 30 * PERCENT)).as("estimated " + 30 * i).isTrue();
            budget.add("a", 30 * PERCENT);
        }
        assertThat(measured).isBetween(3, 9);
        assertThat(named()).isEmpty();
    }

    @Test
    void many_small_accounts_make_no_share_small() {
        for (int i = 0; i < 1000; i++) {
            budget.add("empty" + i, 100);
        }
        budget.add("large", 50 * PERCENT);
        budget.add("middle", 5 * PERCENT);
        live = OptionalLong.of(80 * PERCENT);
        assertThat(budget.fits("middle", PERCENT)).isTrue();
        assertThat(budget.fits("empty1", 100)).isTrue();
        assertThat(budget.fits("large", PERCENT)).isFalse();
    }

    @Test
    void a_short_heap_has_room_for_accounts_of_less_than_an_equal_share_and_an_almost_full_one_for_none() {
        budget.add("large", 50 * PERCENT);
        budget.add("small", 12 * PERCENT);
        budget.addCluster("default/large", 3 * PERCENT);
        budget.addCluster("default/small", PERCENT);
        live = OptionalLong.of(80 * PERCENT);
        assertThat(budget.fits("large", 1)).isFalse();
        assertThat(budget.fits("large", 0)).as("an update that is no larger").isTrue();
        assertThat(budget.fits("small", PERCENT)).isTrue();
        assertThat(budget.fits("new", PERCENT)).isTrue();
        assertThat(budget.fitsCluster("default/large", 1)).as("a cluster is not let go yet").isTrue();
        assertThat(named()).containsExactly("large");

        live = OptionalLong.of(90 * PERCENT);
        now += Duration.ofMinutes(2).toNanos();
        budget.add("small", 1);
        assertThat(budget.fits("small", PERCENT)).isFalse();
        assertThat(budget.fitsCluster("default/small", 1)).isTrue();
        assertThat(budget.fitsCluster("default/large", 1)).isFalse();
        assertThat(named()).containsExactlyInAnyOrder("default/large", "large", "small");
    }

    @Test
    void one_account_alone_is_large() {
        budget.add("a", 70 * PERCENT);
        live = OptionalLong.of(80 * PERCENT);
        assertThat(budget.fits("a", PERCENT)).isFalse();
    }

    @Test
    void a_heap_that_is_short_is_measured_once_in_a_minute_while_little_changes() {
        budget.add("a", 60 * PERCENT);
        budget.add("b", 10 * PERCENT);
        live = OptionalLong.of(80 * PERCENT);
        for (int i = 0; i < 1000; i++) {
            assertThat(budget.fits("b", 1)).isTrue();
            budget.add("b", 1);
        }
        assertThat(measured).isOne();
        now += Duration.ofMinutes(2).toNanos();
        assertThat(budget.fits("b", 1)).isTrue();
        assertThat(measured).isEqualTo(2);
        budget.add("b", 3 * PERCENT);
        assertThat(budget.fits("b", 1)).isTrue();
        assertThat(measured).isEqualTo(3);
    }

    @Test
    void accounts_that_could_not_grow_are_named_until_the_heap_has_room_and_ten_of_them_at_most() {
        budget.add("first", 70 * PERCENT);
        live = OptionalLong.of(80 * PERCENT);
        assertThat(budget.recovers()).as("nobody was refused").isFalse();
        assertThat(budget.fits("first", 1)).isFalse();
        live = OptionalLong.of(70 * PERCENT);
        assertThat(budget.recovers()).isFalse();
        assertThat(named()).containsExactly("first");
        live = OptionalLong.of(60 * PERCENT);
        assertThat(budget.recovers()).isTrue();
        assertThat(named()).isEmpty();
        assertThat(budget.recovers()).as("nobody is refused").isFalse();
        live = OptionalLong.of(90 * PERCENT);
        budget.add("first", 30 * PERCENT);
        IntStream.range(0, 20).forEach(i -> budget.fits("n" + i, PERCENT));
        assertThat(named()).hasSize(10);
        live = OptionalLong.of(0);
        assertThat(budget.recovers()).as("at once again").isFalse();
        now += Duration.ofMinutes(10).toNanos();
        assertThat(budget.recovers()).isTrue();
    }

    @Test
    void of_pods_of_a_namespace_that_takes_too_much_less_is_kept_and_of_those_of_another_all() {
        List<String> told = new ArrayList<>();
        pods.subscribe((before, after) -> told.add(after == null ? "gone" : String.valueOf(after.isTruncated())));
        IntStream.range(0, 100).forEach(i -> pods.put(pod("tenant", "p" + i, "1", 100)));
        pods.put(pod("other", "p", "1", 100));

        assertThat(pods.all().stream().filter(CandidatePod::isTruncated)).allMatch(
                pod -> pod.key().namespace().equals("tenant") && pod.pod().nodeName().equals("n")
                        && pod.metadata().uid().equals(pod.key().name()))
                .hasSizeBetween(20, 80);
        assertThat(told).contains("true", "false").last().isEqualTo("false");
        assertThat(held()).isLessThan(90 * PERCENT);
        assertThat(pods.takeReduced("other")).isFalse();
        assertThat(pods.takeReduced("tenant")).isTrue();
        assertThat(pods.takeReduced("")).isFalse();
    }

    @Test
    void a_pod_that_is_gone_or_smaller_takes_no_more_than_that() {
        IntStream.range(0, 30).forEach(i -> pods.put(pod("tenant", "p" + i, "1", 100)));
        assertThat(taken()).isEqualTo(held() * 5 / 4);
        IntStream.range(0, 30).forEach(i -> pods.put(pod("tenant", "p" + i, "2", 1)));
        assertThat(taken()).isEqualTo(held() * 5 / 4);
        pods.replace(Set.of());
        assertThat(taken()).isZero();
    }

    @Test
    void labels_of_large_namespaces_are_given_up_and_those_of_a_small_one_are_kept() {
        ObjectCache<LabeledNamespace> namespaces = new ObjectCache<>(budget);
        live = OptionalLong.of(80 * PERCENT);
        IntStream.range(0, 200).forEach(i -> namespaces.put(namespace("n" + i, "x".repeat(10_000))));
        namespaces.put(namespace("small", "x"));

        assertThat(namespaces.all().stream().filter(each -> each.labels().isEmpty())).hasSizeBetween(50, 150);
        assertThat(namespaces.get(ObjectKey.clusterScoped("small")).flatMap(LabeledNamespace::labels)).isPresent();
        assertThat(named()).hasSize(10).allMatch(account -> account.startsWith("n"));
        assertThat(namespaces.takeReduced("")).isTrue();
        namespaces.replace(Set.of());
        live = OptionalLong.empty();
        now += Duration.ofHours(1).toNanos();
        assertThat(budget.recovers()).isTrue();
        assertThat(taken()).as("nothing is counted for what is gone").isZero();
    }

    @Test
    void new_and_larger_slices_of_a_node_that_takes_too_much_lose_their_devices_and_those_of_others_do_not() {
        ObjectCache<ResourceSlice> slices = new ObjectCache<>(budget);
        slices.put(slice("first", "stolen", 1));
        slices.put(slice("kept", "stolen", 10));
        live = OptionalLong.of(80 * PERCENT);
        IntStream.range(0, 200).forEach(i -> slices.put(slice("s" + i, "stolen", 5)));
        slices.put(slice("first", "stolen", 10));
        slices.put(slice("other", "honest", 10));

        assertThat(slices.all().stream().filter(each -> !each.known())).hasSizeBetween(50, 150)
                .allMatch(each -> each.nodeName().equals("stolen") && each.pool().equals("stolen")
                        && each.generation() == 3 && each.slices() == 7 && each.devices().isEmpty()
                        && each.truncatedFields().equals(List.of("spec.devices (memory is short)")));
        assertThat(known(slices, "kept")).isTrue();
        assertThat(known(slices, "first")).as("it has become larger").isFalse();
        assertThat(known(slices, "other")).isTrue();
        assertThat(named()).containsExactly("Node stolen");
        assertThat(slices.takeReduced("")).isTrue();
    }

    /** A slice that never takes more would make controllers keep devices without end. */
    @Test
    void devices_in_the_place_of_others_count_as_more_as_the_others_may_stay() {
        ObjectCache<ResourceSlice> slices = new ObjectCache<>(budget);
        live = OptionalLong.of(80 * PERCENT);
        slices.put(slice("other", "honest", 10));
        IntStream.range(0, 200).forEach(i -> slices.put(slice("s" + i, "stolen", 10)));
        assertThat(known(slices, "s0")).isTrue();
        slices.put(slice("s0", "stolen", 10));
        assertThat(known(slices, "s0")).as("the same devices").isTrue();
        slices.put(slice("s0", "stolen", 5));
        assertThat(known(slices, "s0")).as("fewer").isTrue();

        slices.put(slice("s1", "stolen", "t", 10));
        assertThat(known(slices, "s1")).isFalse();
        slices.put(slice("other", "honest", "t", 10));
        assertThat(known(slices, "other")).isTrue();
    }

    @Test
    void bytes_that_a_listener_keeps_of_a_node_count_as_its_slices_do() {
        ObjectCache<ResourceSlice> slices = new ObjectCache<>(budget);
        slices.charge("Node stolen", 10 * PERCENT);
        assertThat(taken()).isEqualTo(10 * PERCENT + 10 * PERCENT / 4);
        live = OptionalLong.of(80 * PERCENT);
        slices.charge("Node stolen", 60 * PERCENT);
        slices.put(slice("other", "honest", 1));
        slices.put(slice("one", "stolen", 1));
        assertThat(known(slices, "other")).isTrue();
        assertThat(known(slices, "one")).isFalse();

        slices.charge("Node stolen", -70 * PERCENT);
        slices.put(slice("one", "stolen", 1));
        assertThat(known(slices, "one")).isTrue();
    }

    private static boolean known(ObjectCache<ResourceSlice> slices, String name) {
        return slices.get(ObjectKey.clusterScoped(name)).orElseThrow().known();
    }

    private static ResourceSlice slice(String name, String node, int devices) {
        return slice(name, node, name, devices);
    }

    private static ResourceSlice slice(String name, String node, String device, int devices) {
        DeviceFacts facts = new DeviceFacts("gpu.example.com", false,
                Map.of("serial", new DeviceAttribute.Text("x".repeat(50))), Map.of("memory", "1Gi"));
        return new ResourceSlice(
                new Metadata(ObjectKey.clusterScoped(name), name, "1", Map.of(), Map.of(), List.of(), false),
                "gpu.example.com", node, 3, 7, node, Instant.EPOCH, IntStream.range(0, devices)
                        .mapToObj(i -> new PublishedDevice(device + i, facts, List.of())).toList());
    }

    private static LabeledNamespace namespace(String name, String value) {
        return LabeledNamespace.of(new Metadata(ObjectKey.clusterScoped(name), name, "1", Map.of("team", value),
                Map.of(), List.of(), false));
    }

    @Test
    void an_index_that_fails_leaves_nothing_counted() {
        ObjectCache<CandidatePod> failing = new ObjectCache<>(budget, new Index<>("fails", pod -> {
            throw new IllegalStateException("as is tried here");
        }));
        assertThat(catchThrowable(() -> failing.put(pod("tenant", "p", "1", 1))))
                .isInstanceOf(IllegalStateException.class);
        assertThat(taken()).isZero();
    }

    private static CandidatePod pod(String namespace, String name, String version, int tolerations) {
        Metadata metadata =
                new Metadata(new ObjectKey(namespace, name), name, version, Map.of(), Map.of(), List.of(), false);
        return new CandidatePod(
                new Pod(metadata, "n",
                        IntStream.range(0, tolerations).mapToObj(i -> Toleration.exists("k" + i, "")).toList(),
                        "", ""),
                "default", Set.of(), List.of(), false);
    }

    private long held() {
        return pods.all().stream().mapToLong(KubernetesObject::heapBytes).sum();
    }

    private long taken() {
        return Math.round(registry.get("nodeward.heap.taken").gauge().value() * BYTES);
    }

    private List<String> named() {
        return registry.find("nodeward.heap.full").gauges().stream().filter(full -> full.value() == 1)
                .map(Gauge::getId)
                .map(id -> id.getTag("account")).toList();
    }
}
