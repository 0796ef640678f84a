package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.ResourceSlice;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The devices that ResourceSlices publish: of each pool, those of its newest generation. A slice of an older generation
 * publishes nothing, not even devices that no other slice has. If two slices of one generation publish the same device, the
 * slice whose name sorts first counts, in whatever order they come. Not safe for several threads.
 *
 * <p>A driver writes a new generation slice by slice. Until as many slices have it as it is to have, a device that none of them
 * has stays as it was: it may be in one that is still to come. Nor is a generation complete that has a slice whose devices are not
 * known: a device that was published stays as it was, as it may be in that one.
 *
 * @param <F> what expressions read of a device; if it is equal, they have the same answer
 */
public final class Pools<F> {
    /** The most devices of one slice. */
    private static final int LEAST_KEPT = 128;
    private static final int MOST_UNKNOWN = 8;

    private final Map<String, Slice<F>> slices = new HashMap<>();
    private final Map<PoolName, NavigableMap<Long, Set<String>>> generations = new HashMap<>();
    private final Map<DeviceName, NavigableMap<Source, Device<F>>> sources = new HashMap<>();
    private final Map<DeviceName, Device<F>> published = new HashMap<>();
    /** The newest generation of each pool that has been complete. */
    private final Map<PoolName, Long> completed = new HashMap<>();
    /** The published devices of each pool that its newest generation does not have yet. */
    private final Map<PoolName, Set<DeviceName>> kept = new HashMap<>();

    /**
     * A ResourceSlice, as it is published.
     *
     * @param slices how many slices of the pool have this generation once it is complete; 0 if that is not known
     * @param known whether {@code devices} are all that it has; there are none if not
     */
    public record Slice<F>(
            String driver, String pool, long generation, long slices, List<Device<F>> devices, boolean known) {
        /** A copy of what is given. */
        public Slice {
            devices = List.copyOf(devices);
        }

        /** Of a generation that is complete with each slice. */
        public Slice(String driver, String pool, long generation, List<Device<F>> devices) {
            this(driver, pool, generation, 0, devices);
        }

        /** One whose devices are known. */
        public Slice(String driver, String pool, long generation, long slices, List<Device<F>> devices) {
            this(driver, pool, generation, slices, devices, true);
        }

        /** Of one that is watched. */
        public static Slice<DeviceFacts> of(ResourceSlice slice) {
            return new Slice<>(slice.driver(), slice.pool(), slice.generation(), slice.slices(),
                    slice.devices().stream()
                            .map(device -> new Device<>(device.name(), device.facts(), device.taints())).toList(),
                    slice.known());
        }

        private PoolName poolName() {
            return new PoolName(driver, pool);
        }

        private DeviceName name(Device<F> device) {
            return new DeviceName(driver, pool, device.name());
        }
    }

    /**
     * A device of a slice.
     *
     * @param name in the pool
     * @param facts what expressions read of it
     * @param taints of its driver
     */
    public record Device<F>(String name, F facts, List<DeviceTaint> taints) {
        /** A copy of what is given. */
        public Device {
            taints = List.copyOf(taints);
        }
    }

    private record PoolName(String driver, String pool) {}

    /** Which slice publishes a device. The newest sorts first. */
    private record Source(long generation, String slice) implements Comparable<Source> {
        private static final Comparator<Source> ORDER =
                Comparator.comparingLong(Source::generation).reversed().thenComparing(Source::slice);

        @Override
        public int compareTo(Source other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * A slice has been added, changed or, if it is empty, removed.
     *
     * @return the devices that came, went or changed; those that went are empty
     */
    public Map<DeviceName, Optional<Device<F>>> slice(String name, Optional<Slice<F>> now) {
        Optional<Slice<F>> was = Optional.ofNullable(slices.get(name));
        if (was.equals(now)) {
            return Map.of();
        }
        Set<DeviceName> concerned = new HashSet<>();
        was.ifPresent(slice -> remove(name, slice, concerned));
        now.ifPresent(slice -> add(name, slice, concerned));
        Stream.of(was, now).flatMap(Optional::stream).map(Slice::poolName).distinct()
                .forEach(pool -> concerned.addAll(settled(pool)));
        Map<DeviceName, Optional<Device<F>>> changes = new HashMap<>();
        for (DeviceName device : concerned) {
            Optional<Device<F>> after = find(device);
            if (!after.equals(published(device))) {
                after.ifPresentOrElse(found -> published.put(device, found), () -> published.remove(device));
                changes.put(device, after);
            }
        }
        return changes;
    }

    /** Returns the devices that the pool has kept, to be decided on anew. */
    private Set<DeviceName> settled(PoolName pool) {
        NavigableMap<Long, Set<String>> all = generations.get(pool);
        if (all == null) {
            completed.remove(pool);
        } else if (isComplete(all.lastEntry().getValue())) {
            completed.merge(pool, all.lastKey(), Math::max);
        }
        return Optional.ofNullable(kept.remove(pool)).orElse(Set.of());
    }

    private boolean isComplete(Set<String> generation) {
        return generation.stream().map(this::slice).allMatch(
                slice -> slice.known() && slice.slices() <= generation.size());
    }

    private Slice<F> slice(String name) {
        return Objects.requireNonNull(slices.get(name));
    }

    /** A device, if a slice publishes it. */
    public Optional<Device<F>> published(DeviceName name) {
        return Optional.ofNullable(published.get(name));
    }

    /** All devices. */
    public Map<DeviceName, Device<F>> published() {
        return Collections.unmodifiableMap(published);
    }

    private void add(String name, Slice<F> slice, Set<DeviceName> concerned) {
        slices.put(name, slice);
        NavigableMap<Long, Set<String>> pool = generations.computeIfAbsent(slice.poolName(), any -> new TreeMap<>());
        if (!pool.isEmpty() && slice.generation() > pool.lastKey()) {
            concern(pool.lastEntry().getValue(), concerned);
        }
        pool.computeIfAbsent(slice.generation(), any -> new HashSet<>()).add(name);
        Source source = new Source(slice.generation(), name);
        for (Device<F> device : slice.devices()) {
            sources.computeIfAbsent(slice.name(device), any -> new TreeMap<>()).putIfAbsent(source, device);
            concerned.add(slice.name(device));
        }
    }

    private void remove(String name, Slice<F> slice, Set<DeviceName> concerned) {
        slices.remove(name);
        NavigableMap<Long, Set<String>> pool = generations.getOrDefault(slice.poolName(), new TreeMap<>());
        Set<String> generation = pool.getOrDefault(slice.generation(), new HashSet<>());
        generation.remove(name);
        if (generation.isEmpty()) {
            pool.remove(slice.generation());
            uncover(slice, pool, concerned);
        }
        Source source = new Source(slice.generation(), name);
        for (Device<F> device : slice.devices()) {
            sources.computeIfPresent(slice.name(device), (any, all) -> {
                all.remove(source);
                return all.isEmpty() ? null : all;
            });
            concerned.add(slice.name(device));
        }
    }

    /** The last slice of a generation is gone: if it was the newest, an older one counts again. */
    private void uncover(Slice<F> last, NavigableMap<Long, Set<String>> pool, Set<DeviceName> concerned) {
        if (pool.isEmpty()) {
            generations.remove(last.poolName());
        } else if (pool.lastKey() < last.generation()) {
            concern(pool.lastEntry().getValue(), concerned);
        }
    }

    private void concern(Set<String> names, Set<DeviceName> concerned) {
        for (String name : names) {
            Optional.ofNullable(slices.get(name)).ifPresent(
                    slice -> slice.devices().forEach(device -> concerned.add(slice.name(device))));
        }
    }

    private Optional<Device<F>> find(DeviceName name) {
        PoolName pool = new PoolName(name.driver(), name.pool());
        NavigableMap<Long, Set<String>> all = generations.get(pool);
        if (all == null) {
            return Optional.empty();
        }
        Optional<Map.Entry<Source, Device<F>>> source =
                Optional.ofNullable(sources.get(name)).map(NavigableMap::firstEntry);
        if (source.filter(first -> first.getKey().generation() == all.lastKey()).isPresent()) {
            return source.map(Map.Entry::getValue);
        }
        long since = Math.min(all.lastKey(), completed.getOrDefault(pool, Long.MIN_VALUE));
        Optional<Device<F>> stays = source.filter(older -> older.getKey().generation() >= since
                && isIncomplete(all.tailMap(older.getKey().generation(), false))).map(Map.Entry::getValue)
                .or(() -> published(name).filter(any -> isIncomplete(all.tailMap(since, true)) && hasRoom(pool, all)));
        stays.ifPresent(any -> kept.computeIfAbsent(pool, none -> new HashSet<>()).add(name));
        return stays;
    }

    /** Whether none of these generations is complete. */
    private boolean isIncomplete(Map<Long, Set<String>> some) {
        return some.values().stream().noneMatch(this::isComplete);
    }

    /**
     * A pool whose generations are never complete keeps no more devices than its slices have. Slices whose devices are not known
     * cost who writes them nothing: only some of them count.
     */
    private boolean hasRoom(PoolName pool, NavigableMap<Long, Set<String>> all) {
        List<Slice<F>> own = all.values().stream().flatMap(Set::stream).map(this::slice).toList();
        long devices = own.stream().mapToLong(slice -> slice.devices().size()).sum();
        long unknown = own.stream().filter(slice -> !slice.known()).limit(MOST_UNKNOWN).count();
        return kept.getOrDefault(pool, Set.of()).size() < Math.max(devices + unknown * LEAST_KEPT, LEAST_KEPT);
    }
}
