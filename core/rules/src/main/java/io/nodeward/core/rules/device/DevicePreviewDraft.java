package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.device.DevicePreview.Unanswered;
import io.nodeward.core.rules.device.TaintedDevices.Answer;
import io.nodeward.core.rules.preview.Sample;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Counts what one rule would do: first device by device, then claim by claim. A pod uses the devices of the claims that are
 * reserved for it, also of those that its spec does not name.
 */
final class DevicePreviewDraft {
    private static final Comparator<DeviceTaint> BY_NAME = Comparator.comparing(DeviceTaint::key)
            .thenComparing(DeviceTaint::value).thenComparing(DeviceTaint::effect);

    private final DeviceTaint taint;
    private final Function<DeviceName, String> why;
    private final Function<DeviceName, List<DeviceTaint>> ofDriver;
    private final Function<DeviceName, Collection<ResourceClaim>> using;
    private final Names published = new Names();
    private final Names failed = new Names();
    private final Names unknown = new Names();
    /** The selected devices that claims have, whether or not a slice publishes them. */
    private final Set<DeviceName> allocated = new HashSet<>();
    /** The claims that have one of them. */
    private final Map<ObjectKey, ResourceClaim> claims = new HashMap<>();
    /** The pods of which some claim tolerates the taint; another claim may not. */
    private final Set<ObjectKey> tolerating = new HashSet<>();
    private final Set<ObjectKey> evicted = new HashSet<>();
    /** The first taints of drivers on selected devices, and how many of these have each: drivers may publish any number. */
    private final NavigableMap<DeviceTaint, Integer> driverTaints = new TreeMap<>(BY_NAME);
    /** The taints that drivers publish on selected devices that claims have. */
    private final Map<DeviceName, List<DeviceTaint>> driverTaintsInUse = new HashMap<>();
    private final Set<ObjectKey> evictedByKubernetes = new HashSet<>();

    /**
     * @param taint of the rule, which counts as NoExecute whatever its effect is
     * @param why nobody knows whether the rule selects a device; asked of the first ones alone
     * @param ofDriver gives the taints that the slice of a device has
     * @param using gives the claims that have a device
     */
    DevicePreviewDraft(
            RuleTaint taint, Function<DeviceName, String> why, Function<DeviceName, List<DeviceTaint>> ofDriver,
            Function<DeviceName, Collection<ResourceClaim>> using) {
        this.taint = new DeviceTaint(taint.key(), taint.value(), DeviceVerdict.NO_EXECUTE, Instant.EPOCH);
        this.why = why;
        this.ofDriver = ofDriver;
        this.using = using;
    }

    /** Counts a device that the rule selects or may select, as {@link TaintedDevices#forEachDevice} gives it. */
    void device(DeviceName name, Answer answer) {
        Collection<ResourceClaim> users = using.apply(name);
        if (answer.selected()) {
            selected(name, answer.published(), users);
        } else if (answer.published()) {
            failed.add(name);
        } else if (!users.isEmpty()) {
            unknown.add(name);
        }
    }

    private void selected(DeviceName name, boolean isPublished, Collection<ResourceClaim> users) {
        if (isPublished) {
            published.add(name);
        }
        List<DeviceTaint> taints = ofDriver.apply(name);
        count(taints);
        if (!users.isEmpty()) {
            allocated.add(name);
            driverTaintsInUse.put(name, taints);
        }
        users.forEach(claim -> claims.put(claim.key(), claim));
    }

    private void count(List<DeviceTaint> ofDevice) {
        Set<DeviceTaint> distinct = new TreeSet<>(BY_NAME);
        distinct.addAll(ofDevice);
        for (DeviceTaint each : distinct) {
            driverTaints.merge(each, 1, Integer::sum);
            if (driverTaints.size() > Sample.MOST) {
                driverTaints.pollLastEntry();
            }
        }
    }

    /**
     * Returns the preview, after all devices.
     *
     * @param pods for which a claim is reserved
     * @param going takes each pod that would be evicted, once for each claim that has it go
     */
    DevicePreview preview(Function<ResourceClaim, Collection<Pod>> pods, Consumer<Pod> going) {
        claims.values().forEach(claim -> users(claim, pods, going));
        int namespaces = (int) evicted.stream().map(ObjectKey::namespace).distinct().count();
        tolerating.removeAll(evicted);
        evictedByKubernetes.retainAll(evicted);
        return new DevicePreview(published.sample(), sample(allocated), sample(evicted), namespaces, sample(tolerating),
                failed.unanswered(why), unknown.unanswered(this::whyUnknown),
                driverTaints.entrySet().stream().map(each -> new DriverTaint(each.getKey().key(),
                        each.getKey().value(), each.getKey().effect(), each.getValue())).toList(),
                sample(evictedByKubernetes));
    }

    private String whyUnknown(DeviceName device) {
        return using.apply(device).stream().map(claim -> claim.key().toString()).sorted().findFirst()
                .map(claim -> "ResourceClaim " + claim + " has it; ").orElse("") + why.apply(device);
    }

    private void users(
            ResourceClaim claim, Function<ResourceClaim, Collection<Pod>> pods, Consumer<Pod> going) {
        boolean evicts = claim.allocated().stream().filter(each -> allocated.contains(each.device()))
                .anyMatch(each -> DeviceVerdict.of(List.of(taint), each.tolerations()).evictAt().isPresent());
        boolean isEvictedByKubernetes = claim.allocated().stream().anyMatch(each -> DeviceVerdict.isEvictedByKubernetes(
                driverTaintsInUse.getOrDefault(each.device(), List.of()), each.tolerations()));
        for (Pod pod : pods.apply(claim)) {
            if (EvictionCauses.isOnNode(pod)) {
                (evicts ? evicted : tolerating).add(pod.key());
                if (evicts) {
                    going.accept(pod);
                }
                if (isEvictedByKubernetes) {
                    evictedByKubernetes.add(pod.key());
                }
            }
        }
    }

    private static Sample sample(Collection<?> all) {
        return Sample.of(all.stream().map(Object::toString).toList());
    }

    /** Counts devices, of which each comes once, and keeps the first. */
    private static final class Names {
        private final NavigableMap<String, DeviceName> first = new TreeMap<>();
        private int count;

        void add(DeviceName device) {
            count++;
            String name = device.toString();
            if (first.size() < Sample.MOST || name.compareTo(first.lastKey()) < 0) {
                first.put(name, device);
            }
            if (first.size() > Sample.MOST) {
                first.pollLastEntry();
            }
        }

        Sample sample() {
            return new Sample(count, List.copyOf(first.keySet()));
        }

        Unanswered unanswered(Function<DeviceName, String> why) {
            return first.isEmpty() ? Unanswered.NONE
                    : new Unanswered(sample(), why.apply(first.firstEntry().getValue()));
        }
    }
}
