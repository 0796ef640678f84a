package io.nodeward.core.rules.device;

import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.Pools.Slice;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The slices of one pool that name the same Node, or none. Slices of other Nodes have no say in which of its generations is the
 * newest, nor in whether it is complete. Not safe for several threads.
 */
final class NodePool<F> {
    /** The most devices that API servers store of one slice. */
    private static final int MOST_DEVICES = 128;

    /** More slices than an API server can hold. */
    private static final long MOST_SLICES = 1L << 32;

    private final String node;
    private final Map<String, Slice<F>> slices = new HashMap<>();
    private final NavigableMap<Long, Set<String>> generations = new TreeMap<>();
    private final Map<String, NavigableMap<Source, Device<F>>> sources = new HashMap<>();
    private final Map<String, Device<F>> published = new HashMap<>();
    /** The published devices that the newest generation does not have yet. */
    private final Set<String> kept = new HashSet<>();
    /** How many of these no slice has any more, and how many bytes they take. */
    private int orphans;
    private long orphanBytes;
    /** How many of these there may be: so many devices as the slices that are missing or not known can have. */
    private long room;
    private boolean isNewestComplete;
    /** The newest generation that has been complete. */
    private long completed = Long.MIN_VALUE;
    private Instant created = Instant.MAX;
    /** How many of the slices have devices that are not known. */
    private int unknown;

    NodePool(String node) {
        this.node = node;
    }

    /** Which slice publishes a device. The newest sorts first. */
    private record Source(long generation, String slice) implements Comparable<Source> {
        private static final Comparator<Source> ORDER =
                Comparator.comparingLong(Source::generation).reversed().thenComparing(Source::slice);

        @Override
        public int compareTo(Source other) {
            return ORDER.compare(this, other);
        }
    }

    String node() {
        return node;
    }

    /** Returns when the oldest of the slices was created. */
    Instant created() {
        return created;
    }

    /** Returns whether a device that is not published may be in a slice whose devices are not known. */
    boolean hasUnknown() {
        return unknown > 0 && !isNewestComplete;
    }

    boolean isEmpty() {
        return slices.isEmpty();
    }

    Optional<Device<F>> published(String device) {
        return Optional.ofNullable(published.get(device));
    }

    /** Returns the slice that publishes a device; empty if none has it any more, or it is not published. */
    Optional<String> slice(String device) {
        return published(device).flatMap(any -> Optional.ofNullable(sources.get(device)))
                .map(all -> all.firstKey().slice());
    }

    /** Returns the newest generation; empty if there is no slice. */
    OptionalLong generation() {
        return generations.isEmpty() ? OptionalLong.empty() : OptionalLong.of(generations.lastKey());
    }

    /** Returns about how many bytes the devices take that no slice has any more. */
    long orphanBytes() {
        return orphanBytes;
    }

    /** Returns the names of all devices. */
    Set<String> published() {
        return published.keySet();
    }

    /** Puts a slice in the place of the one of this name, or removes that, and returns the devices that came, went or changed. */
    Set<String> slice(String name, Optional<Slice<F>> now) {
        Set<String> concerned = new HashSet<>();
        Optional.ofNullable(slices.remove(name)).ifPresent(slice -> remove(name, slice, concerned));
        now.ifPresent(slice -> add(name, slice, concerned));
        Set<String> newest = generations.isEmpty() ? Set.of() : generations.lastEntry().getValue();
        isNewestComplete = isComplete(newest);
        if (isNewestComplete && !newest.isEmpty()) {
            completed = Math.max(completed, generations.lastKey());
        }
        room = MOST_DEVICES * slicesToCome(newest);
        concerned.addAll(kept);
        kept.clear();
        orphans = 0;
        orphanBytes = 0;
        concerned.removeIf(device -> !decide(device));
        return concerned;
    }

    private void add(String name, Slice<F> slice, Set<String> concerned) {
        slices.put(name, slice);
        unknown += slice.known() ? 0 : 1;
        created = slice.created().isBefore(created) ? slice.created() : created;
        if (!generations.isEmpty() && slice.generation() > generations.lastKey()) {
            concern(generations.lastEntry().getValue(), concerned);
        }
        generations.computeIfAbsent(slice.generation(), any -> new HashSet<>()).add(name);
        Source source = new Source(slice.generation(), name);
        for (Device<F> device : slice.devices()) {
            sources.computeIfAbsent(device.name(), any -> new TreeMap<>()).putIfAbsent(source, device);
            concerned.add(device.name());
        }
    }

    private void remove(String name, Slice<F> slice, Set<String> concerned) {
        unknown -= slice.known() ? 0 : 1;
        if (slice.created().equals(created)) {
            created = slices.values().stream().map(Slice::created).min(Comparator.naturalOrder()).orElse(Instant.MAX);
        }
        Set<String> generation = Objects.requireNonNull(generations.get(slice.generation()));
        generation.remove(name);
        if (generation.isEmpty()) {
            generations.remove(slice.generation());
            if (!generations.isEmpty() && generations.lastKey() < slice.generation()) {
                concern(generations.lastEntry().getValue(), concerned); // an older one counts again
            }
        }
        Source source = new Source(slice.generation(), name);
        for (Device<F> device : slice.devices()) {
            sources.computeIfPresent(device.name(), (any, all) -> {
                all.remove(source);
                return all.isEmpty() ? null : all;
            });
            concerned.add(device.name());
        }
    }

    private void concern(Set<String> names, Set<String> concerned) {
        slices(names).flatMap(slice -> slice.devices().stream()).map(Device::name).forEach(concerned::add);
    }

    private Stream<Slice<F>> slices(Set<String> names) {
        return names.stream().map(name -> Objects.requireNonNull(slices.get(name)));
    }

    /** Decides on a device anew, and returns whether anything has changed. */
    private boolean decide(String device) {
        Optional<Device<F>> after = find(device);
        boolean isChanged = !after.equals(published(device));
        after.ifPresentOrElse(found -> published.put(device, found), () -> published.remove(device));
        return isChanged;
    }

    private Optional<Device<F>> find(String device) {
        if (generations.isEmpty()) {
            return Optional.empty();
        }
        long newest = generations.lastKey();
        Optional<Map.Entry<Source, Device<F>>> source =
                Optional.ofNullable(sources.get(device)).map(NavigableMap::firstEntry);
        if (source.filter(first -> first.getKey().generation() == newest).isPresent()) {
            return source.map(Map.Entry::getValue);
        }
        long since = Math.min(newest, completed);
        Optional<Device<F>> stays = source.filter(older -> older.getKey().generation() >= since
                && isIncomplete(generations.tailMap(older.getKey().generation(), false))).map(Map.Entry::getValue)
                .or(() -> published(device).filter(any -> isIncomplete(generations.tailMap(since, true)))
                        .filter(this::keepOrphan));
        stays.ifPresent(any -> kept.add(device));
        return stays;
    }

    /** Keeps a device that no slice has any more, unless the slices whose devices are not known cannot have so many. */
    private boolean keepOrphan(Device<F> device) {
        if (orphans >= room) {
            return false;
        }
        orphans++;
        orphanBytes += device.bytes();
        return true;
    }

    /** Returns how many slices of a generation are missing, or have devices that are not known. */
    private long slicesToCome(Set<String> generation) {
        long missing = slices(generation).mapToLong(Slice::slices).max().orElse(0) - generation.size();
        return Math.min(Math.max(missing, 0) + slices(generation).filter(slice -> !slice.known()).count(), MOST_SLICES);
    }

    /** Returns whether none of these generations, the last of which is the newest, is complete. */
    private boolean isIncomplete(NavigableMap<Long, Set<String>> some) {
        return !isNewestComplete
                && some.headMap(some.lastKey(), false).values().stream().noneMatch(this::isComplete);
    }

    private boolean isComplete(Set<String> generation) {
        return slices(generation).allMatch(slice -> slice.known() && slice.slices() <= generation.size());
    }
}
