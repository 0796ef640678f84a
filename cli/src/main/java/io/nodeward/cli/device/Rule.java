package io.nodeward.cli.device;

import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.core.rules.validation.FieldFault;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

    Rule {
        faults = List.copyOf(faults);
    }

    /** A rule with a fault selects nothing. */
    Optional<DeviceTaintSelector> selector() {
        return isInvalid() ? Optional.empty() : spec.selector();
    }

    boolean isInvalid() {
        return !faults.isEmpty();
    }

    /** What is wrong with which field. */
    String faultText() {
        return faults.stream().map(FieldFault::text).collect(Collectors.joining("; "));
    }

    /** Whether it is a taint of a DeviceTaintSlice. */
    boolean isListed() {
        return kind.equals(DeviceTaintSlice.DEFINITION.kind());
    }

    /** Of a taint of a DeviceTaintSlice, the name of its device in the pool. */
    Optional<String> listedDevice() {
        return selector().filter(any -> isListed()).flatMap(DeviceTaintSelector::device);
    }

    /** Whether it shows what NoExecute would do, if its effect is None. */
    boolean hasPreview() {
        return !isListed() && !isOfKubernetes();
    }

    /** Whether it is for Kubernetes to evict pods because of it. */
    boolean isOfKubernetes() {
        return group.equals(KUBERNETES);
    }

    /** That it brings. */
    DeviceTaint taint() {
        RuleTaint taint = spec.taint();
        return new DeviceTaint(taint.key(), taint.value(), taint.effect(), taint.timeAdded().orElse(Instant.EPOCH));
    }

    /** When its taint was added, as it says, else since when there is the rule. */
    Optional<Instant> since() {
        return spec.taint().timeAdded().or(() -> created);
    }

    /** As kubectl takes it. */
    String resource() {
        return kind.toLowerCase(Locale.ROOT) + "." + group + "/" + name;
    }

    /** The kind and the name; the group of Kubernetes tells its kind apart. */
    @Override
    public String toString() {
        return kind + (isOfKubernetes() ? "." + group : "") + " " + name;
    }
}
