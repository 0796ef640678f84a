package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.cli.origin.ManagedFields;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.ListedTaints;
import io.nodeward.core.rules.device.ObservedTaints;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.validation.FieldFault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A DeviceTaintRule: one of Nodeward, or one of Kubernetes, which has a kind of the same name. Each taint of a DeviceTaintSlice
 * is as a rule that selects its device by its names.
 *
 * @param group in which the kind is
 * @param faults what is wrong with it; with one of Kubernetes, nothing
 * @param created when; empty if it is not known
 * @param author the field manager that declares its taint, as Kubernetes does not store its user; empty if that is not known
 */
record Rule(
        String group, String kind, String name, DeviceTaintRule spec, List<FieldFault> faults,
        Optional<Instant> created, Optional<String> author) {
    static final String KUBERNETES = "resource.k8s.io";

    private static final Set<String> OWNERS =
            Set.of(DeviceTaintRule.DEFINITION.kind(), DeviceTaintSlice.DEFINITION.kind());

    Rule {
        faults = List.copyOf(faults);
    }

    /**
     * Reads a rule. One that stands for a rule or a DeviceTaintSlice of Nodeward is none: that is shown in its place.
     *
     * @param faults of a rule of Nodeward: the faults of one of Kubernetes are for its server to tell
     */
    static Optional<Rule> of(String group, Manifest manifest, Function<DeviceTaintRule, List<FieldFault>> faults) {
        CustomResource<DeviceTaintRule> found = Snapshot.read(manifest, DeviceTaintRule.PROJECTION);
        return owner(found.metadata()).isPresent() ? Optional.empty()
                : Optional.of(new Rule(group, DeviceTaintRule.DEFINITION.kind(), found.key().name(), found.spec(),
                        group.equals(KUBERNETES) ? List.of() : faults.apply(found.spec()), created(manifest),
                        ManagedFields.manager(manifest.json(), "spec", "taint", "effect")));
    }

    /** Returns the rule or DeviceTaintSlice of Nodeward that a rule of Kubernetes stands for. */
    static Optional<OwnerRef> owner(Metadata rule) {
        return rule.owners().stream().filter(owner -> owner.group().equals(DeviceTaintRule.DEFINITION.group())
                && OWNERS.contains(owner.kind())).findFirst();
    }

    /** Returns whether a rule of Kubernetes, which stands for one of this name, brings its taint to the device. */
    boolean isStanding(DeviceTaintRule found, Device device) {
        RuleTaint taint = found.taint();
        return found.selector().map(DeviceTaintSelector::name).filter(device.name()::equals).isPresent()
                && taint.key().equals(spec.taint().key()) && taint.value().equals(spec.taint().value())
                && taint.effect().equals(spec.taint().effect());
    }

    /** Returns the taints of a DeviceTaintSlice; if that has a fault, one that selects nothing. */
    static List<Rule> listed(Manifest manifest, CustomResource<DeviceTaintSlice> slice) {
        List<FieldFault> faults = RuleFaults.of(slice.spec());
        ObservedTaints observed = ObservedTaints.of(Trees.read(slice.status()).at(ObservedTaints.FIELD));
        List<DeviceTaintRule> taints = ListedTaints.rules(slice.spec(), observed::since);
        return taints.stream().limit(faults.isEmpty() ? taints.size() : 1)
                .map(taint -> new Rule(DeviceTaintSlice.DEFINITION.group(), DeviceTaintSlice.DEFINITION.kind(),
                        slice.key().name(), taint, faults, created(manifest),
                        ManagedFields.manager(manifest.json(), "spec", "taints")))
                .toList();
    }

    private static Optional<Instant> created(Manifest manifest) {
        return ManagedFields.time(manifest.json().at("/metadata/creationTimestamp").asText());
    }

    /** Returns what a rule declares that may not be stored yet. */
    static DeviceTaintRule declared(ObjectNode rule) {
        return Snapshot.read(new Manifest(rule, ""), DeviceTaintRule.PROJECTION).spec();
    }

    /** Returns how the controller's state knows it, or its DeviceTaintSlice. */
    DeviceKey key() {
        return DeviceKey.of(isListed() ? DeviceKey.Kind.TAINT_SLICE : DeviceKey.Kind.RULE, name);
    }

    /** Returns in words which devices it selects. */
    String selection() {
        List<String> parts = new ArrayList<>();
        spec.selector().ifPresent(selector -> {
            selector.driver().ifPresent(text -> parts.add("driver " + text));
            selector.pool().ifPresent(text -> parts.add("pool " + text));
            selector.device().ifPresent(text -> parts.add("device " + text));
            selector.publishedTaint()
                    .ifPresent(taint -> parts.add("taint " + taint.text() + " of the driver"));
            selector.deviceClassName()
                    .ifPresent(text -> parts.add("DeviceClass " + text + ", whose selectors hold"));
            parts.addAll(selector.expressions());
        });
        return parts.isEmpty() ? "its selector is empty, which selects every device" : String.join("; ", parts);
    }

    /** Returns what selects devices: a rule with a fault selects none. */
    Optional<DeviceTaintSelector> selector() {
        return isInvalid() ? Optional.empty() : spec.selector();
    }

    boolean isInvalid() {
        return !faults.isEmpty();
    }

    /** Returns what is wrong with which field. */
    String faultText() {
        return faults.stream().map(FieldFault::text).collect(Collectors.joining("; "));
    }

    /** Returns whether it is a taint of a DeviceTaintSlice. */
    boolean isListed() {
        return kind.equals(DeviceTaintSlice.DEFINITION.kind());
    }

    /** Returns the name in the pool of the device that a DeviceTaintSlice lists. */
    Optional<String> listedDevice() {
        return selector().filter(any -> isListed()).flatMap(DeviceTaintSelector::device);
    }

    /** Returns whether it shows what NoExecute would do, if its effect is None. */
    boolean hasPreview() {
        return !isListed() && !isOfKubernetes();
    }

    /** Returns whether Kubernetes evicts pods because of it, and not Nodeward. */
    boolean isOfKubernetes() {
        return group.equals(KUBERNETES);
    }

    /** Returns the taint that it brings. */
    DeviceTaint taint() {
        RuleTaint taint = spec.taint();
        return new DeviceTaint(taint.key(), taint.value(), taint.effect(), taint.timeAdded().orElse(Instant.EPOCH));
    }

    /** Returns when its taint was added, as it says, and else since when there is the rule. */
    Optional<Instant> since() {
        return spec.taint().timeAdded().or(() -> created);
    }

    /** Returns its name as kubectl takes it. */
    String resource() {
        return kind.toLowerCase(Locale.ROOT) + "." + group + "/" + name;
    }

    /** Returns the kind and the name; the group of Kubernetes tells its kind apart. */
    @Override
    public String toString() {
        return kind + (isOfKubernetes() ? "." + group : "") + " " + name;
    }
}
