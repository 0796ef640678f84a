package io.nodeward.core.rules.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.core.rules.validation.FieldFault;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A DeviceTaintRule or DeviceTaintSlice as it was seen, with what is known of it.
 *
 * @param faults what is wrong with its spec; if anything, no device has its taints
 * @param missingClass the DeviceClass that a rule names, if there is none of this name
 * @param preview what a rule does; empty for a DeviceTaintSlice
 * @param counts the fields of the status that count devices and pods
 * @param share of the rules of the server
 * @param serverRules those that are to stand for it, by their names; if it may not have all that it needs, it keeps those that stand.
 *     None if it is being deleted
 * @param evicting its taints that evict pods, by a name that no other taint has
 */
public record TaintSource(
        CustomResource<?> object, List<FieldFault> faults, Optional<String> missingClass,
        Optional<DevicePreview> preview, Tree counts, EvictionFacts facts, Share share,
        Map<String, ServerRule> serverRules, Map<String, Evicting> evicting) {
    /**
     * The part that an object has in the rules of the server.
     *
     * @param needed how many it needs so that the scheduler learns of its taints
     * @param granted whether it may have so many
     */
    public record Share(int needed, boolean granted) {
        /** Returns whether it has all that it needs, which may be none. */
        public boolean isEnough() {
            return needed == 0 || granted;
        }
    }

    /**
     * A taint that evicts pods, at a pace of its own.
     *
     * @param uid by what its pace is found
     * @param rule what is declared, as a rule
     * @param devices that have the taint and that claims may have
     */
    public record Evicting(String uid, DeviceTaintRule rule, Set<DeviceName> devices) {
        /** A copy of what is given. */
        public Evicting {
            devices = Set.copyOf(devices);
        }
    }

    /** A copy of what is given. */
    public TaintSource {
        faults = List.copyOf(faults);
        serverRules = Map.copyOf(serverRules);
        evicting = Map.copyOf(evicting);
    }

    /**
     * Returns what is known of a rule.
     *
     * @param projected devices that are to have a rule of the server: all selected ones if the rule may have so many, else those that
     *     have one already; also those that have one while nobody knows whether they are selected
     * @param inUse devices that it selects and claims have; none if its effect is None
     */
    static TaintSource of(
            CustomResource<?> object, DeviceTaintRule rule, List<FieldFault> faults, Optional<String> missingClass,
            DevicePreview preview, Share share, Collection<DeviceName> projected, Set<DeviceName> inUse) {
        String name = object.key().name();
        String uid = object.metadata().uid();
        boolean deleting = object.metadata().deleting();
        boolean isProjected = !deleting && (share.needed() > 0 || !projected.isEmpty());
        return new TaintSource(object, faults, missingClass, Optional.of(preview), preview.tree(),
                EvictionFacts.of(rule, faults, preview, deleting), share,
                byName(isProjected ? ServerRule.all(uid, name, rule, projected) : List.of()),
                Map.of(name, new Evicting(uid, rule, inUse)));
    }

    /** Returns what is known of a DeviceTaintSlice. */
    static TaintSource of(
            CustomResource<?> object, DeviceTaintSlice slice, List<FieldFault> faults, ListedDevices devices,
            Share share, ObservedTaints observed) {
        String name = object.key().name();
        String uid = object.metadata().uid();
        boolean deleting = object.metadata().deleting();
        return new TaintSource(object, faults, Optional.empty(), Optional.empty(), devices.tree(),
                EvictionFacts.of(slice, faults, devices, deleting), share,
                byName(share.needed() > 0 && !deleting ? ListedTaints.serverRules(uid, name, slice) : List.of()),
                evicting(object, slice, observed));
    }

    private static Map<String, ServerRule> byName(List<ServerRule> rules) {
        return rules.stream().collect(Collectors.toMap(ServerRule::name, Function.identity(), (one, same) -> one));
    }

    /** Returns the taints, each as a rule with a bucket of its own. A taint that the status does not show yet evicts no pod. */
    private static Map<String, Evicting> evicting(
            CustomResource<?> object, DeviceTaintSlice slice, ObservedTaints observed) {
        Map<String, Evicting> all = new HashMap<>();
        ListedTaints.evicting(slice, entry -> observed.since(entry).orElse(Instant.MAX))
                .forEach((device, taints) -> taints.forEach((id, rule) -> all.put(object.key().name() + "/" + id,
                        new Evicting(object.metadata().uid() + "/" + id, rule, Set.of(device)))));
        return all;
    }

    /**
     * Returns whether the scheduler knows that a device has a taint; of others it may not know it yet.
     *
     * @param find the server's rule of a name
     */
    public boolean isKeptOff(
            DeviceName device, RuleTaint taint,
            Function<String, Optional<CustomResource<DeviceTaintRule>>> find, Instant now) {
        return share.granted() && serverRules.values().stream()
                .filter(rule -> rule.isOf(taint) && SelectorMatch.fits(rule.selector(), device))
                .anyMatch(rule -> find.apply(rule.name()).filter(found -> !found.metadata().deleting()
                        && rule.is(found, object.metadata().uid(), now) && ServerRule.isReported(found)).isPresent());
    }

    /** Returns the key of the object. */
    public DeviceKey key() {
        return DeviceKey.of(object);
    }

    /** Returns the kind of the object. */
    public CustomResourceDefinition definition() {
        return DeviceKey.definition(key().kind());
    }

    /** Returns whether it has no fault, so that nobody has to change it. */
    public boolean isValid() {
        return faults.isEmpty();
    }
}
