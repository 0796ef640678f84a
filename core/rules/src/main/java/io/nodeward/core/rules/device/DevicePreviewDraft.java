package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceClaim.PodReference;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.device.TaintedDevices.Answer;
import io.nodeward.core.rules.device.TaintedDevices.Standing;
import io.nodeward.core.rules.preview.Sample;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Counts what one rule would do: first device by device, then claim by claim. */
final class DevicePreviewDraft {
    private final DeviceTaint taint;
    private final List<DeviceName> published = new ArrayList<>();
    private final List<DeviceName> failed = new ArrayList<>();
    private final List<DeviceName> unknown = new ArrayList<>();
    /** Selected, whether or not a slice publishes it. */
    private final Set<DeviceName> allocated = new HashSet<>();
    /** Which have one of them. */
    private final Map<ObjectKey, ResourceClaim> claims = new HashMap<>();
    /** Pods of which some claim tolerates the taint; another one may not. */
    private final Set<ObjectKey> tolerating = new HashSet<>();
    private final Set<ObjectKey> evicted = new HashSet<>();

    DevicePreviewDraft(RuleTaint taint) {
        this.taint = new DeviceTaint(taint.key(), taint.value(), DeviceVerdict.NO_EXECUTE, Instant.EPOCH);
    }

    /** @param using all claims that have it */
    void device(DeviceName name, Answer answer, Collection<ResourceClaim> using) {
        boolean isPublished = answer.standing() == Standing.PUBLISHED;
        switch (answer.match()) {
            case DeviceMatch.Unknown why -> {
                if (isPublished) {
                    failed.add(name);
                } else if (!using.isEmpty()) {
                    unknown.add(name);
                }
            }
            case DeviceMatch.Known(boolean holds) -> {
                if (holds) {
                    selected(name, isPublished, using);
                }
            }
        }
    }

    private void selected(DeviceName name, boolean isPublished, Collection<ResourceClaim> using) {
        if (isPublished) {
            published.add(name);
        }
        if (!using.isEmpty()) {
            allocated.add(name);
        }
        using.forEach(claim -> claims.put(claim.key(), claim));
    }

    /** After all devices. */
    DevicePreview preview(Function<ObjectKey, Optional<Pod>> find) {
        claims.values().forEach(claim -> users(claim, find));
        int namespaces = (int) evicted.stream().map(ObjectKey::namespace).distinct().count();
        tolerating.removeAll(evicted);
        return new DevicePreview(sample(published), sample(allocated), sample(evicted), namespaces, sample(tolerating),
                sample(failed), sample(unknown));
    }

    private void users(ResourceClaim claim, Function<ObjectKey, Optional<Pod>> find) {
        boolean evicts = claim.allocated().stream().filter(each -> allocated.contains(each.device()))
                .anyMatch(each -> DeviceVerdict.of(List.of(taint), each.tolerations()).evictAt().isPresent());
        for (PodReference reference : claim.reservedFor()) {
            ObjectKey key = new ObjectKey(claim.key().namespace(), reference.name());
            find.apply(key).filter(pod -> pod.metadata().uid().equals(reference.uid()) && uses(pod))
                    .ifPresent(pod -> (evicts ? evicted : tolerating).add(key));
        }
    }

    /** Without a Node it is not evicted; one that is being deleted or has ended is gone anyway. */
    private static boolean uses(Pod pod) {
        return !pod.nodeName().isEmpty() && !pod.metadata().deleting() && !pod.isFinished();
    }

    private static Sample sample(Collection<?> all) {
        return Sample.of(all.stream().map(Object::toString).toList());
    }
}
