package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceModel.selector;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** One state folds late, often and in any order, and is interrupted in its work: it is as one that is built from scratch. */
class DeviceStateSequencesTest {
    private static final int SEQUENCES = Cases.COUNT / 4;
    private static final List<Optional<DeviceTaintSelector>> SELECTORS = List.of(Optional.empty(), selector(),
            selector("driver:d"), selector("pool:p0"), selector("device:x1"), selector("pool:p1", "device:x0", "k=1"),
            selector("k=1"), selector("j=1"), selector("bad=1"), selector("class:c0"), selector("class:c1", "k=1"),
            selector("taint:NoExecute"), selector("taint:None", "k=1"));

    @Test
    void after_any_sequence_of_changes_a_state_is_as_one_built_from_scratch() {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = Cases.random(seed);
            Sequence sequence = new Sequence(random);
            DeviceState late = sequence.world.state();
            Map<DeviceKey, Object> heard = new HashMap<>();
            Set<DeviceKey> mailbox = new HashSet<>();
            for (int step = 0; step < 25; step++) {
                mailbox.addAll(sequence.change(true));
                sequence.some(mailbox).forEach(late::apply);
                hear(sequence.world, late, late.work(interrupted(random)), heard);
            }
            sequence.shuffled(mailbox).forEach(late::apply);
            do {
                hear(sequence.world, late, late.work(interrupted(random)), heard);
            } while (late.isOpen());

            DeviceState scratch = sequence.world.state();
            sequence.shuffled(sequence.world.keys()).forEach(scratch::apply);
            scratch.work(() -> false);
            assertThat(sequence.world.known(late)).as("seed %s", seed).isEqualTo(sequence.world.known(scratch));
            assertThat(DeviceWorld.together(late)).as("seed %s", seed).isEqualTo(DeviceWorld.together(scratch));
            heard.keySet().retainAll(sequence.world.known(late).keySet());
            assertThat(heard).as("seed %s: who looks at what is returned, and at no other time", seed)
                    .isEqualTo(sequence.world.known(scratch));
        }
    }

    private static void hear(
            DeviceWorld world, DeviceState state, Set<DeviceKey> returned, Map<DeviceKey, Object> heard) {
        returned.forEach(key -> heard.put(key, world.known(state, key)));
    }

    private static BooleanSupplier interrupted(Random random) {
        AtomicInteger left = new AtomicInteger(1 + random.nextInt(10));
        return () -> left.decrementAndGet() == 0;
    }

    /** Also of devices whose slice is gone, which no state that is built later knows: one slice changes in each batch. */
    @Test
    void the_order_of_keys_that_are_folded_together_does_not_matter_and_neither_does_repetition() {
        int gone = 0;
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = Cases.random(seed);
            Sequence sequence = new Sequence(random);
            DeviceState one = sequence.world.state();
            DeviceState other = sequence.world.state();
            for (int batch = 0; batch < 8; batch++) {
                List<DeviceKey> keys = new ArrayList<>();
                for (int event = 0; event < 4; event++) {
                    keys.addAll(sequence.change(false));
                }
                sequence.sliceChanged = false;
                keys.forEach(one::apply);
                one.work(() -> false);
                keys.addAll(sequence.some(new HashSet<>(keys)));
                sequence.shuffled(keys).forEach(other::apply);
                while (other.isOpen()) {
                    other.work(interrupted(random));
                }
                other.work(() -> false);
                assertThat(sequence.world.known(other)).as("seed %s, batch %s", seed, batch)
                        .isEqualTo(sequence.world.known(one));
                assertThat(DeviceWorld.together(other)).as("seed %s, batch %s", seed, batch)
                        .isEqualTo(DeviceWorld.together(one));
                gone += Collections.disjoint(sequence.gone(), sequence.world.claimed()) ? 0 : 1;
            }
        }
        assertThat(gone).as("batches after which a claim had a device whose slice was gone")
                .isGreaterThan(SEQUENCES);
    }

    /** The version that is gone when the key comes is folded in first, so that a device is as it was last. */
    @Test
    void two_changes_of_a_slice_that_are_folded_in_together_are_as_one_after_the_other() {
        int stays = 0;
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = Cases.random(seed);
            Sequence sequence = new Sequence(random);
            DeviceState each = sequence.world.state();
            DeviceState late = sequence.world.state();
            for (int batch = 0; batch < 8; batch++) {
                sequence.sliceChanged = true;
                List<DeviceKey> keys = new ArrayList<>(sequence.change(false));
                keys.addAll(sequence.change(false));
                keys.forEach(each::apply);
                sequence.shuffled(keys).forEach(late::apply);
                String name = "s" + random.nextInt(3);
                List<DeviceKey> first = sequence.slice(false, name);
                first.forEach(each::apply);
                Optional<ResourceSlice> before =
                        Optional.ofNullable(sequence.world.slices.get(ObjectKey.clusterScoped(name)));
                if (before.isEmpty()) {
                    first.forEach(late::apply);
                }
                List<DeviceKey> slice = sequence.slice(false, name);
                slice.forEach(each::apply);
                before.ifPresent(late::applyBefore);
                sequence.some(new HashSet<>(slice)).forEach(late::apply);
                slice.forEach(late::apply);
                each.work(() -> false);
                late.work(() -> false);
                assertThat(sequence.world.known(late)).as("seed %s, batch %s", seed, batch)
                        .isEqualTo(sequence.world.known(each));
                assertThat(DeviceWorld.together(late)).as("seed %s, batch %s", seed, batch)
                        .isEqualTo(DeviceWorld.together(each));
                stays += Collections.disjoint(sequence.gone(), sequence.world.claimed()) ? 0 : 1;
            }
        }
        assertThat(stays).as("batches after which a claim had a device whose slice was gone")
                .isGreaterThan(SEQUENCES);
    }

    /** The command asks about one device what controllers ask about all. */
    @Test
    void what_is_said_of_a_device_is_what_rules_and_taint_slices_say_of_all() {
        Set<Object> seen = new HashSet<>();
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Sequence sequence = new Sequence(Cases.random(seed));
            for (int step = 0; step < 20; step++) {
                sequence.change(true);
            }
            DeviceState scratch = sequence.world.state();
            sequence.world.keys().forEach(scratch::apply);
            scratch.work(() -> false);
            assertThat(scratch.published().keySet()).as("seed %s", seed).isEqualTo(sequence.world.published());
            for (DeviceName device : DeviceWorld.NAMES) {
                assertThat(scratch.slice(device).flatMap(slice -> sequence.world.facts(slice, device)))
                        .as("seed %s: %s", seed, device)
                        .isEqualTo(Optional.ofNullable(scratch.published().get(device)).map(Pools.Device::facts));
                assertThat(scratch.tainting(device)).as("seed %s: %s", seed, device)
                        .isEqualTo(sequence.world.tainting(scratch, device, seen));
            }
        }
        assertThat(seen).as("answers").containsExactlyInAnyOrder(true, false, "unknown", "listed");
    }

    /** Random changes of a world. */
    private static final class Sequence {
        final DeviceWorld world = new DeviceWorld();
        boolean sliceChanged;
        private final Random random;
        private final Set<DeviceName> ever = new HashSet<>();

        Sequence(Random random) {
            this.random = random;
        }

        /** @param lasting whether no claim has a device whose slice is gone or outdated: only who has seen that knows it */
        List<DeviceKey> change(boolean lasting) {
            int kind = random.nextInt(lasting || !sliceChanged ? 9 : 6);
            switch (kind) {
                case 0, 1 -> {
                    return declared();
                }
                case 2 -> {
                    DeviceKey deviceClass = DeviceKey.of(Kind.DEVICE_CLASS, "c" + random.nextInt(2));
                    return random.nextInt(3) == 0 ? world.remove(deviceClass)
                            : world.deviceClass(deviceClass.object().name(), "k=" + random.nextInt(2));
                }
                case 3 -> {
                    DeviceKey pod = DeviceKey.of(Kind.POD, "pod" + random.nextInt(3));
                    return random.nextInt(3) == 0 ? world.remove(pod)
                            : world.pod(pod.object().name(), random.nextBoolean() ? "node" : "",
                                    random.nextBoolean() ? new String[0] : new String[]{"c" + random.nextInt(3)});
                }
                case 4, 5 -> {
                    DeviceKey claim = new DeviceKey(Kind.CLAIM, new ObjectKey("n", "c" + random.nextInt(3)));
                    return unless(lasting, claim, () -> random.nextInt(3) == 0 ? world.remove(claim)
                            : world.claim(claim.object().name(), someDevices(), "pod" + random.nextInt(3),
                                    random.nextBoolean() ? "group" : "pod0"));
                }
                default -> {
                    return slice(lasting, "s" + random.nextInt(3));
                }
            }
        }

        /** Changes a slice. If it is to last, its pool is complete. */
        List<DeviceKey> slice(boolean lasting, String name) {
            sliceChanged = true;
            DeviceKey slice = DeviceKey.of(Kind.RESOURCE_SLICE, name);
            return unless(lasting, slice, () -> random.nextInt(4) == 0 ? world.remove(slice)
                    : world.slice(name, "p" + random.nextInt(2), random.nextBoolean() ? "" : "node",
                            lasting ? 1 : 1 + random.nextInt(2), random.nextInt(lasting ? 2 : 3),
                            lasting || random.nextInt(5) > 0, published()));
        }

        private List<DeviceKey> declared() {
            int name = random.nextInt(3);
            String effect = DeviceWorld.EFFECTS.get(random.nextInt(3));
            String taint = random.nextInt(6) == 0 ? "-" : "k";
            return switch (random.nextInt(6)) {
                case 0 -> world.remove(DeviceKey.of(Kind.RULE, "r" + name));
                case 1 -> world.remove(DeviceKey.of(Kind.TAINT_SLICE, "t" + name));
                case 2 -> world.taintSlice("t" + name, "p" + random.nextInt(2), effect, "x0",
                        random.nextBoolean() ? "x1" : "x0"); // a device that is named twice is a fault
                default -> world.rule("r" + name, SELECTORS.get(random.nextInt(SELECTORS.size())), taint, effect,
                        name);
            };
        }

        /** Takes the change back that a claim would not outlast. */
        private List<DeviceKey> unless(boolean lasting, DeviceKey key, Supplier<List<DeviceKey>> change) {
            var slice = Optional.ofNullable(world.slices.get(key.object()));
            var claim = Optional.ofNullable(world.claims.get(key.object()));
            List<DeviceKey> keys = change.get();
            ever.addAll(world.published());
            if (lasting && !Collections.disjoint(gone(), world.claimed())) {
                world.remove(key);
                slice.ifPresent(before -> world.slices.put(key.object(), before));
                claim.ifPresent(before -> world.claims.put(key.object(), before));
                return List.of();
            }
            return keys;
        }

        Set<DeviceName> gone() {
            Set<DeviceName> gone = new HashSet<>(ever);
            gone.removeAll(world.published());
            return gone;
        }

        private List<DeviceName> someDevices() {
            List<DeviceName> some = new ArrayList<>(DeviceWorld.NAMES);
            some.removeIf(device -> random.nextInt(3) > 0);
            return some;
        }

        private String[] published() {
            return List.of("x0", "x1", "x2").stream().filter(device -> random.nextBoolean())
                    .map(device -> device + "=" + random.nextInt(2)
                            + (random.nextInt(3) > 0 ? "" : "=" + DeviceWorld.EFFECTS.get(random.nextInt(3))))
                    .toArray(String[]::new);
        }

        /** Takes some of the keys, each perhaps several times. */
        List<DeviceKey> some(Set<DeviceKey> mailbox) {
            List<DeviceKey> some = shuffled(mailbox);
            some.removeIf(key -> random.nextBoolean());
            some.forEach(mailbox::remove);
            some.addAll(some.subList(0, some.size() / 2));
            return some;
        }

        List<DeviceKey> shuffled(Collection<DeviceKey> keys) {
            List<DeviceKey> all = new ArrayList<>(keys);
            all.sort(Comparator.comparing(DeviceKey::kind).thenComparing(DeviceKey::object));
            Collections.shuffle(all, random);
            return all;
        }
    }
}
