package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceAttribute;
import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.PublishedDevice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.device.TaintData;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.PodGroupMember;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The objects of a cluster in the tests of {@link DeviceState}. What changes one of them returns the keys that listeners would add. */
final class DeviceWorld {
    /** Which some slice may publish, and of which claims may have any. */
    static final List<DeviceName> NAMES = Stream.of("p0", "p1")
            .flatMap(pool -> Stream.of("x0", "x1", "x2").map(device -> new DeviceName("d", pool, device))).toList();
    /** When the driver's taints of the slices that are written from now on were added. */
    Instant written = Instant.EPOCH;
    int evaluations;

    static final List<String> EFFECTS = List.of("None", "NoSchedule", "NoExecute");

    final Map<ObjectKey, CustomResource<DeviceTaintRule>> rules = new TreeMap<>();
    final Map<ObjectKey, CustomResource<DeviceTaintSlice>> taintSlices = new TreeMap<>();
    final Map<ObjectKey, DeviceClass> classes = new TreeMap<>();
    final Map<ObjectKey, ResourceSlice> slices = new TreeMap<>();
    final Map<ObjectKey, ResourceClaim> claims = new TreeMap<>();
    final Map<ObjectKey, Pod> pods = new TreeMap<>();
    /** A device of which nobody can say which claims have it. */
    Optional<DeviceName> failing = Optional.empty();

    DeviceView view() {
        return new DeviceView(key -> find(rules, key), key -> find(taintSlices, key), key -> find(classes, key),
                key -> find(slices, key), key -> find(claims, key), this::claimsOf, this::claimsFor,
                claim -> pods.values().stream().filter(claim::isReservedFor).toList());
    }

    /** A state that has seen nothing. */
    DeviceState state() {
        return new DeviceState(view(), expression -> Optional.of("it is bad").filter(any -> expression.equals("bad=1")),
                this::evaluate, (account, bytes) -> {}, 4);
    }

    private DeviceMatch evaluate(String expression, DeviceFacts facts) {
        evaluations++;
        Map<String, String> texts = new TreeMap<>();
        facts.attributes().forEach((name, value) -> texts.put(name, ((DeviceAttribute.Text) value).value()));
        return DeviceModel.answer(expression, texts);
    }

    private static <T> Optional<T> find(Map<ObjectKey, T> all, ObjectKey key) {
        return Optional.ofNullable(all.get(key));
    }

    private Collection<ResourceClaim> claimsOf(DeviceName device) {
        failing.filter(device::equals).ifPresent(any -> {
            throw new IllegalStateException("a fault");
        });
        return claims.values().stream().filter(claim -> devices(claim).contains(device)).toList();
    }

    private Collection<ResourceClaim> claimsFor(ObjectKey consumer) {
        return claims.values().stream().filter(claim -> claim.consumers().contains(consumer)).toList();
    }

    private static List<DeviceName> devices(ResourceClaim claim) {
        return claim.allocated().stream().map(ResourceClaim.Allocated::device).toList();
    }

    /** All that there is. */
    List<DeviceKey> keys() {
        List<DeviceKey> all = new ArrayList<>();
        Map<Kind, Map<ObjectKey, ?>> objects = new EnumMap<>(Map.of(Kind.RULE, rules, Kind.TAINT_SLICE, taintSlices,
                Kind.DEVICE_CLASS, classes, Kind.RESOURCE_SLICE, slices, Kind.CLAIM, claims));
        objects.forEach((kind, some) -> some.keySet().forEach(key -> all.add(new DeviceKey(kind, key))));
        return all;
    }

    List<DeviceKey> rule(String name, Optional<DeviceTaintSelector> selector, String key, String effect, int age) {
        Metadata metadata = metadata(ObjectKey.clusterScoped(name));
        rules.put(metadata.key(), new CustomResource<>(metadata, 1, new DeviceTaintRule(selector, taint(key, effect)),
                List.of(), "{}", Instant.EPOCH.minusSeconds(age)));
        return List.of(DeviceKey.of(Kind.RULE, name));
    }

    List<DeviceKey> taintSlice(String name, String pool, String effect, String... devices) {
        Metadata metadata = metadata(ObjectKey.clusterScoped(name));
        taintSlices.put(metadata.key(), new CustomResource<>(metadata, 1, new DeviceTaintSlice("d", pool,
                Stream.of(devices).map(device -> new DeviceTaintSlice.Entry(device, taint("k", effect))).toList()),
                List.of()));
        return List.of(DeviceKey.of(Kind.TAINT_SLICE, name));
    }

    private static RuleTaint taint(String key, String effect) {
        return new RuleTaint(key, "", effect, Optional.of(Instant.EPOCH), TaintData.NONE, "", 10);
    }

    List<DeviceKey> deviceClass(String name, String... expressions) {
        Metadata metadata = metadata(ObjectKey.clusterScoped(name));
        classes.put(metadata.key(), new DeviceClass(metadata, List.of(expressions)));
        return List.of(DeviceKey.of(Kind.DEVICE_CLASS, name));
    }

    /**
     * Publishes the devices, each with its attribute {@code k}, as {@code NAME=VALUE}, or {@code NAME=VALUE=EFFECT} of a taint
     * {@code drv} of the driver; the pool is complete.
     */
    List<DeviceKey> slice(String name, String pool, int generation, String... devices) {
        return slice(name, pool, "", generation, 0, true, devices);
    }

    /**
     * Publishes devices of a Node; the API server has stored slices in the order of their names.
     *
     * @param count how many slices the pool has; 0 if the slice does not say
     * @param known whether the devices are known: else there are none
     */
    List<DeviceKey> slice(
            String name, String pool, String node, int generation, int count, boolean known, String... devices) {
        Metadata metadata = metadata(ObjectKey.clusterScoped(name));
        List<PublishedDevice> published = Stream.of(devices).filter(any -> known).map(device -> device.split("=", -1))
                .map(parts -> new PublishedDevice(parts[0], new DeviceFacts("d", false,
                        Map.of("k", new DeviceAttribute.Text(parts[1])), Map.of()),
                        Stream.of(parts).skip(2).map(
                                effect -> new DeviceTaint("drv", "", effect, written)).toList()))
                .toList();
        slices.put(metadata.key(), new ResourceSlice(metadata, "d", pool, generation, count, node,
                Instant.EPOCH.plusSeconds(name.charAt(name.length() - 1)), published, known));
        return List.of(DeviceKey.of(Kind.RESOURCE_SLICE, name));
    }

    /** @param pods that use its devices; their UIDs are their names. {@code group} is a PodGroup */
    List<DeviceKey> claim(String name, Collection<DeviceName> devices, String... pods) {
        Metadata metadata = metadata(new ObjectKey("n", name));
        claims.put(metadata.key(), new ResourceClaim(metadata,
                devices.stream().map(device -> new ResourceClaim.Allocated(device, List.of())).toList(),
                Stream.of(pods).filter(pod -> !pod.equals("group"))
                        .map(pod -> new ResourceClaim.PodReference(pod, pod)).toList(),
                Stream.of(pods).filter(pod -> pod.equals("group")).toList()));
        return List.of(new DeviceKey(Kind.CLAIM, metadata.key()));
    }

    /** @param claims that it uses as one of the PodGroup {@code group}; if there are none, it is in no group */
    List<DeviceKey> pod(String name, String node, String... claims) {
        Metadata metadata = metadata(new ObjectKey("n", name));
        Pod pod = new Pod(metadata, node, List.of(), "", "Running", Optional.of(List.of(claims))
                .filter(some -> !some.isEmpty()).map(some -> new PodGroupMember("group", some)), List.of());
        return Stream.concat(Stream.ofNullable(pods.put(metadata.key(), pod)), Stream.of(pod)).flatMap(Pod::consumers)
                .distinct().map(key -> new DeviceKey(Kind.POD, key)).toList();
    }

    /** Whatever kind of object it is. */
    List<DeviceKey> remove(DeviceKey key) {
        switch (key.kind()) {
            case RULE -> rules.remove(key.object());
            case TAINT_SLICE -> taintSlices.remove(key.object());
            case DEVICE_CLASS -> classes.remove(key.object());
            case RESOURCE_SLICE -> slices.remove(key.object());
            case CLAIM -> claims.remove(key.object());
            case POD -> {
                return Stream.ofNullable(pods.remove(new ObjectKey("n", key.object().name()))).flatMap(Pod::consumers)
                        .map(consumer -> new DeviceKey(Kind.POD, consumer)).toList();
            }
        }
        return List.of(key);
    }

    private static Metadata metadata(ObjectKey key) {
        return new Metadata(key, key.name(), "1", Map.of(), Map.of(), List.of(), false);
    }

    /** Names that slices publish now. */
    Set<DeviceName> published() {
        Pools<DeviceFacts> pools = new Pools<>();
        slices.forEach((key, slice) -> pools.slice(key.name(), Optional.of(Pools.Slice.of(slice))));
        return pools.published().keySet();
    }

    Set<DeviceName> claimed() {
        Set<DeviceName> all = new HashSet<>();
        claims.values().forEach(claim -> all.addAll(devices(claim)));
        return all;
    }

    /** What expressions read of a device, as the slice of this name has it. */
    Optional<DeviceFacts> facts(String slice, DeviceName name) {
        ResourceSlice found = slices.get(ObjectKey.clusterScoped(slice));
        return found.devices().stream().filter(device -> found.name(device).equals(name)).findFirst()
                .map(PublishedDevice::facts);
    }

    /**
     * The rules that select a device, or of which nobody knows whether they do, as their selectors say, and the DeviceTaintSlices that
     * name it; what is kept of a device that nobody has is nothing.
     *
     * @param seen takes each kind of answer
     */
    Set<DeviceKey> tainting(DeviceState state, DeviceName device, Set<Object> seen) {
        Set<DeviceKey> all = new HashSet<>();
        rules.forEach((key, rule) -> {
            boolean selects = !state.selected(rule, Set.of(device)).isEmpty();
            boolean isAsked = source(state, rule, Set.of()).orElseThrow().isValid()
                    && (published().contains(device) || claimed().contains(device));
            Optional<DeviceMatch> match = rule.spec().selector().filter(any -> isAsked)
                    .map(selector -> state.obstacle(selector, device).map(SelectorMatch.Obstacle::match)
                            .orElse(DeviceMatch.YES));
            match.ifPresent(answer -> seen.add(answer instanceof DeviceMatch.Unknown ? "unknown" : selects));
            if (selects != match.filter(DeviceMatch.YES::equals).isPresent()) {
                throw new AssertionError(key + " says of " + device + ": " + match);
            }
            if (match.filter(answer -> !answer.equals(DeviceMatch.NO)).isPresent()) {
                all.add(new DeviceKey(Kind.RULE, key));
            }
        });
        taintSlices.forEach((key, slice) -> {
            if (RuleFaults.of(slice.spec()).isEmpty()
                    && slice.spec().taints().stream().map(slice.spec()::name).anyMatch(device::equals)) {
                seen.add("listed");
                all.add(new DeviceKey(Kind.TAINT_SLICE, key));
            }
        });
        return all;
    }

    /** What a state knows of each rule and DeviceTaintSlice, and of all together. */
    Map<DeviceKey, Object> known(DeviceState state) {
        Map<DeviceKey, Object> all = new LinkedHashMap<>();
        keys().stream().filter(key -> key.kind() == Kind.RULE || key.kind() == Kind.TAINT_SLICE)
                .forEach(key -> all.put(key, known(state, key)));
        return all;
    }

    Object known(DeviceState state, DeviceKey key) {
        return (key.kind() == Kind.RULE ? find(rules, key.object()) : find(taintSlices, key.object()))
                .<Object>map(object -> List.of(
                        source(state, object, Set.copyOf(NAMES)).<Object>map(source -> key.kind() == Kind.RULE
                                || source.isValid() ? source : source.faults()),
                        state.selected(object, Set.copyOf(NAMES))))
                .orElse("none");
    }

    static List<Object> together(DeviceState state) {
        return List.of(EFFECTS.stream().map(state::tainted).toList(), state.granted(Kind.RULE),
                state.granted(Kind.TAINT_SLICE), state.size());
    }

    static Optional<TaintSource> source(DeviceState state, CustomResource<?> object, Set<DeviceName> standing) {
        return state.source(object, standing,
                () -> ObservedTaints.of(Trees.read(object.status()).at(ObservedTaints.FIELD)));
    }
}
