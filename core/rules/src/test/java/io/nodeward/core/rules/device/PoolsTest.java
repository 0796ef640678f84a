package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.PoolSlices.device;
import static io.nodeward.core.rules.device.PoolSlices.name;
import static io.nodeward.core.rules.device.PoolSlices.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.PublishedDevice;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.Pools.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PoolsTest {
    private static final DeviceTaint TAINT = new DeviceTaint("drv", "", "NoExecute", Instant.EPOCH);

    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
    private final Map<String, Long> charged = new HashMap<>();
    private final Pools<String> pools = new Pools<>();

    @Test
    void devices_that_stay_and_that_no_slice_has_are_charged_to_their_node() {
        Pools<String> any = new Pools<>(this::charge);
        any.slice("one", Optional.of(of("n", CREATED, 1, 2, device("a", "1", 100), device("b", "1", 20))));
        any.slice("two", Optional.of(of("n", CREATED, 1, 2, device("c", "1", 3))));
        any.slice("one", Optional.of(of("n", CREATED, 2, 2, device("a", "1", 100))));
        assertThat(charged).as("the other slice has c").isEqualTo(Map.of("Node n", 20L));
        any.slice("two", Optional.of(of("n", CREATED, 2, 3)));
        assertThat(charged).isEqualTo(Map.of("Node n", 23L));
        any.slice("one", Optional.of(new Slice<>("d", "p", "n", CREATED, 2, 3, List.of(), false)));
        assertThat(any.published()).hasSize(3);
        assertThat(charged).isEqualTo(Map.of("Node n", 123L));
        any.slice("other", Optional.of(of("", CREATED, 1, 1, device("a", "1", 7))));
        any.slice("other", Optional.of(of("", CREATED, 2, 2)));
        assertThat(charged).isEqualTo(Map.of("Node n", 123L, "d/p", 7L));

        any.slice("one", Optional.of(of("n", CREATED, 2, 2, device("b", "2", 9))));
        assertThat(charged).isEqualTo(Map.of("Node n", 103L, "d/p", 7L));
        any.slice("two", Optional.of(of("n", CREATED, 2, 2)));
        any.slice("other", Optional.empty());
        assertThat(charged).as("complete, or gone").isEmpty();
    }

    private void charge(String account, long bytes) {
        charged.merge(account, bytes, (one, other) -> one + other == 0 ? null : (Long) (one + other));
    }

    /** Whatever came before: what the newest generation has counts by it, and only a complete one ends what it lacks. */
    @Test
    void after_any_events_devices_are_those_of_the_newest_generation_and_others_only_while_it_is_incomplete() {
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            charged.clear();
            Pools<String> any = new Pools<>(this::charge);
            Map<String, Slice<String>> slices = new TreeMap<>();
            Map<DeviceName, Device<String>> told = new HashMap<>();
            for (int step = 0; step < 12; step++) {
                String name = "slice-" + random.nextInt(4);
                Slice<String> next = random(random);
                Optional<Slice<String>> now = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(new Slice<>(
                        next.driver(), next.pool(), next.generation(), random.nextInt(4), next.devices()));
                now.ifPresentOrElse(slice -> slices.put(name, slice), () -> slices.remove(name));
                any.slice(name, now).forEach((device, after) -> after.ifPresentOrElse(
                        found -> told.put(device, found), () -> told.remove(device)));
                Map<DeviceName, Device<String>> newest = fromScratch(slices);

                long orphans = any.published().keySet().stream().filter(device -> slices.values().stream()
                        .filter(slice -> slice.pool().equals(device.pool())).flatMap(slice -> slice.devices().stream())
                        .noneMatch(published -> published.name().equals(device.device()))).count();
                assertThat(charged.values().stream().mapToLong(bytes -> bytes).sum())
                        .as("seed %s, step %s", seed, step).isBetween(orphans, (long) any.published().size());
                assertThat(any.published()).as("seed %s, step %s", seed, step).isEqualTo(told)
                        .containsAllEntriesOf(newest);
                any.published().keySet().stream().filter(device -> !newest.containsKey(device)).forEach(device -> {
                    List<Slice<String>> pool = slices.values().stream()
                            .filter(slice -> slice.pool().equals(device.pool())).toList();
                    long generation = pool.stream().mapToLong(Slice::generation).max().orElseThrow();
                    List<Slice<String>> last =
                            pool.stream().filter(slice -> slice.generation() == generation).toList();
                    assertThat(last).anyMatch(slice -> slice.slices() > last.size());
                });
            }
            slices.keySet().forEach(name -> any.slice(name, Optional.empty()));
            assertThat(charged).isEmpty();
        }
    }

    @Test
    void after_any_events_of_several_nodes_charges_are_those_of_what_stays_and_end_with_the_slices() {
        int staying = 0;
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            charged.clear();
            Pools<String> any = new Pools<>(this::charge);
            for (int step = 0; step < 20; step++) {
                boolean known = random.nextInt(4) > 0;
                Slice<String> next = new Slice<>("d", "p", List.of("", "p", "a").get(random.nextInt(3)),
                        CREATED.plusSeconds(random.nextInt(3)), random.nextInt(3), random.nextInt(4),
                        known ? random(random).devices() : List.of(), known);
                any.slice("slice-" + random.nextInt(5), random.nextInt(4) == 0 ? Optional.empty() : Optional.of(next));
                assertThat(charged.values()).as("seed %s, step %s", seed, step).allMatch(bytes -> bytes > 0);
                staying += charged.size();
            }
            IntStream.range(0, 5).forEach(i -> any.slice("slice-" + i, Optional.empty()));
            assertThat(charged).as("seed %s", seed).isEmpty();
            assertThat(any.published()).as("seed %s", seed).isEmpty();
        }
        assertThat(staying).as("devices that stay").isPositive();
    }

    @Test
    void the_same_pool_of_another_driver_is_another_pool() {
        pools.slice("one", Optional.of(slice(1, device("a", "1"))));
        pools.slice("two", Optional.of(new Slice<>("other", "p", 2, List.of(device("a", "2")))));

        assertThat(pools.published()).containsOnlyKeys(name("a"), new DeviceName("other", "p", "a"));
    }

    @Test
    void a_device_may_be_in_a_slice_that_is_not_known_if_no_other_publishes_it() {
        pools.slice("one", Optional.of(of("n", CREATED, 1, 1, device("a", "1"))));
        assertThat(pools.mayBeUnknown(name("b"))).isFalse();
        pools.slice("two", Optional.of(new Slice<>("d", "p", "n", CREATED, 1, 1, List.of(), false)));
        assertThat(pools.mayBeUnknown(name("b"))).isTrue();
        assertThat(pools.mayBeUnknown(name("a"))).isFalse();
        assertThat(pools.mayBeUnknown(new DeviceName("d", "other", "b"))).isFalse();

        pools.slice("three", Optional.of(of("n", CREATED, 2, 2, device("a", "2"))));
        assertThat(pools.mayBeUnknown(name("b"))).as("an older generation counts while the newest is incomplete")
                .isTrue();
        pools.slice("four", Optional.of(of("n", CREATED, 2, 2)));
        assertThat(pools.mayBeUnknown(name("b"))).as("the newest is complete").isFalse();
        pools.slice("four", Optional.of(new Slice<>("d", "p", "n", CREATED, 2, 2, List.of(), false)));
        assertThat(pools.mayBeUnknown(name("b"))).isTrue();
    }

    @Test
    void a_device_that_may_be_in_a_slice_that_is_not_known_stays_so_although_a_kubelet_publishes_it_for_another_node() {
        pools.slice("own", Optional.of(new Slice<>("d", "p", "p", CREATED, 1, 1, List.of(), false)));
        pools.slice("forged", Optional.of(of("a", CREATED, 1, 1, device("a", "1"))));
        assertThat(pools.mayBeUnknown(name("a"))).isTrue();

        pools.slice("own", Optional.of(of("p", CREATED, 1, 1, device("a", "1"))));
        pools.slice("forged", Optional.of(new Slice<>("d", "p", "a", CREATED, 1, 1, List.of(), false)));
        assertThat(pools.mayBeUnknown(name("a"))).isFalse();
        pools.slice("own", Optional.of(of("p", CREATED, 2, 1)));
        assertThat(pools.mayBeUnknown(name("a"))).as("the Node of the pool has it no more").isFalse();
    }

    /** API servers let a kubelet write slices of its own Node, in any pool. */
    @Test
    void a_kubelet_takes_no_device_of_another_node_away() {
        pools.slice("b", Optional.of(of("p", CREATED, 1, 1, device("a", "1"))));

        for (Slice<String> stolen : List.of(of("a", Instant.EPOCH, 99, 1), of("a", Instant.EPOCH, 99, 2),
                of("a", Instant.EPOCH, 1, 1), of("a", Instant.EPOCH, 99, 1, device("a", "2"), device("a2", "2")))) {
            assertThat(pools.slice("a", Optional.of(stolen))).doesNotContainKey(name("a"));
        }
        assertThat(pools.published(name("a"))).hasValue(device("a", "1"));
        assertThat(pools.slice("b", Optional.of(of("p", CREATED, 2, 1, device("a", "3"))))).isEqualTo(Map.of(
                name("a"), Optional.of(device("a", "3"))));
        assertThat(pools.slice("b", Optional.empty())).as("only the other one is left").isEqualTo(Map.of(
                name("a"), Optional.of(device("a", "2"))));
    }

    @Test
    void whether_a_generation_is_complete_does_not_depend_on_slices_of_other_nodes() {
        pools.slice("one", Optional.of(of("p", CREATED, 1, 1, device("a", "1"), device("b", "1"))));
        pools.slice("stolen", Optional.of(of("a", CREATED, 2, 2)));
        pools.slice("forged", Optional.of(of("", CREATED, 2, 2)));
        assertThat(pools.slice("one", Optional.of(of("p", CREATED, 2, 2, device("a", "1"))))).isEmpty();

        pools.slice("stolen", Optional.of(new Slice<>("d", "p", "a", CREATED, 2, 2, List.of(), false)));
        assertThat(pools.slice("two", Optional.of(of("p", CREATED, 2, 2)))).as("all its own").isEqualTo(Map.of(
                name("b"), Optional.empty()));
    }

    @Test
    void of_several_nodes_with_the_same_device_the_one_that_is_hardest_to_forge_counts_in_whatever_order_they_come() {
        List<Slice<String>> order = List.of(of("", CREATED.plusSeconds(9), 1, 1, device("a", "no Node")),
                of("p", CREATED.plusSeconds(9), 1, 1, device("a", "as the pool")),
                of("z", CREATED, 1, 1, device("a", "oldest")),
                of("b", CREATED.plusSeconds(1), 1, 1, device("a", "by name")),
                of("c", CREATED.plusSeconds(1), 9, 1, device("a", "last")));
        for (int seed = 0; seed < 100; seed++) {
            Pools<String> any = new Pools<>();
            List<Integer> arrival = new ArrayList<>(IntStream.range(0, order.size()).boxed().toList());
            Collections.shuffle(arrival, Cases.random(seed));
            arrival.forEach(i -> any.slice("s" + i, Optional.of(order.get(i))));
            for (int i = 0; i < order.size(); i++) {
                assertThat(any.published(name("a"))).as("%s", arrival).hasValue(order.get(i).devices().getFirst());
                any.slice("s" + i, Optional.empty());
            }
            assertThat(any.published()).isEmpty();
        }
    }

    @Test
    void a_node_has_published_since_its_oldest_slice_was_created() {
        pools.slice("x1", Optional.of(of("x", CREATED, 1, 1)));
        pools.slice("x2", Optional.of(of("x", CREATED.plusSeconds(2), 1, 1, device("a", "x"))));
        assertThat(pools.slice("y", Optional.of(of("y", CREATED.plusSeconds(1), 1, 1, device("a", "y"))))).isEmpty();

        assertThat(pools.slice("x1", Optional.empty())).isEqualTo(Map.of(name("a"), Optional.of(device("a", "y"))));
        pools.slice("x1", Optional.of(of("x", CREATED, 1, 1)));
        assertThat(pools.published(name("a"))).hasValue(device("a", "x"));
    }

    @Test
    void a_slice_of_the_same_name_may_come_to_be_of_another_node() {
        pools.slice("s", Optional.of(of("x", CREATED, 5, 1, device("a", "x"), device("b", "x"))));

        assertThat(pools.slice("s", Optional.of(of("y", CREATED, 1, 1, device("a", "y"))))).isEqualTo(Map.of(
                name("a"), Optional.of(device("a", "y")), name("b"), Optional.empty()));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Slice<String> of(
            String node, Instant created, long generation, long slices, Device<String>... devices) {
        return new Slice<>("d", "p", node, created, generation, slices, List.of(devices), true);
    }

    @Test
    void a_slice_is_published_as_it_is_watched() {
        Metadata metadata = new Metadata(
                ObjectKey.clusterScoped("s"), "", "", Map.of(), Map.of(), List.of(), false);
        DeviceFacts facts = new DeviceFacts("d", true, Map.of(), Map.of("memory", "1Gi"));

        PublishedDevice published = new PublishedDevice("a", facts, List.of(TAINT));

        assertThat(Slice.of(new ResourceSlice(metadata, "d", "p", 3, 2, "node-1", CREATED,
                List.of(published)))).isEqualTo(
                        new Slice<>("d", "p", "node-1", CREATED, 3, 2,
                                List.of(new Device<>("a", facts, List.of(TAINT), published.heapBytes())), true));
    }

    /** Whatever came before: the devices are those of the slices that there are, and changes say how they came about. */
    @Test
    void after_any_events_devices_are_as_computed_from_scratch() {
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            Pools<String> any = new Pools<>();
            Map<String, Slice<String>> slices = new TreeMap<>();
            for (int step = 0; step < 12; step++) {
                Map<DeviceName, Device<String>> before = fromScratch(slices);
                String name = "slice-" + random.nextInt(4);
                Optional<Slice<String>> now = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(random(random));
                now.ifPresentOrElse(slice -> slices.put(name, slice), () -> slices.remove(name));
                Map<DeviceName, Optional<Device<String>>> changes = any.slice(name, now);
                Map<DeviceName, Device<String>> after = fromScratch(slices);

                assertThat(any.published()).as("seed %s, step %s", seed, step).isEqualTo(after);
                assertThat(changes).as("seed %s, step %s", seed, step).isEqualTo(difference(before, after));
            }
        }
    }

    private static Map<DeviceName, Device<String>> fromScratch(Map<String, Slice<String>> slices) {
        Map<DeviceName, Device<String>> devices = new HashMap<>();
        slices.values().stream().sorted(Comparator.comparing((Slice<String> slice) -> forgeable(slice, slices)))
                .filter(slice -> part(slice, slices).noneMatch(other -> other.generation() > slice.generation()))
                .forEach(slice -> slice.devices().forEach(device -> devices.putIfAbsent(
                        new DeviceName(slice.driver(), slice.pool(), device.name()), device)));
        return devices;
    }

    private static Stream<Slice<String>> part(Slice<String> slice, Map<String, Slice<String>> slices) {
        return slices.values().stream().filter(other -> other.driver().equals(slice.driver())
                && other.pool().equals(slice.pool()) && other.node().equals(slice.node()));
    }

    /** Sorts first if it is the hardest to forge. */
    private static String forgeable(Slice<String> slice, Map<String, Slice<String>> slices) {
        Instant oldest = part(slice, slices).map(Slice::created).min(Comparator.naturalOrder()).orElseThrow();
        return slice.node().isEmpty() ? "0" : slice.node().equals(slice.pool()) ? "1" : "2" + oldest + slice.node();
    }

    private static Map<DeviceName, Optional<Device<String>>> difference(
            Map<DeviceName, Device<String>> before, Map<DeviceName, Device<String>> after) {
        Map<DeviceName, Optional<Device<String>>> changes = new HashMap<>();
        before.keySet().stream().filter(name -> !after.containsKey(name))
                .forEach(name -> changes.put(name, Optional.empty()));
        after.forEach((name, device) -> {
            if (!device.equals(before.get(name))) {
                changes.put(name, Optional.of(device));
            }
        });
        return changes;
    }

    private static Slice<String> random(Random random) {
        List<Device<String>> devices = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            devices.add(device("d" + random.nextInt(3), String.valueOf(random.nextInt(2))));
        }
        List<String> nodes = List.of("", "p0", "x", "y");
        return new Slice<>("d", "p" + random.nextInt(2), nodes.get(random.nextInt(nodes.size())),
                CREATED.plusSeconds(random.nextInt(3)), random.nextInt(3), 0, devices, true);
    }
}
