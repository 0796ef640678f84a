package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.SelectorMatch.Obstacle;
import io.nodeward.core.rules.validation.FieldFault;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which devices have taints of rules and DeviceTaintSlices, and whom that concerns. {@link #apply} folds in what there is of an
 * object now; {@link #work} asks expressions of devices, and says of which rules and DeviceTaintSlices something may differ.
 * Keys may come again, late, and in any order. One thread at a time uses this.
 */
public final class DeviceState {
    private final DeviceView view;
    private final Function<String, Optional<String>> compileError;
    private final Pools<DeviceFacts> pools;
    private final TaintedDevices<Selectable> tainted;
    private final ServerRuleLimit limit;
    /** Rules and DeviceTaintSlices as they were folded in last. */
    private final Map<DeviceKey, FoldedSpec> specs = new HashMap<>();
    /** DeviceTaintSlices by the devices that they name, and by their pool: a device without a name stands for it. */
    private final Map<DeviceName, Set<DeviceKey>> naming = new HashMap<>();
    /** The devices that each claim was seen to have. */
    private final Map<ObjectKey, Set<DeviceName>> devicesOfClaim = new HashMap<>();
    /** Devices of slices whose fold is not complete: the pools report a change once. */
    private final Map<ObjectKey, Set<DeviceName>> unfinished = new HashMap<>();
    /** Devices that may be used by others than before. */
    private final Set<DeviceName> used = new HashSet<>();
    private final Set<DeviceKey> changed = new HashSet<>();

    /**
     * What selectors read of a device. They do not read when its driver added a taint: a driver that writes its slice
     * without the times has the API server set them anew each time, and no rule has to ask its expressions again.
     */
    private record Selectable(DeviceFacts facts, List<DeviceTaint> taints) {
        static Selectable of(Device<DeviceFacts> device) {
            return new Selectable(device.facts(), device.taints().stream().map(DeviceTaint::timeless).toList());
        }
    }

    /** What a rule or DeviceTaintSlice declares. If it has a fault, it selects or names no device. */
    private record FoldedSpec(Object spec, Instant created, List<FieldFault> faults) {
        Stream<DeviceTaintRule> rule() {
            return inEffect(DeviceTaintRule.class);
        }

        Stream<DeviceTaintSlice> slice() {
            return inEffect(DeviceTaintSlice.class);
        }

        private <S> Stream<S> inEffect(Class<S> kind) {
            return Stream.of(spec).filter(any -> faults.isEmpty()).filter(kind::isInstance).map(kind::cast);
        }
    }

    /**
     * Creates a state that has folded in no object.
     *
     * @param compileError what is wrong with an expression; empty if it can be evaluated
     * @param evaluation whether an expression holds for a device; it throws nothing
     * @param charge as of {@link Pools}
     * @param serverRules how many rules of the server may stand for all rules and DeviceTaintSlices together
     */
    public DeviceState(
            DeviceView view, Function<String, Optional<String>> compileError,
            BiFunction<String, DeviceFacts, DeviceMatch> evaluation, ObjLongConsumer<String> charge, int serverRules) {
        this.view = view;
        this.compileError = compileError;
        this.pools = new Pools<>(charge);
        this.tainted = new TaintedDevices<>(
                (expression, device) -> evaluation.apply(expression, device.facts()), Selectable::taints);
        this.limit = new ServerRuleLimit(serverRules);
    }

    /** Folds in what there is of an object now. */
    public void apply(DeviceKey key) {
        ObjectKey object = key.object();
        switch (key.kind()) {
            case TAINT_SLICE -> taintSlice(key);
            case RULE -> rule(key);
            case DEVICE_CLASS -> tainted.deviceClass(
                    object.name(), view.deviceClass().apply(object).map(DeviceClass::expressions));
            case RESOURCE_SLICE -> slice(object, view.resourceSlice().apply(object));
            case CLAIM -> claim(object);
            case POD -> view.claimsFor().apply(object).forEach(claim -> used.addAll(devices(claim)));
        }
    }

    /** Folds in what a slice published before what it publishes now: a device that is gone is as it was last. */
    public void applyBefore(ResourceSlice before) {
        slice(before.key(), Optional.of(before));
    }

    private void rule(DeviceKey key) {
        put(key, view.rule().apply(key.object()), rule -> RuleFaults.of(rule, compileError));
        tainted.rule(key.object().name(),
                folded(key).flatMap(FoldedSpec::rule).flatMap(rule -> rule.selector().stream()).findFirst());
    }

    private void taintSlice(DeviceKey key) {
        names(key).forEach(device -> naming.computeIfPresent(
                device, (any, all) -> all.remove(key) && all.isEmpty() ? null : all));
        put(key, view.taintSlice().apply(key.object()), RuleFaults::of);
        names(key).forEach(device -> naming.computeIfAbsent(device, any -> new HashSet<>()).add(key));
    }

    private Stream<DeviceName> names(DeviceKey taintSlice) {
        return folded(taintSlice).flatMap(FoldedSpec::slice).flatMap(
                slice -> Stream.concat(Stream.of(pool(slice)), slice.taints().stream().map(slice::name)));
    }

    private static DeviceName pool(DeviceTaintSlice slice) {
        return new DeviceName(slice.driver(), slice.pool(), "");
    }

    private Stream<FoldedSpec> folded(DeviceKey key) {
        return Stream.ofNullable(specs.get(key));
    }

    private <S> void put(
            DeviceKey key, Optional<CustomResource<S>> object, Function<S, List<FieldFault>> faults) {
        object.ifPresentOrElse(
                found -> specs.put(
                        key, new FoldedSpec(found.spec(), found.created(), faults.apply(found.spec()))),
                () -> specs.remove(key));
        changed.add(key);
    }

    private void slice(ObjectKey key, Optional<ResourceSlice> slice) {
        Set<DeviceName> devices = unfinished.computeIfAbsent(key, any -> new HashSet<>());
        Map<DeviceName, OptionalLong> before = Stream.concat(pools.pool(key.name()).stream(),
                slice.map(now -> new DeviceName(now.driver(), now.pool(), "")).stream()).distinct()
                .collect(Collectors.toMap(Function.identity(), pools::generation));
        devices.addAll(pools.slice(key.name(), slice.map(Pools.Slice::of)).keySet());
        before.forEach((pool, generation) -> {
            if (!pools.generation(pool).equals(generation)) {
                devices.add(pool);
            }
        });
        for (DeviceName device : devices) {
            look(device);
            changed.addAll(naming(device));
        }
        unfinished.remove(key); // when nothing of it can fail any more
    }

    private Set<DeviceKey> naming(DeviceName device) {
        return naming.getOrDefault(device, Set.of());
    }

    private void claim(ObjectKey key) {
        Set<DeviceName> concerned = new HashSet<>(devicesOfClaim.getOrDefault(key, Set.of()));
        view.claim().apply(key).ifPresent(claim -> concerned.addAll(devices(claim)));
        used.addAll(concerned); // before anything can fail
        for (DeviceName device : concerned) {
            if (!look(device).contains(key)) {
                devicesOfClaim.computeIfPresent(key, (any, all) -> all.remove(device) && all.isEmpty() ? null : all);
            }
        }
    }

    private static Set<DeviceName> devices(ResourceClaim claim) {
        return claim.allocated().stream().map(ResourceClaim.Allocated::device).collect(Collectors.toSet());
    }

    /** Folds a device in. A claim may lose it again before its own key comes. Returns the claims that have it. */
    private Set<ObjectKey> look(DeviceName device) {
        Set<ObjectKey> claims = claimsOf(device).stream().map(ResourceClaim::key).collect(Collectors.toSet());
        tainted.device(device, pools.published(device).map(Selectable::of), !claims.isEmpty());
        return claims;
    }

    /** Returns the claims that have a device, and remembers them: a claim that an answer counts may be gone before its own key comes. */
    private Collection<ResourceClaim> claimsOf(DeviceName device) {
        Collection<ResourceClaim> claims = view.claimsOf().apply(device);
        claims.forEach(claim -> devicesOfClaim.computeIfAbsent(claim.key(), any -> new HashSet<>()).add(device));
        return claims;
    }

    /** Returns whether {@link #work} is left. */
    public boolean isOpen() {
        return tainted.isOpen();
    }

    /** Returns whether it is a rule that has not asked all its devices. */
    public boolean isOpen(DeviceKey key) {
        return key.kind() == Kind.RULE && tainted.isOpen(key.object().name());
    }

    /**
     * Asks expressions of devices, of one device at least if any is left.
     *
     * @param over asked after each of them; then the others are left
     * @return the rules and DeviceTaintSlices of which something may differ; a rule that is open comes when it is no longer
     */
    public Set<DeviceKey> work(BooleanSupplier over) {
        tainted.evaluate(over).forEach(rule -> changed.add(DeviceKey.of(Kind.RULE, rule)));
        used.forEach(device -> changed.addAll(tainting(device)));
        used.clear();
        changed.removeIf(this::isOpen);
        changed.forEach(this::need);
        changed.addAll(limit.decide());
        Set<DeviceKey> all = Set.copyOf(changed);
        changed.clear();
        return all;
    }

    private void need(DeviceKey key) {
        Stream<Integer> ofRule = folded(key).flatMap(FoldedSpec::rule).filter(rule -> rule.taint().keepsPodsOff())
                .map(rule -> ServerRule.count(rule, () -> tainted.count(key.object().name())));
        Stream<Integer> ofSlice = folded(key).flatMap(FoldedSpec::slice).map(ListedTaints::needed);
        limit.need(key, folded(key).map(FoldedSpec::created).findFirst().orElse(Instant.MAX),
                Stream.concat(ofRule, ofSlice).findFirst().orElse(0));
    }

    /** Returns the rules that select a device or may select it, as far as they have asked it, and the DeviceTaintSlices that name it. */
    public Set<DeviceKey> tainting(DeviceName device) {
        Set<DeviceKey> all = new HashSet<>(naming(device));
        tainted.rules(device).forEach(rule -> all.add(DeviceKey.of(Kind.RULE, rule)));
        return all;
    }

    /** Returns whether a rule selects a device, as it was evaluated last. */
    public boolean selects(String rule, DeviceName device) {
        return tainted.selects(rule, device);
    }

    /** Returns why a selector does not select a device, or why that is not known; empty if it does. */
    public Optional<Obstacle> obstacle(DeviceTaintSelector selector, DeviceName device) {
        return tainted.obstacle(selector, device);
    }

    /** Returns the devices that slices publish. */
    public Map<DeviceName, Device<DeviceFacts>> published() {
        return pools.published();
    }

    /** Returns the name of the slice that publishes a device. */
    public Optional<String> slice(DeviceName device) {
        return pools.slice(device);
    }

    /** Returns the names of those of a kind that may have rules of the server; for any thread. */
    public Set<String> granted(Kind kind) {
        return DeviceKey.objects(kind, limit.within()).stream().map(ObjectKey::name).collect(Collectors.toSet());
    }

    /** Returns how many devices have a taint of this effect, as far as rules have asked them. */
    public int tainted(String effect) {
        return tainted.count(rule -> folded(DeviceKey.of(Kind.RULE, rule)).flatMap(FoldedSpec::rule)
                .anyMatch(found -> found.taint().effect().equals(effect)),
                specs.values().stream().flatMap(FoldedSpec::slice)
                        .flatMap(slice -> slice.taints().stream()
                                .filter(entry -> entry.taint().effect().equals(effect)).map(slice::name))
                        .filter(this::isPublished));
    }

    private boolean isPublished(DeviceName device) {
        return pools.published(device).isPresent();
    }

    /** Returns how many objects and devices are kept. */
    public int size() {
        return specs.size() + pools.published().size() + devicesOfClaim.size();
    }

    /**
     * Returns what is known of a rule or DeviceTaintSlice; empty if another spec was folded in, or the rule is open.
     *
     * @param standing devices for each of which the server has a rule that stands for this one: a rule that may not have all that it
     *     needs keeps those
     * @param observed reads the taints that the status of a DeviceTaintSlice shows
     */
    public Optional<TaintSource> source(
            CustomResource<?> object, Set<DeviceName> standing, Supplier<ObservedTaints> observed) {
        DeviceKey key = DeviceKey.of(object);
        return answered(object).map(folded -> switch (folded.spec()) {
            case DeviceTaintRule rule -> source(object, rule, folded.faults(), standing);
            case DeviceTaintSlice slice -> TaintSource.of(object, slice, folded.faults(),
                    ListedDevices.of(slice, this::isPublished, pools.generation(pool(slice)), this::claimsOf,
                            view.users()),
                    limit.share(key),
                    observed.get());
            default -> throw new IllegalArgumentException(key + " declares no taint");
        }).findFirst();
    }

    private TaintSource source(
            CustomResource<?> object, DeviceTaintRule rule, List<FieldFault> faults, Set<DeviceName> standing) {
        String name = object.key().name();
        TaintSource.Share share = limit.share(DeviceKey.of(object));
        boolean keepsPodsOff = rule.taint().keepsPodsOff();
        Set<DeviceName> selected = keepsPodsOff ? selected(name) : Set.of();
        Set<DeviceName> projected = new HashSet<>(share.granted() ? selected : Set.of());
        standing.stream().filter(device -> selected.contains(device)
                || keepsPodsOff && faults.isEmpty() && pools.mayBeUnknown(device)).forEach(projected::add);
        return TaintSource.of(object, rule, faults, tainted.missingClass(name),
                preview(rule.taint(), List.of(name), pod -> {}),
                share, projected, selected.stream().filter(device -> !claimsOf(device).isEmpty())
                        .collect(Collectors.toSet()));
    }

    /**
     * Returns what rules with this taint do together, as far as they have asked their devices.
     *
     * @param rules no two of which select the same device
     * @param evicted takes each pod that is counted as evicted, once or more often
     */
    public DevicePreview preview(RuleTaint taint, Collection<String> rules, Consumer<Pod> evicted) {
        DevicePreviewDraft draft = new DevicePreviewDraft(taint,
                device -> rules.stream().map(rule -> tainted.ask(rule, device))
                        .map(match -> match instanceof DeviceMatch.Unknown(String why) ? why : "")
                        .filter(why -> !why.isEmpty()).findFirst().orElse(""),
                device -> pools.published(device).map(Device::taints).orElse(List.of()), this::claimsOf);
        rules.forEach(rule -> tainted.forEachDevice(rule, draft::device));
        return draft.preview(view.users(), evicted);
    }

    /** Returns those of the devices that have the taints of a rule or DeviceTaintSlice; none if it has no {@link #source}. */
    public Set<DeviceName> selected(CustomResource<?> object, Set<DeviceName> some) {
        DeviceKey key = DeviceKey.of(object);
        return answered(object).flatMap(folded -> some.stream())
                .filter(device -> key.kind() != Kind.RULE || tainted.selects(key.object().name(), device))
                .collect(Collectors.toSet());
    }

    private Stream<FoldedSpec> answered(CustomResource<?> object) {
        DeviceKey key = DeviceKey.of(object);
        return folded(key).filter(folded -> folded.spec().equals(object.spec()) && !isOpen(key));
    }

    private Set<DeviceName> selected(String rule) {
        Set<DeviceName> selected = new HashSet<>();
        tainted.forEachDevice(rule, (name, answer) -> {
            if (answer.selected()) {
                selected.add(name);
            }
        });
        return selected;
    }
}
