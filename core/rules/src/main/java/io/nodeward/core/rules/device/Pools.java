package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.ResourceSlice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ObjLongConsumer;
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
 * <p>API servers let a kubelet write slices that name its own Node, in any pool and of any generation. So each Node has generations
 * of its own in a pool, and slices that name no Node have theirs. If several publish the same device, the one that is the hardest to
 * forge counts.
 *
 * @param <F> what expressions read of a device; if it is equal, they have the same answer
 */
public final class Pools<F> {
    private final Map<String, Slice<F>> slices = new HashMap<>();
    /** The parts of each pool by their Nodes, in order: the first that has a device publishes it. */
    private final Map<PoolName, List<NodePool<F>>> pools = new HashMap<>();
    private final Map<DeviceName, Device<F>> published = new HashMap<>();
    private final ObjLongConsumer<String> charge;

    /** Creates Pools that charge no account. */
    public Pools() {
        this((account, bytes) -> {});
    }

    /**
     * Creates Pools without slices.
     *
     * @param charge takes an {@link ResourceSlice#account account} and how many bytes more, or fewer, devices take there that stay
     *     and that no slice has any more
     */
    public Pools(ObjLongConsumer<String> charge) {
        this.charge = charge;
    }

    /**
     * A ResourceSlice, as it is published.
     *
     * @param node that the slice names; empty if it names none
     * @param created when the API server stored it first
     * @param slices how many slices of the pool have this generation once it is complete; 0 if that is not known
     * @param known whether {@code devices} are all that it has; there are none if not
     */
    public record Slice<F>(
            String driver, String pool, String node, Instant created, long generation, long slices,
            List<Device<F>> devices, boolean known) {
        /** A copy of what is given. */
        public Slice {
            devices = List.copyOf(devices);
        }

        /** Makes one of a generation that is complete with each slice. */
        public Slice(String driver, String pool, long generation, List<Device<F>> devices) {
            this(driver, pool, generation, 0, devices);
        }

        /** Makes one that names no Node and whose devices are known. */
        public Slice(String driver, String pool, long generation, long slices, List<Device<F>> devices) {
            this(driver, pool, "", Instant.EPOCH, generation, slices, devices, true);
        }

        /** Makes one of a ResourceSlice that is watched. */
        public static Slice<DeviceFacts> of(ResourceSlice slice) {
            return new Slice<>(slice.driver(), slice.pool(), slice.nodeName(), slice.created(), slice.generation(),
                    slice.slices(), slice.devices().stream()
                            .map(device -> new Device<>(
                                    device.name(), device.facts(), device.taints(), device.heapBytes()))
                            .toList(),
                    slice.known());
        }

        private PoolName poolName() {
            return new PoolName(driver, pool);
        }
    }

    /**
     * A device of a slice.
     *
     * @param name in the pool
     * @param facts what expressions read of it
     * @param taints of its driver
     * @param bytes of heap that it takes, about
     */
    public record Device<F>(String name, F facts, List<DeviceTaint> taints, long bytes) {
        /** A copy of what is given. */
        public Device {
            taints = List.copyOf(taints);
        }

        /** Makes one that is charged to no account. */
        public Device(String name, F facts, List<DeviceTaint> taints) {
            this(name, facts, taints, 0);
        }
    }

    private record PoolName(String driver, String pool) {
        DeviceName device(String name) {
            return new DeviceName(driver, pool, name);
        }

        /**
         * Returns which Node's slices count first. No kubelet can write slices that name no Node. A driver that runs on a Node names
         * its pool as the Node, so that the Node has a claim to it. In other pools the Node counts that has published for the longest
         * time, as the API server says: another one cannot come before it.
         */
        <F> Comparator<NodePool<F>> order() {
            return Comparator.<NodePool<F>>comparingInt(
                    part -> part.node().isEmpty() ? 0 : part.node().equals(pool) ? 1 : 2)
                    .thenComparing(NodePool::created).thenComparing(NodePool::node);
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
        was.filter(slice -> now.filter(next -> isSamePart(slice, next)).isEmpty())
                .ifPresent(slice -> change(slice, name, Optional.empty(), concerned));
        now.ifPresentOrElse(slice -> slices.put(name, slice), () -> slices.remove(name));
        now.ifPresent(slice -> change(slice, name, now, concerned));
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

    private boolean isSamePart(Slice<F> one, Slice<F> other) {
        return one.poolName().equals(other.poolName()) && one.node().equals(other.node());
    }

    /** Changes the part of a pool to which a slice belongs. Another part may come first then, also for devices that stay. */
    private void change(Slice<F> slice, String name, Optional<Slice<F>> now, Set<DeviceName> concerned) {
        PoolName pool = slice.poolName();
        List<NodePool<F>> parts = pools.computeIfAbsent(pool, any -> new ArrayList<>(1));
        NodePool<F> part = parts.stream().filter(any -> any.node().equals(slice.node())).findFirst().orElseGet(() -> {
            parts.add(new NodePool<>(slice.node()));
            return parts.getLast();
        });
        Instant created = part.created();
        long orphanBytes = part.orphanBytes();
        part.slice(name, now).forEach(device -> concerned.add(pool.device(device)));
        if (part.orphanBytes() != orphanBytes) {
            charge.accept(ResourceSlice.account(pool.driver(), pool.pool(), part.node()),
                    part.orphanBytes() - orphanBytes);
        }
        if (part.isEmpty()) {
            parts.remove(part);
            pools.remove(pool, List.of());
        } else if (!part.created().equals(created)) {
            part.published().forEach(device -> concerned.add(pool.device(device)));
            parts.sort(pool.order());
        }
    }

    private Optional<Device<F>> find(DeviceName name) {
        return parts(name).flatMap(part -> part.published(name.device()).stream()).findFirst();
    }

    /** Returns the name of the slice that publishes a device; empty if no slice has it. */
    public Optional<String> slice(DeviceName name) {
        return parts(name).filter(part -> part.published(name.device()).isPresent()).findFirst()
                .flatMap(part -> part.slice(name.device()));
    }

    /** Returns the pool of a slice, as a device without a name; empty if there is no slice of this name. */
    Optional<DeviceName> pool(String slice) {
        return Optional.ofNullable(slices.get(slice)).map(known -> known.poolName().device(""));
    }

    /** Returns the newest generation of a device's pool, among the slices that count first; empty if no slice has the pool. */
    OptionalLong generation(DeviceName device) {
        return parts(device).map(NodePool::generation).findFirst().orElse(OptionalLong.empty());
    }

    private Stream<NodePool<F>> parts(DeviceName device) {
        return pools.getOrDefault(new PoolName(device.driver(), device.pool()), List.of()).stream();
    }

    /**
     * Returns whether a device may be in a slice whose devices are not known, and no other slice of that Node publishes it, nor one
     * of a Node that counts before it. Nodes that may not have the pool decide only if none has slices that may.
     */
    public boolean mayBeUnknown(DeviceName device) {
        return parts(device)
                .filter(part -> part.hasUnknown() || part.published(device.device()).isPresent()
                        || part.node().isEmpty() || part.node().equals(device.pool()))
                .findFirst().filter(part -> part.hasUnknown() && part.published(device.device()).isEmpty())
                .isPresent();
    }

    /** Returns a device, if a slice publishes it. */
    public Optional<Device<F>> published(DeviceName name) {
        return Optional.ofNullable(published.get(name));
    }

    /** Returns all devices. */
    public Map<DeviceName, Device<F>> published() {
        return Collections.unmodifiableMap(published);
    }
}
