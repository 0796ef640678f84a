package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.ResourceClaim.Allocated;
import io.nodeward.api.device.ResourceClaim.PodReference;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.device.TaintData;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.PodGroupMember;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.device.DeviceModel.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Devices, claims and pods in the tests of {@link DevicePreview}. */
final class DeviceUse {
    static final boolean PUBLISHED = true;
    static final boolean GONE = false;

    final Map<DeviceName, Answer> devices = new LinkedHashMap<>();
    /** What drivers have published. */
    final Map<DeviceName, List<DeviceTaint>> driverTaints = new LinkedHashMap<>();
    final List<ResourceClaim> claims = new ArrayList<>();
    final List<Pod> pods = new ArrayList<>();
    /** The pods that previews have evicted. */
    final Set<String> going = new HashSet<>();

    static final RuleTaint HOT =
            new RuleTaint("example.com/hot", "very", "None", Optional.empty(), TaintData.NONE, "", 10);

    DeviceUse device(String name, DeviceMatch match, boolean isPublished) {
        devices.put(name(name), new Answer(match, isPublished));
        return this;
    }

    /** Adds a taint that the driver of a device has published. */
    DeviceUse driverTaint(String device, String key, String effect) {
        driverTaints.computeIfAbsent(name(device), any -> new ArrayList<>())
                .add(new DeviceTaint(key, "v", effect, Instant.ofEpochSecond(driverTaints.size())));
        return this;
    }

    /** @param users pods by name, each with the name as UID; {@code name:uid} for another one, {@code group/name} for a PodGroup */
    DeviceUse claim(String name, List<Allocated> allocated, String... users) {
        List<PodReference> references = List.of(users).stream().filter(user -> !user.contains("/"))
                .map(user -> user.split(":")).map(parts -> new PodReference(parts[0], parts[parts.length - 1]))
                .toList();
        claims.add(new ResourceClaim(metadata(name, name, false), allocated, references, List.of(users).stream()
                .filter(user -> user.contains("/")).map(user -> user.substring(user.indexOf('/') + 1)).toList()));
        return this;
    }

    /** That runs, with its name as UID. */
    DeviceUse pod(String name) {
        return pod(name, "node-1", false, "Running");
    }

    DeviceUse pod(String name, String node, boolean deleting, String phase) {
        pods.add(new Pod(metadata(name, name, deleting), node, List.of(), "Burstable", phase));
        return this;
    }

    /** @param claims that it uses as one of a PodGroup */
    DeviceUse podOf(String group, String name, String... claims) {
        pods.add(new Pod(metadata(name, name, false), "node-1", List.of(), "", "Running",
                Optional.of(new PodGroupMember(group, List.of(claims))), List.of()));
        return this;
    }

    DevicePreview preview() {
        return preview(HOT);
    }

    DevicePreview preview(RuleTaint taint) {
        DevicePreviewDraft draft =
                new DevicePreviewDraft(taint,
                        name -> Objects.requireNonNull(devices.get(name))
                                .match() instanceof DeviceMatch.Unknown(String why) ? why
                                        : "",
                        name -> driverTaints.getOrDefault(name, List.of()),
                        name -> claims.stream().filter(
                                claim -> claim.allocated().stream().anyMatch(each -> each.device().equals(name)))
                                .toList());
        devices.forEach((name, answer) -> {
            if (!answer.match().equals(DeviceMatch.NO)) {
                draft.device(name, new TaintedDevices.Answer(
                        answer.match().equals(DeviceMatch.YES), answer.published()));
            }
        });
        return draft.preview(claim -> pods.stream().filter(claim::isReservedFor).toList(),
                pod -> going.add(pod.key().toString()));
    }

    static DeviceName name(String name) {
        return new DeviceName("d", "p", name);
    }

    static Allocated allocated(String device, Toleration... tolerations) {
        return new Allocated(name(device), List.of(tolerations));
    }

    /** @param key {@code namespace/name}; the namespace is {@code n} if it has none */
    private static Metadata metadata(String key, String uid, boolean deleting) {
        int slash = key.indexOf('/');
        ObjectKey object = new ObjectKey(slash < 0 ? "n" : key.substring(0, slash), key.substring(slash + 1));
        return new Metadata(object, uid.substring(slash + 1), "1", Map.of(), Map.of(), List.of(), deleting);
    }
}
