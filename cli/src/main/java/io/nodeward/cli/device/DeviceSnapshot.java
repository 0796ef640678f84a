package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.PublishedDevice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.cli.device.Device.Reach;
import io.nodeward.cli.device.Device.Source;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.origin.ManagedFields;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.ListedTaints;
import io.nodeward.core.rules.device.ObservedTaints;
import io.nodeward.core.rules.device.Pools;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.device.TaintedDevices;
import io.nodeward.core.rules.validation.FieldFault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The devices of a cluster, with all that taints and uses them. */
public final class DeviceSnapshot {
    static final String CLAIMS = "resourceclaims";
    static final String CLASSES = "deviceclasses";
    private static final String GROUP = Rule.KUBERNETES;
    private static final String VERSION = "v1";
    private static final Set<String> OWNERS =
            Set.of(DeviceTaintRule.DEFINITION.kind(), DeviceTaintSlice.DEFINITION.kind());
    private static final Comparator<Device> ORDER = Comparator.comparing(Device::node)
            .thenComparing(device -> device.name().driver()).thenComparing(device -> device.name().pool())
            .thenComparing(device -> device.name().device());

    private final Snapshot snapshot;
    private final Pools<Source> pools = new Pools<>();
    private final Map<DeviceName, List<ResourceClaim>> claims = new HashMap<>();
    private final List<Rule> rules = new ArrayList<>();
    private final Questions.Classes classes;
    private final DeviceExpressions expressions;
    private final List<String> warnings;

    /**
     * Of all that is known; what is not, the snapshot says.
     *
     * @param features that the cluster has
     */
    public DeviceSnapshot(Snapshot snapshot, SelectorFeatures features) {
        this.snapshot = snapshot;
        this.expressions = DeviceExpressions.of(features);
        this.warnings = new ArrayList<>(snapshot.gaps());
        current("ResourceSlice").forEach(this::slice);
        Map<String, List<String>> known = new HashMap<>();
        current("DeviceClass").map(manifest -> Snapshot.read(manifest, DeviceClass.PROJECTION))
                .forEach(found -> known.put(found.key().name(), found.expressions()));
        this.classes = new Questions.Classes(known, snapshot.gap(CLASSES));
        current("ResourceClaim").map(manifest -> Snapshot.read(manifest, ResourceClaim.PROJECTION))
                .forEach(this::claim);
        String kind = DeviceTaintRule.DEFINITION.kind();
        for (String group : List.of(DeviceTaintRule.DEFINITION.group(), GROUP)) {
            snapshot.all(group, kind).stream().flatMap(manifest -> rule(group, manifest).stream())
                    .sorted(Comparator.comparing(Rule::name)).forEach(rules::add);
        }
        snapshot.all(DeviceTaintSlice.DEFINITION.group(), DeviceTaintSlice.DEFINITION.kind()).stream()
                .flatMap(manifest -> listed(manifest).stream()).sorted(Comparator.comparing(Rule::name))
                .forEach(rules::add);
        rules.stream().filter(Rule::isInvalid).forEach(
                rule -> warnings.add(rule + " is invalid, so it selects nothing: " + rule.faultText()));
    }

    private Optional<Rule> rule(String group, Manifest manifest) {
        CustomResource<DeviceTaintRule> found = Snapshot.read(manifest, DeviceTaintRule.PROJECTION);
        return standsForAnother(found.metadata()) ? Optional.empty()
                : Optional.of(new Rule(group, DeviceTaintRule.DEFINITION.kind(), found.key().name(), found.spec(),
                        faults(group, found.spec()),
                        created(manifest), ManagedFields.manager(manifest.json(), "spec", "taint", "effect")));
    }

    /** The taints of a DeviceTaintSlice; if that has a fault, one that selects nothing. */
    private static List<Rule> listed(Manifest manifest) {
        CustomResource<DeviceTaintSlice> found = Snapshot.read(manifest, DeviceTaintSlice.PROJECTION);
        List<FieldFault> faults = RuleFaults.of(found.spec());
        ObservedTaints observed = ObservedTaints.of(Trees.read(found.status()).at(ObservedTaints.FIELD));
        List<DeviceTaintRule> taints = ListedTaints.rules(found.spec(), observed::since);
        return taints.stream().limit(faults.isEmpty() ? taints.size() : 1)
                .map(taint -> new Rule(DeviceTaintSlice.DEFINITION.group(), DeviceTaintSlice.DEFINITION.kind(),
                        found.key().name(), taint, faults, created(manifest),
                        ManagedFields.manager(manifest.json(), "spec", "taints")))
                .toList();
    }

    private static Optional<Instant> created(Manifest manifest) {
        return ManagedFields.time(manifest.json().at("/metadata/creationTimestamp").asText());
    }

    /** The taint is that of a rule or a DeviceTaintSlice of Nodeward, which is shown. */
    private static boolean standsForAnother(Metadata metadata) {
        return metadata.owners().stream().anyMatch(owner -> owner.group().equals(DeviceTaintRule.DEFINITION.group())
                && OWNERS.contains(owner.kind()));
    }

    /** Of a rule of Nodeward: what is wrong with one of Kubernetes is for its server to say. */
    private List<FieldFault> faults(String group, DeviceTaintRule rule) {
        return group.equals(GROUP) ? List.of() : faults(rule);
    }

    List<FieldFault> faults(DeviceTaintRule rule) {
        return RuleFaults.of(rule, expressions::compileError);
    }

    /** What a rule declares that is not stored yet. */
    static DeviceTaintRule declared(ObjectNode rule) {
        return Snapshot.read(new Manifest(rule, ""), DeviceTaintRule.PROJECTION).spec();
    }

    /** The class that the rule names, if it is known that there is none. */
    Optional<String> missingClass(DeviceTaintRule rule) {
        return rule.selector().flatMap(DeviceTaintSelector::deviceClassName)
                .filter(name -> classes.gap().isEmpty() && !classes.all().containsKey(name));
    }

    /**
     * What rules would do together whose taint is the same, in the numbers of their status.
     *
     * @param made rules that are not stored yet
     */
    DevicePreview preview(List<DeviceTaintRule> made, Pods pods) {
        TaintedDevices<DeviceFacts> tainted = tainted(published(), made.stream().map(DeviceTaintRule::selector));
        claims.keySet().forEach(name -> tainted.device(name, facts(device(name)), true));
        for (int i = 0; i < made.size(); i++) {
            tainted.rule("" + i, made.get(i).selector());
        }
        tainted.evaluate(() -> false);
        return DevicePreview.of(made.get(0).taint(),
                each -> IntStream.range(0, made.size()).forEach(i -> tainted.forEachDevice("" + i, each)),
                name -> why(tainted, made, name), name -> claims.getOrDefault(name, List.of()), pods::find);
    }

    private String why(TaintedDevices<DeviceFacts> tainted, List<DeviceTaintRule> made, DeviceName name) {
        for (int i = 0; i < made.size(); i++) {
            if (tainted.ask("" + i, name) instanceof DeviceMatch.Unknown(String why)) {
                boolean ofClass = made.get(i).selector().flatMap(DeviceTaintSelector::deviceClassName).isPresent();
                return classes.gap().filter(gap -> ofClass).orElse(why);
            }
        }
        return "";
    }

    /** Another version has other fields, of which nothing would be read. */
    private Stream<Manifest> current(String kind) {
        List<Manifest> all = snapshot.all(GROUP, kind);
        List<Manifest> current = all.stream()
                .filter(manifest -> manifest.json().path("apiVersion").asText().equals(GROUP + "/" + VERSION)).toList();
        if (current.size() < all.size()) {
            warnings.add(Words.counted(all.size() - current.size(), kind) + " in another version than " + GROUP + "/"
                    + VERSION + " cannot be read: " + all.stream().filter(manifest -> !current.contains(manifest))
                            .map(manifest -> manifest.source() + ": " + manifest.id()).findFirst().orElse(""));
        }
        return current.stream();
    }

    private void slice(Manifest manifest) {
        ResourceSlice slice = Snapshot.read(manifest, ResourceSlice.PROJECTION);
        JsonNode spec = manifest.json().path("spec");
        Map<String, JsonNode> devices = new HashMap<>();
        spec.path("devices").forEach(device -> devices.putIfAbsent(device.path("name").asText(), device));
        List<Pools.Device<Source>> published = new ArrayList<>();
        for (PublishedDevice device : slice.devices()) {
            JsonNode json = devices.getOrDefault(device.name(), spec.path("none"));
            Source source = new Source(slice.key().name(), Reach.of(spec, json), device.facts());
            published.add(new Pools.Device<>(device.name(), source, device.taints()));
        }
        pools.slice(slice.key().name(),
                Optional.of(new Pools.Slice<>(slice.driver(), slice.pool(), slice.nodeName(), slice.created(),
                        slice.generation(), slice.slices(), published, slice.known())));
    }

    private void claim(ResourceClaim claim) {
        claim.allocated().stream().map(ResourceClaim.Allocated::device).distinct()
                .forEach(name -> claims.computeIfAbsent(name, any -> new ArrayList<>()).add(claim));
    }

    /** Those that slices publish, in the order of their Nodes and names. */
    List<Device> published() {
        return pools.published().keySet().stream().map(this::device).sorted(ORDER).toList();
    }

    /** Those that slices publish and those that claims have. */
    List<Device> all() {
        Set<DeviceName> names = new HashSet<>(pools.published().keySet());
        names.addAll(claims.keySet());
        return names.stream().map(this::device).sorted(ORDER).toList();
    }

    /**
     * The rules that select these devices, or of which nobody knows, in their order. All of them are asked together, so that
     * each expression is compiled once, however many there are.
     */
    Map<DeviceName, List<Answer>> answers(List<Device> devices) {
        TaintedDevices<DeviceFacts> tainted = tainted(devices, rules.stream().map(Rule::selector));
        Map<DeviceName, Device> byName = devices.stream().collect(Collectors.toMap(Device::name, device -> device));
        IntStream.range(0, rules.size()).forEach(i -> tainted.rule("" + i, rules.get(i).selector()));
        tainted.evaluate(() -> false);
        Map<DeviceName, List<Answer>> answers = new HashMap<>();
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i);
            tainted.forEachDevice("" + i, (name, answer) -> answers
                    .computeIfAbsent(name, any -> new ArrayList<>()).add(answer.selected()
                            ? new Answer(rule, Optional.empty())
                            : Objects.requireNonNull(byName.get(name)).questions().ask(rule)));
        }
        return answers;
    }

    /** @param selectors of the rules that will be asked */
    private TaintedDevices<DeviceFacts> tainted(
            List<Device> devices, Stream<Optional<DeviceTaintSelector>> selectors) {
        TaintedDevices<DeviceFacts> tainted = new TaintedDevices<>(expressions::match);
        classes.all().forEach((name, all) -> tainted.deviceClass(name, Optional.of(all)));
        if (classes.gap().isPresent()) { // an expression that nobody can evaluate stands for each
            selectors.flatMap(Optional::stream).flatMap(selector -> selector.deviceClassName().stream())
                    .forEach(name -> tainted.deviceClass(name, Optional.of(List.of(""))));
        }
        devices.forEach(device -> tainted.device(device.name(), facts(device), false));
        return tainted;
    }

    private static Optional<DeviceFacts> facts(Device device) {
        return device.published().map(Pools.Device::facts);
    }

    List<Rule> rules() {
        return List.copyOf(rules);
    }

    /** Why it is not known who uses the devices, if it is not. */
    Optional<String> unknownUse() {
        return snapshot.gap(CLAIMS);
    }

    /** What is not known. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    private Device device(DeviceName name) {
        Optional<Pools.Device<Source>> found = pools.published(name);
        Optional<Source> source = found.map(Pools.Device::facts);
        return new Device(name, source, found.map(Pools.Device::taints).orElse(List.of()),
                claims.getOrDefault(name, List.of()),
                new Questions(name, source.map(Source::facts), classes, expressions));
    }
}
