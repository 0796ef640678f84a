package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeapBudgetTest {
    private static final int BYTES = 1_000_000;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HeapBudget budget = new HeapBudget(BYTES, registry);
    private final ObjectCache<CandidatePod> pods = new ObjectCache<>(budget);
    private final ObjectCache<Machine> machines = new ObjectCache<>(budget);

    @Test
    void an_account_may_hold_as_much_as_it_leaves_free_and_another_finds_room() {
        assertThat(budget.fits("a", BYTES / 2)).isTrue();
        assertThat(budget.fits("a", BYTES / 2 + 1)).isFalse();
        budget.add("a", BYTES / 2);
        assertThat(budget.fits("a", 1)).isFalse();
        assertThat(budget.fits("a", 0)).as("an update that is no larger").isTrue();
        assertThat(budget.fits("b", BYTES / 4)).isTrue();
        assertThat(budget.fits("b", BYTES / 4 + 1)).isFalse();
        budget.add("a", -BYTES / 4);
        assertThat(budget.fits("a", 1)).isTrue();
    }

    @Test
    void accounts_that_are_full_are_named_until_memory_is_there_again_and_ten_of_them_at_most() {
        budget.add("first", BYTES / 2);
        assertThat(budget.fits("first", 1)).isFalse();
        assertThat(named()).containsExactly("first");
        assertThat(budget.recovers()).isFalse();
        budget.add("first", -BYTES / 2);
        assertThat(budget.recovers()).isTrue();
        assertThat(named()).isEmpty();
        assertThat(budget.recovers()).as("again").isFalse();
        IntStream.range(0, 20).forEach(i -> budget.fits("n" + i, BYTES));
        assertThat(named()).hasSize(10);
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
        assertThat(held()).isLessThan(BYTES);
        assertThat(used()).isEqualTo(held());
        assertThat(pods.takeReduced()).isTrue();
        assertThat(pods.takeReduced()).isFalse();
    }

    @Test
    void a_pod_that_is_gone_or_smaller_takes_no_more_than_that() {
        IntStream.range(0, 100).forEach(i -> pods.put(pod("tenant", "p" + i, "1", 100)));
        IntStream.range(0, 100).forEach(i -> pods.put(pod("tenant", "p" + i, "2", 1)));
        assertThat(pods.all()).noneMatch(CandidatePod::isTruncated);
        assertThat(used()).isEqualTo(held());
        pods.replace(Set.of());
        assertThat(used()).isZero();
    }

    @Test
    void an_index_that_fails_leaves_nothing_counted() {
        ObjectCache<CandidatePod> failing = new ObjectCache<>(budget, new Index<>("fails", pod -> {
            throw new IllegalStateException("as is tried here");
        }));
        assertThat(catchThrowable(() -> failing.put(pod("tenant", "p", "1", 1))))
                .isInstanceOf(IllegalStateException.class);
        assertThat(used()).isZero();
    }

    @Test
    void a_machine_of_such_a_namespace_keeps_what_it_declares_and_its_pause_without_other_metadata() {
        budget.add("tenant", BYTES);
        machines.put(machine());
        assertThat(machines.all()).singleElement().satisfies(machine -> {
            assertThat(machine.providerId()).isEqualTo("id");
            assertThat(machine.metadata().labels()).isEmpty();
            assertThat(machine.metadata().annotations()).containsOnlyKeys("cluster.x-k8s.io/paused");
            assertThat(machine.truncatedFields()).hasSize(1);
        });
    }

    private static Machine machine() {
        return new Machine(new Metadata(new ObjectKey("tenant", "m"), "u", "1", Map.of("a", "b"),
                Map.of("cluster.x-k8s.io/paused", "", "c", "d"), List.of(), false), "c", "id", "", List.of(),
                List.of());
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

    private long used() {
        return Math.round(registry.get("nodeward.heap.budget.used").gauge().value() * BYTES);
    }

    private List<String> named() {
        return registry.find("nodeward.heap.budget.full").gauges().stream().filter(full -> full.value() == 1)
                .map(Gauge::getId)
                .map(id -> id.getTag("account")).toList();
    }
}
