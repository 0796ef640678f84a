package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.pod.Pod;
import io.nodeward.cli.device.Device.Reach;
import io.nodeward.cli.device.Device.Source;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.DeviceState;
import io.nodeward.core.rules.device.DeviceView;
import io.nodeward.core.rules.device.Pools;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.device.SelectorMatch.Obstacle;
import io.nodeward.core.rules.device.SelectorMatch;
import io.nodeward.core.rules.impact.Budget;
import io.nodeward.core.rules.validation.FieldFault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The devices of a cluster with all that taints and uses them, folded once into the state that the controller has. */
public final class ClusterDevices {
    static final String CLAIMS = "resourceclaims";
    static final String CLASSES = "deviceclasses";
    private static final String GROUP = Rule.KUBERNETES;
    private static final String VERSION = "v1";
    /** The one expression of each class while classes cannot be read. No object has it. */
    private static final String UNREAD = "\0";
    private static final Comparator<Device> ORDER = Comparator.comparing(Device::node)
            .thenComparing(device -> device.name().driver()).thenComparing(device -> device.name().pool())
            .thenComparing(device -> device.name().device());

    private final Snapshot snapshot;
    private final Pods pods;
    private final DeviceExpressions expressions;
    private final List<String> warnings;
    private final Map<String, JsonNode> specs = new HashMap<>();
    private final Map<ObjectKey, DeviceClass> classes;
    private final Map<DeviceName, List<ResourceClaim>> users = new HashMap<>();
    private final List<Rule> rules = new ArrayList<>();
    /** The rules of Kubernetes that stand for rules of Nodeward, by the names of these. */
    private final Map<String, List<DeviceTaintRule>> standing = new HashMap<>();
    private final Map<DeviceKey, List<Rule>> rulesByKey;
    private final Map<ObjectKey, CustomResource<DeviceTaintRule>> declared = new HashMap<>();
    private final DeviceState state;

    /**
     * Folds in all but rules: few commands ask expressions of all devices. What is not known, the snapshot says.
     *
     * @param features that the cluster has
     */
    ClusterDevices(Snapshot snapshot, SelectorFeatures features, Pods pods) {
        this.snapshot = snapshot;
        this.pods = pods;
        this.expressions = DeviceExpressions.of(features);
        this.warnings = new ArrayList<>(snapshot.gaps());
        Map<ObjectKey, ResourceSlice> slices = current("ResourceSlice", ResourceSlice.PROJECTION);
        snapshot.all(GROUP, "ResourceSlice")
                .forEach(slice -> specs.put(slice.id().key().name(), slice.json().path("spec")));
        this.classes = current("DeviceClass", DeviceClass.PROJECTION);
        Map<ObjectKey, ResourceClaim> claims = current("ResourceClaim", ResourceClaim.PROJECTION);
        claims.values().forEach(claim -> claim.allocated().stream().map(ResourceClaim.Allocated::device).distinct()
                .forEach(device -> users.computeIfAbsent(device, any -> new ArrayList<>()).add(claim)));
        Map<ObjectKey, CustomResource<DeviceTaintSlice>> taintSlices = new HashMap<>();
        readRules(taintSlices);
        this.rulesByKey = rules.stream().filter(rule -> !rule.isOfKubernetes())
                .collect(Collectors.groupingBy(Rule::key));
        rules.stream().filter(Rule::isInvalid).forEach(
                rule -> warnings.add(rule + " is invalid, so it selects nothing: " + rule.faultText()));
        this.state = new DeviceState(
                new DeviceView(in(declared), in(taintSlices), this::deviceClass, in(slices), in(claims),
                        device -> users.getOrDefault(device, List.of()), consumer -> List.of(), pods::users),
                expressions::compileError, this::match, (account, bytes) -> {}, Integer.MAX_VALUE);
        apply(Kind.DEVICE_CLASS, classes.keySet());
        apply(Kind.RESOURCE_SLICE, slices.keySet());
        apply(Kind.CLAIM, claims.keySet());
        apply(Kind.TAINT_SLICE, taintSlices.keySet());
        rules.forEach(rule -> applyClass(rule.spec()));
    }

    private void readRules(Map<ObjectKey, CustomResource<DeviceTaintSlice>> taintSlices) {
        String kind = DeviceTaintRule.DEFINITION.kind();
        for (String group : List.of(DeviceTaintRule.DEFINITION.group(), GROUP)) {
            snapshot.all(group, kind).stream().flatMap(manifest -> Rule.of(group, manifest, this::faults).stream())
                    .sorted(Comparator.comparing(Rule::name)).forEach(rules::add);
        }
        snapshot.all(GROUP, kind).stream().map(manifest -> Snapshot.read(manifest, DeviceTaintRule.PROJECTION))
                .forEach(found -> Rule.owner(found.metadata()).filter(this::isOfRule)
                        .ifPresent(owner -> standing.computeIfAbsent(owner.name(), any -> new ArrayList<>())
                                .add(found.spec())));
        List<Rule> listed = new ArrayList<>();
        for (Manifest manifest : snapshot.all(DeviceTaintSlice.DEFINITION.group(),
                DeviceTaintSlice.DEFINITION.kind())) {
            CustomResource<DeviceTaintSlice> slice = Snapshot.read(manifest, DeviceTaintSlice.PROJECTION);
            taintSlices.put(slice.key(), slice);
            listed.addAll(Rule.listed(manifest, slice));
        }
        listed.stream().sorted(Comparator.comparing(Rule::name)).forEach(rules::add);
    }

    /** Returns whether Nodeward has this rule, and not one that was created later under the same name. */
    private boolean isOfRule(OwnerRef owner) {
        Manifest.Id id = new Manifest.Id(owner.group(), owner.kind(), ObjectKey.clusterScoped(owner.name()));
        return owner.kind().equals(DeviceTaintRule.DEFINITION.kind()) && snapshot.find(id)
                .filter(rule -> rule.json().at("/metadata/uid").asText().equals(owner.uid())).isPresent();
    }

    private static <T> Function<ObjectKey, Optional<T>> in(Map<ObjectKey, T> all) {
        return key -> Optional.ofNullable(all.get(key));
    }

    private void apply(Kind kind, Collection<ObjectKey> keys) {
        keys.forEach(key -> state.apply(new DeviceKey(kind, key)));
    }

    /** Folds in a class that a rule names: while classes cannot be read, it may exist. */
    private void applyClass(DeviceTaintRule rule) {
        rule.selector().flatMap(DeviceTaintSelector::deviceClassName)
                .ifPresent(name -> state.apply(DeviceKey.of(Kind.DEVICE_CLASS, name)));
    }

    private Optional<DeviceClass> deviceClass(ObjectKey key) {
        return snapshot.gap(CLASSES).isEmpty() ? Optional.ofNullable(classes.get(key))
                : Optional.of(new DeviceClass(metadata(key), List.of(UNREAD)));
    }

    private DeviceMatch match(String expression, DeviceFacts facts) {
        return expression.equals(UNREAD) ? new DeviceMatch.Unknown(snapshot.gap(CLASSES).orElseThrow())
                : expressions.match(expression, facts);
    }

    /** Reads the objects of a kind. Another version has other fields, of which nothing would be read. */
    private <T extends KubernetesObject> Map<ObjectKey, T> current(String kind, Projection<T> projection) {
        Predicate<Manifest> isCurrent =
                manifest -> manifest.json().path("apiVersion").asText().equals(GROUP + "/" + VERSION);
        List<Manifest> all = snapshot.all(GROUP, kind);
        List<Manifest> others = all.stream().filter(isCurrent.negate()).toList();
        if (!others.isEmpty()) {
            warnings.add(Words.counted(others.size(), kind) + " in another version than " + GROUP + "/" + VERSION
                    + " cannot be read: " + others.getFirst().source() + ": " + others.getFirst().id());
        }
        Map<ObjectKey, T> read = new LinkedHashMap<>();
        all.stream().filter(isCurrent)
                .forEach(manifest -> read.put(manifest.id().key(), Snapshot.read(manifest, projection)));
        return read;
    }

    List<FieldFault> faults(DeviceTaintRule rule) {
        return RuleFaults.of(rule, expressions::compileError);
    }

    /** Returns the class that the rule names, if it is known that there is none. */
    Optional<String> missingClass(DeviceTaintRule rule) {
        return rule.selector().flatMap(DeviceTaintSelector::deviceClassName)
                .filter(name -> deviceClass(ObjectKey.clusterScoped(name)).isEmpty());
    }

    /**
     * Returns what these rules, which have one taint, would do together, in the numbers of their status.
     *
     * @param evicted takes each pod that they evict, once or more often
     */
    DevicePreview preview(Map<String, DeviceTaintRule> made, Consumer<Pod> evicted) {
        made.forEach(this::declare);
        state.work(() -> false);
        return state.preview(made.values().iterator().next().taint(), made.keySet(), evicted);
    }

    List<Budget> budgets() {
        return snapshot.budgets();
    }

    private void declare(String name, DeviceTaintRule rule) {
        Metadata metadata = metadata(ObjectKey.clusterScoped(name));
        declared.put(metadata.key(), new CustomResource<>(metadata, 0, rule, List.of()));
        applyClass(rule);
        state.apply(DeviceKey.of(Kind.RULE, name));
    }

    private static Metadata metadata(ObjectKey key) {
        return new Metadata(key, "", "", Map.of(), Map.of(), List.of(), false);
    }

    /** Returns the devices that slices publish, in the order of their Nodes and names. */
    List<Device> published() {
        return devices(state.published().keySet());
    }

    /** Returns the devices that slices publish and those that claims have. */
    List<Device> all() {
        Set<DeviceName> names = new HashSet<>(state.published().keySet());
        names.addAll(users.keySet());
        return devices(names);
    }

    private List<Device> devices(Set<DeviceName> names) {
        return names.stream().map(this::device).sorted(ORDER).toList();
    }

    private Device device(DeviceName name) {
        return new Device(name, state.slice(name).map(slice -> source(slice, name.device())),
                Optional.ofNullable(state.published().get(name)).map(Pools.Device::taints).orElse(List.of()),
                users.getOrDefault(name, List.of()));
    }

    private Source source(String slice, String device) {
        JsonNode spec = Objects.requireNonNull(specs.get(slice));
        return new Source(slice, Reach.of(spec, spec.path("devices").valueStream()
                .filter(each -> each.path("name").asText().equals(device)).findFirst().orElse(spec.path("none"))));
    }

    /** Returns the answers of the rules that select these devices or may select them, in the order of the rules. */
    Map<DeviceName, List<Answer>> answers(List<Device> devices) {
        rules.stream().filter(Rule::hasPreview).forEach(rule -> declare(rule.name(), rule.spec()));
        state.work(() -> false);
        List<Rule> ofServer = rules.stream().filter(Rule::isOfKubernetes).toList();
        return devices.stream().collect(Collectors.toMap(Device::name, device -> {
            Set<DeviceKey> tainting = state.tainting(device.name());
            Stream<Rule> fitting = ofServer.stream().filter(
                    rule -> rule.selector().filter(names -> SelectorMatch.fits(names, device.name())).isPresent());
            return Stream.of(rules(Kind.RULE, tainting), fitting, rules(Kind.TAINT_SLICE, tainting))
                    .flatMap(some -> some).map(rule -> answer(rule, device))
                    .filter(answer -> answer.isSelected() || answer.isUnknown()).toList();
        }));
    }

    /** Asks no expression a second time that was found to hold. */
    private Answer answer(Rule rule, Device device) {
        return rule.hasPreview() && state.selects(rule.name(), device.name())
                ? new Answer(rule, Optional.empty(), rule.selection())
                : ask(rule, device);
    }

    private Stream<Rule> rules(Kind kind, Set<DeviceKey> keys) {
        return DeviceKey.objects(kind, keys).stream().sorted()
                .flatMap(key -> rulesByKey.getOrDefault(new DeviceKey(kind, key), List.of()).stream());
    }

    /** Asks a rule about a device. */
    Answer ask(Rule rule, Device device) {
        Optional<Obstacle> obstacle = rule.selector().map(selector -> state.obstacle(selector, device.name()))
                .orElseGet(() -> Optional.of(new Obstacle("", "", DeviceMatch.NO)));
        return new Answer(rule, obstacle, obstacle
                .map(found -> recovers(rule, device) + because(rule, device, found)).orElseGet(rule::selection));
    }

    private String recovers(Rule rule, Device device) {
        return !rule.hasPreview() || rule.isInvalid() || rule.spec().untaintAfter().isEmpty()
                || standing.getOrDefault(rule.name(), List.of()).stream()
                        .noneMatch(found -> rule.isStanding(found, device))
                                ? ""
                                : "Kubernetes keeps new pods off it until untaintAfter (" + rule.spec().untaintAfter()
                                        + ") is over; ";
    }

    private String because(Rule rule, Device device, Obstacle obstacle) {
        return switch (obstacle.field()) {
            case "" -> rule.isInvalid() ? "it is invalid: " + rule.faultText() : "it has no deviceSelector";
            case "driver", "pool", "device" -> "it is for " + obstacle.field() + " " + obstacle.wanted();
            case "deviceClassName" -> snapshot.gap(CLASSES).orElseGet(() -> ofClass(obstacle.wanted(), device));
            default -> expression(obstacle);
        };
    }

    private String ofClass(String name, Device device) {
        List<String> all = Optional.ofNullable(classes.get(ObjectKey.clusterScoped(name)))
                .map(DeviceClass::expressions).orElse(List.of());
        return state
                .obstacle(
                        new DeviceTaintSelector(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                                all),
                        device.name())
                .map(within -> "DeviceClass " + name + ": " + expression(within))
                .orElse("there is no DeviceClass " + name);
    }

    private static String expression(Obstacle obstacle) {
        return obstacle.field() + switch (obstacle.match()) {
            case DeviceMatch.Unknown(String why) -> " cannot be evaluated (" + why + "): ";
            case DeviceMatch.Known holds -> " does not hold: ";
        } + obstacle.wanted();
    }

    List<Rule> rules() {
        return List.copyOf(rules);
    }

    Pods pods() {
        return pods;
    }

    /** Returns why it is not known who uses the devices, if it is not. */
    Optional<String> unknownUse() {
        return snapshot.gap(CLAIMS);
    }

    /** Returns what is not known. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }
}
