package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.PoolSlices.device;
import static io.nodeward.core.rules.device.PoolSlices.name;
import static io.nodeward.core.rules.device.PoolSlices.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceTaint;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.Pools.Slice;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The generations of a pool whose slices name one Node, or none. */
class NodePoolTest {
    private final Pools<String> pools = new Pools<>();

    @Test
    void a_newer_generation_hides_all_of_an_older_one_until_it_is_gone() {
        pools.slice("old", Optional.of(slice(1, device("a", "1"), device("b", "1"))));

        assertThat(pools.slice("new", Optional.of(slice(2, device("a", "2"))))).isEqualTo(Map.of(
                name("a"), Optional.of(device("a", "2")), name("b"), Optional.empty()));
        assertThat(pools.published()).containsOnlyKeys(name("a"));
        assertThat(pools.slice("new", Optional.empty())).isEqualTo(Map.of(
                name("a"), Optional.of(device("a", "1")), name("b"), Optional.of(device("b", "1"))));
    }

    @Test
    void a_newer_generation_without_devices_hides_the_older_one_too() {
        pools.slice("old", Optional.of(slice(1, device("a", "1"))));

        assertThat(pools.slice("new", Optional.of(slice(2)))).isEqualTo(Map.of(name("a"), Optional.empty()));
    }

    /** A driver updates its two slices one after the other. */
    @Test
    void a_device_that_an_incomplete_generation_lacks_stays_as_it_was() {
        pools.slice("one", Optional.of(slice(1, 2, device("a", "1"), device("b", "1"))));
        pools.slice("two", Optional.of(slice(1, 2, device("c", "1"), device("d", "1"))));

        assertThat(pools.slice("one", Optional.of(slice(2, 2, device("a", "2"), device("c", "2"))))).isEqualTo(Map.of(
                name("a"), Optional.of(device("a", "2")), name("c"), Optional.of(device("c", "2"))));
        assertThat(pools.published()).containsOnlyKeys(name("a"), name("b"), name("c"), name("d"));
        assertThat(pools.published(name("b"))).hasValue(device("b", "1"));
        assertThat(pools.slice("two", Optional.of(slice(2, 2, device("b", "2"))))).isEqualTo(Map.of(
                name("b"), Optional.of(device("b", "2")), name("d"), Optional.empty()));
    }

    @Test
    void devices_of_a_slice_that_is_written_anew_stay_until_the_generation_is_complete_or_the_pool_gone() {
        pools.slice("one", Optional.of(slice(1, 2, device("a", "1"))));
        pools.slice("two", Optional.of(slice(1, 2, device("b", "1"))));
        assertThat(pools.slice("two", Optional.empty())).isEmpty();
        assertThat(pools.slice("one", Optional.of(slice(2, 2)))).isEmpty();
        assertThat(pools.slice("one", Optional.of(slice(3, 2)))).isEmpty();

        assertThat(pools.slice("one", Optional.of(slice(3, 1)))).isEqualTo(Map.of(
                name("a"), Optional.empty(), name("b"), Optional.empty()));
        pools.slice("one", Optional.of(slice(4, 2, device("a", "4"))));
        assertThat(pools.slice("one", Optional.empty())).isEqualTo(Map.of(name("a"), Optional.empty()));
        assertThat(pools.published()).isEmpty();
    }

    @Test
    void what_a_complete_generation_lacked_does_not_come_back_with_an_incomplete_one() {
        pools.slice("stale", Optional.of(slice(1, 1, device("z", "1"))));
        pools.slice("one", Optional.of(slice(2, 2, device("a", "2"))));
        assertThat(pools.published()).containsOnlyKeys(name("a"), name("z"));
        pools.slice("two", Optional.of(slice(2, 2, device("b", "2"))));
        assertThat(pools.published()).containsOnlyKeys(name("a"), name("b"));

        assertThat(pools.slice("one", Optional.of(slice(3, 2, device("a", "3"))))).containsOnlyKeys(name("a"));
        assertThat(pools.published()).containsOnlyKeys(name("a"), name("b"));
        assertThat(pools.slice("stale", Optional.empty())).isEmpty();
    }

    @Test
    void in_whatever_order_slices_are_seen_first_the_last_complete_generation_counts() {
        pools.slice("new", Optional.of(slice(3, 2, device("a", "3"))));
        assertThat(pools.slice("oldest", Optional.of(slice(1, 1, device("z", "1"))))).containsOnlyKeys(name("z"));
        assertThat(pools.slice("old", Optional.of(slice(2, 1, device("b", "2"))))).isEqualTo(Map.of(
                name("b"), Optional.of(device("b", "2")), name("z"), Optional.empty()));
    }

    @Test
    void a_pool_that_is_never_complete_keeps_no_more_devices_than_the_slices_to_come_may_have() {
        for (int generation = 1; generation <= 10; generation++) {
            String facts = String.valueOf(generation);
            List<Device<String>> devices =
                    IntStream.range(0, 100).mapToObj(i -> device(facts + "-" + i, facts)).toList();
            pools.slice("one", Optional.of(new Slice<>("d", "p", generation, 3, devices)));
        }

        assertThat(pools.published()).hasSize(100 + 2 * 128);
        pools.slice("one", Optional.of(slice(11, Long.MAX_VALUE)));
        assertThat(pools.published()).hasSize(100 + 2 * 128);
    }

    @Test
    void only_what_changed_of_a_slice_is_a_change() {
        pools.slice("one", Optional.of(slice(1, device("a", "1"), device("b", "1"), device("c", "1"))));
        Device<String> tainted =
                new Device<>("b", "1", List.of(new DeviceTaint("drv", "", "NoExecute", Instant.EPOCH)));

        assertThat(pools.slice("one", Optional.of(slice(1, device("a", "1"), tainted, device("d", "1")))))
                .isEqualTo(Map.of(name("b"), Optional.of(tainted), name("c"), Optional.empty(),
                        name("d"), Optional.of(device("d", "1"))));
        assertThat(pools.slice("two", Optional.of(slice(0, device("a", "0"), device("z", "0"))))).isEmpty();
        assertThat(pools.slice("two", Optional.empty())).isEmpty();
    }

    @Test
    void of_two_slices_with_the_same_device_the_first_by_name_counts() {
        pools.slice("two", Optional.of(slice(1, device("a", "2"))));

        assertThat(pools.slice("one", Optional.of(slice(1, device("a", "1"))))).containsOnlyKeys(name("a"));
        assertThat(pools.slice("three", Optional.of(slice(1, device("a", "3"))))).isEmpty();
        assertThat(pools.published(name("a"))).hasValue(device("a", "1"));
        assertThat(pools.slice("one", Optional.empty())).isEqualTo(Map.of(
                name("a"), Optional.of(device("a", "3"))));
    }

    /** Memory may be short. */
    @Test
    void devices_stay_as_they_were_while_the_pool_has_a_slice_whose_devices_are_not_known() {
        pools.slice("one", Optional.of(slice(1, 2, device("a", "1"))));
        pools.slice("two", Optional.of(slice(1, 2, device("b", "1"))));
        assertThat(pools.slice("two", Optional.of(unknown(1, 2)))).as("the same slice, larger").isEmpty();
        assertThat(pools.slice("one", Optional.of(slice(2, 2, device("a", "2"))))).containsOnlyKeys(name("a"));
        assertThat(pools.slice("two", Optional.of(unknown(2, 2)))).as("as many slices as there are to be").isEmpty();
        assertThat(pools.published(name("b"))).hasValue(device("b", "1"));
        assertThat(pools.slice("one", Optional.of(slice(2, 2)))).as("it may be in the other one now").isEmpty();

        assertThat(pools.slice("two", Optional.of(slice(2, 2, device("b", "2"))))).isEqualTo(Map.of(
                name("a"), Optional.empty(), name("b"), Optional.of(device("b", "2"))));
        pools.slice("two", Optional.of(unknown(2, 2)));
        assertThat(pools.slice("two", Optional.empty())).as("a slice is missing").isEmpty();
        assertThat(pools.slice("one", Optional.empty())).isEqualTo(Map.of(name("b"), Optional.empty()));
    }

    @Test
    void a_pool_keeps_as_many_devices_as_slices_whose_devices_are_not_known_may_have() {
        pools.slice("one", Optional.of(slice(1, 1, devices("a", 128))));
        pools.slice("two", Optional.of(slice(1, 2, devices("b", 128))));
        pools.slice("two", Optional.of(unknown(1, 2)));

        assertThat(pools.slice("one", Optional.of(unknown(1, 2)))).isEmpty();
        assertThat(pools.published()).hasSize(256);
    }

    @Test
    void slices_whose_devices_are_not_known_make_a_pool_keep_what_they_may_have_and_no_more() {
        IntStream.range(0, 20).forEach(i -> pools.slice("u" + i, Optional.of(unknown(1, 21))));
        for (int i = 0; i < 30; i++) {
            pools.slice("one", Optional.of(slice(1, 21, devices("d" + i + "-", 128))));
        }
        assertThat(pools.published()).hasSize((20 + 1) * 128);
    }

    @SuppressWarnings("unchecked")
    private static Device<String>[] devices(String name, int many) {
        return IntStream.range(0, many).mapToObj(i -> device(name + i, "1")).toArray(Device[]::new);
    }

    private static Slice<String> unknown(long generation, long slices) {
        return new Slice<>("d", "p", "", Instant.EPOCH, generation, slices, List.of(), false);
    }
}
