package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.DeviceTaintSlice.Entry;
import io.nodeward.core.rules.Cases;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamedDevicesTest {
    private final NamedDevices named = new NamedDevices();

    private static DeviceTaintSlice slice(String... devices) {
        return new DeviceTaintSlice("d", "p", Stream.of(devices).map(name -> new Entry(name, DeviceUse.HOT)).toList());
    }

    @Test
    void a_change_of_a_slice_concerns_the_slice_alone() {
        named.slice("one", Optional.of(slice("a", "a", "b")));
        named.slice("two", Optional.of(slice("b")));
        assertThat(named.takeChanged()).containsExactlyInAnyOrder("one", "two");
        assertThat(named.takeChanged()).isEmpty();
        named.slice("one", Optional.of(slice("b")));
        assertThat(named.takeChanged()).containsExactly("one");
        named.slice("one", Optional.empty());
        assertThat(named.takeChanged()).containsExactly("one");
        named.allChanged();
        assertThat(named.takeChanged()).containsExactly("two");
    }

    /** Those that name a device, and no others, after any changes in any order. */
    @Test
    void a_change_of_a_device_concerns_those_that_name_it() {
        List<String> devices = List.of("a", "b", "c");
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            NamedDevices any = new NamedDevices();
            Map<String, Set<String>> expected = new HashMap<>();
            for (int step = 0; step < 10; step++) {
                String name = "s" + random.nextInt(3);
                Set<String> some = new HashSet<>(devices);
                some.removeIf(device -> random.nextBoolean());
                boolean isThere = random.nextInt(4) > 0;
                any.slice(name, isThere ? Optional.of(slice(some.toArray(String[]::new))) : Optional.empty());
                expected.put(name, isThere ? some : Set.of());
                any.takeChanged();
                for (String device : devices) {
                    any.changed(List.of(DeviceUse.name(device), new DeviceName("d", "other", device)));
                    assertThat(any.takeChanged()).as("seed %s, step %s", seed, step).isEqualTo(
                            Set.copyOf(expected.keySet().stream()
                                    .filter(slice -> expected.get(slice).contains(device)).toList()));
                }
            }
        }
    }
}
