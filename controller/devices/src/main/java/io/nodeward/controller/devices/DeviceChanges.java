package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What has changed in caches and has not been settled. It is remembered while its cache is locked, and for any thread. */
final class DeviceChanges {
    private final DeviceCaches caches;
    final Unsettled<ObjectKey> rules = new Unsettled<>();
    final Unsettled<ObjectKey> taintSlices = new Unsettled<>();
    final Unsettled<ObjectKey> classes = new Unsettled<>();
    final Unsettled<ObjectKey> slices = new Unsettled<>();
    /** Of slices that have changed since, what they published before: a device that is gone is as it was last. */
    private final Map<ObjectKey, ResourceSlice> previous = new ConcurrentHashMap<>();
    final Unsettled<ObjectKey> claims = new Unsettled<>();
    /** Their UIDs. */
    final Unsettled<String> pods = new Unsettled<>();
    /** Whether all has been seen; written by who settles. */
    private volatile boolean begun;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Of a pod, what decides whether it would be evicted. */
    record PodState(String uid, String nodeName, boolean deleting, boolean finished) {
        static PodState of(Pod pod) {
            return new PodState(
                    pod.metadata().uid(), pod.nodeName(), pod.metadata().deleting(), pod.isFinished());
        }
    }

    DeviceChanges(DeviceCaches caches) {
        this.caches = caches;
        caches.rules().subscribe((before, after) -> MapFunction.declared(before, after).forEach(
                key -> heard(rules, key)));
        caches.taintSlices().subscribe((before, after) -> MapFunction.declared(before, after).forEach(
                key -> heard(taintSlices, key)));
        caches.classes().subscribe((before, after) -> {
            if (MapFunction.differs(before, after, DeviceClass::expressions)) {
                heard(classes, MapFunction.latest(before, after).key());
            }
        });
        caches.slices().subscribe((before, after) -> {
            if (before != null && begun) {
                previous.put(before.key(), before);
            }
            heard(slices, MapFunction.latest(before, after).key());
        });
        caches.claims().subscribe((before, after) -> {
            if (MapFunction.differs(before, after, claim -> List.of(claim.allocated(), claim.reservedFor()))) {
                heard(claims, MapFunction.latest(before, after).key());
            }
        });
        caches.pods().subscribe(this::heardOfPod);
    }

    /** A claim that comes to name the pod later is itself a change. */
    private void heardOfPod(@Nullable Pod before, @Nullable Pod after) {
        if (MapFunction.differs(before, after, PodState::of)) {
            MapFunction.both(before, after).map(pod -> pod.metadata().uid()).distinct()
                    .filter(uid -> caches.claims().has(DeviceCaches.OF_POD, uid)).forEach(uid -> heard(pods, uid));
        }
    }

    /** What changes before all has been seen is not remembered: it may last, and all is looked at then. */
    private <K> void heard(Unsettled<K> kind, K key) {
        if (begun) {
            kind.add(key);
        }
        listeners.forEach(Runnable::run);
    }

    /** Told of each change. */
    void whenChanged(Runnable listener) {
        listeners.add(listener);
    }

    /** As soon as all has been seen, all of it has changed. */
    void begin() {
        if (!begun && caches.unseen().isEmpty()) {
            begun = true; // before caches are read: a change from here on is remembered
            addAll(classes, caches.classes());
            addAll(rules, caches.rules());
            addAll(taintSlices, caches.taintSlices());
            addAll(claims, caches.claims());
            addAll(slices, caches.slices());
        }
    }

    private static void addAll(Unsettled<ObjectKey> kind, ObjectCache<?> cache) {
        cache.all().forEach(object -> kind.add(object.key()));
    }

    /** What a slice published before it changed, if that has not been looked at since, and then what it publishes. */
    void published(ObjectKey slice, Consumer<Optional<ResourceSlice>> how) {
        Optional.ofNullable(previous.get(slice)).ifPresent(before -> {
            how.accept(Optional.of(before));
            previous.remove(slice, before); // unless there has been another since
        });
        how.accept(caches.slices().get(slice));
    }
}
