package io.nodeward.controller.devices;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.device.ListedTaints;
import io.nodeward.core.rules.device.Projection;
import io.nodeward.core.rules.device.Projection.Step;
import io.nodeward.core.rules.device.RuleMatch.Projected;
import io.nodeward.core.rules.device.ServerRule;
import io.nodeward.core.rules.device.TaintSliceMatch;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ServedVersions;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.Target;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The DeviceTaintRules of Kubernetes that stand for rules and taint slices of Nodeward, by which its scheduler learns of the
 * taints.
 *
 * @param most of how many there may be in all
 */
record ServerRules(ServedVersions<CustomResource<DeviceTaintRule>> versions, int most) {
    static final String GROUP = "resource.k8s.io";
    /** Of 1.37, and of 1.36 with a feature gate. */
    static final List<String> VERSIONS = List.of("v1", "v1beta2");
    private static final String PLURAL = "devicetaintrules";
    /** On each, so that people and {@link ProjectionCleanUpModule} find them. */
    static final Map<String, String> LABELS =
            Map.of("app.kubernetes.io/managed-by", "nodeward", "nodeward.io/component", "devices");
    /** Kinds of Nodeward for which they may stand. */
    private static final Map<String, CustomResourceDefinition> OWNERS =
            Stream.of(DeviceTaintRule.DEFINITION, DeviceTaintSlice.DEFINITION)
                    .collect(Collectors.toMap(CustomResourceDefinition::kind, Function.identity()));
    /** By the UIDs of the objects of Nodeward that own them. */
    static final Index<CustomResource<DeviceTaintRule>> OF_OWNER =
            new Index<>("owner", rule -> owners(rule).map(OwnerRef::uid).distinct().toList());
    /** All that an object of Nodeward owns. */
    static final Index<CustomResource<DeviceTaintRule>> OWNED =
            new Index<>("owned", rule -> owners(rule).map(owner -> "").distinct().toList());

    /** One version of the kind. */
    record Version(ObjectKind kind, ObjectCache<CustomResource<DeviceTaintRule>> cache) {}

    /** An object of Nodeward for which they stand, and its kind. */
    record Owner(CustomResourceDefinition definition, Metadata metadata) {}

    /**
     * Those that are to stand for an object of Nodeward.
     *
     * @param needed how many
     * @param granted whether it may have so many: else it keeps those of {@code rules} that stand already
     * @param rules none if it is being deleted
     * @param tooMany what its status shows if it may not, by how many it needs and how many there may be in all
     */
    record Wanted(
            Owner owner, int needed, boolean granted, List<ServerRule> rules,
            BiFunction<Integer, Integer, Text> tooMany) {
        static Wanted of(CustomResource<DeviceTaintRule> rule, Projected projected) {
            Set<DeviceName> devices = new HashSet<>(projected.devices());
            devices.addAll(projected.unknown());
            boolean selects = projected.needed() > 0 || !devices.isEmpty();
            return new Wanted(new Owner(DeviceTaintRule.DEFINITION, rule.metadata()), projected.needed(),
                    projected.granted(),
                    selects && !rule.metadata().deleting()
                            ? ServerRule.all(rule.metadata().uid(), rule.key().name(), rule.spec(), devices)
                            : List.of(),
                    Enforcement::tooMany);
        }

        static Wanted of(CustomResource<DeviceTaintSlice> slice, TaintSliceMatch match) {
            return new Wanted(new Owner(DeviceTaintSlice.DEFINITION, slice.metadata()), match.needed(), match.granted(),
                    match.needed() > 0 && !slice.metadata().deleting()
                            ? ListedTaints.serverRules(slice.metadata().uid(), slice.key().name(), slice.spec())
                            : List.of(),
                    Enforcement::tooManyTaints);
        }
    }

    static ObjectKind kind(String version) {
        return new ObjectKind(GROUP, version, "DeviceTaintRule", PLURAL, false);
    }

    /** The objects of Nodeward that own it. */
    static Stream<OwnerRef> owners(CustomResource<DeviceTaintRule> rule) {
        return rule.metadata().owners().stream().filter(owner -> Optional.ofNullable(OWNERS.get(owner.kind()))
                .filter(kind -> kind.group().equals(owner.group())).isPresent());
    }

    /**
     * Tells of each object of a kind of Nodeward for which something may have to be done now.
     *
     * @param granted those that may have rules of the server
     * @param all that there are
     */
    <S> void whenChanged(
            CustomResourceDefinition kind, Supplier<Set<String>> granted, ObjectCache<CustomResource<S>> all,
            Consumer<ObjectKey> listener) {
        versions.all().forEach(version -> version.cache().subscribe((before, after) -> {
            MapFunction.both(before, after).flatMap(ServerRules::owners)
                    .filter(owner -> owner.kind().equals(kind.kind())).map(OwnerRef::name).distinct()
                    .map(ObjectKey::clusterScoped).forEach(listener);
            if (after == null) { // which makes room for another
                granted.get().stream().map(ObjectKey::clusterScoped).forEach(listener);
            }
        }));
        versions.whenChanged(() -> all.all().forEach(known -> listener.accept(known.key())));
    }

    /** The version by which they are read and written; empty if the server has none, or that is not known. */
    Optional<Version> served() {
        return versions.served()
                .map(version -> new Version(kind(version.version()), version.cache()));
    }

    /** Whether the scheduler knows of the taints, by what is seen of the server now. */
    Text enforced(Wanted wanted, Instant now) {
        return served().map(version -> wanted.needed() > 0 && !wanted.granted()
                ? wanted.tooMany().apply(wanted.needed(), most)
                : Enforcement.of(projection(version, wanted, now)))
                .orElseGet(() -> versions.areRefused() ? Enforcement.notServed() : Enforcement.notAnswered());
    }

    /** For which devices the scheduler knows of a taint, by what is seen of the server now. */
    Predicate<DeviceName> keptOff(Wanted wanted, RuleTaint taint, Instant now) {
        return served().filter(version -> wanted.granted())
                .map(version -> Enforcement.keptOff(projection(version, wanted, now), taint)).orElse(any -> false);
    }

    /** Returns the devices for each of which the server has a rule that stands for this one. */
    Set<DeviceName> devices(CustomResource<DeviceTaintRule> rule) {
        return served().stream().flatMap(version -> version.cache().find(OF_OWNER, rule.metadata().uid()).stream())
                .flatMap(standing -> standing.spec().selector().stream())
                .map(names -> new DeviceName(names.driver().orElse(""), names.pool().orElse(""),
                        names.device().orElse("")))
                .filter(DeviceName::isComplete).collect(Collectors.toSet());
    }

    /** What has to be done next so that the scheduler knows of the taints; empty if nothing has, or nothing can be done now. */
    Optional<Decision> change(Target shown, Wanted wanted, Instant now) {
        return served().flatMap(version -> projection(version, wanted, now).next(room(version))
                .map(step -> new Decision.Change(shown, update(version, wanted.owner(), step, now), step, List.of(),
                        Optional.empty())));
    }

    /** How many more there may be. */
    int room(Version version) {
        return most - version.cache().count(OWNED, "");
    }

    private static Projection projection(Version version, Wanted wanted, Instant now) {
        String uid = wanted.owner().metadata().uid();
        Collection<CustomResource<DeviceTaintRule>> owned = version.cache().find(OF_OWNER, uid);
        return new Projection(uid, wanted.granted() ? wanted.rules() : standing(wanted.rules(), owned), owned,
                name -> version.cache().get(ObjectKey.clusterScoped(name)), now);
    }

    /**
     * Returns what an object keeps that needs more rules than it may have. If it had to give up all, a kubelet that publishes many
     * devices could take the taint off the devices of other Nodes.
     */
    private static List<ServerRule> standing(
            List<ServerRule> rules, Collection<CustomResource<DeviceTaintRule>> owned) {
        Set<DeviceTaintSelector> selectors = owned.stream().flatMap(rule -> rule.spec().selector().stream())
                .collect(Collectors.toSet());
        return rules.stream().filter(rule -> selectors.contains(rule.selector())).toList();
    }

    /** What makes a step of a projection come true. */
    private static ObjectChange update(Version version, Owner owner, Step step, Instant now) {
        ObjectChange update = switch (step) {
            case Step.Create(ServerRule rule) -> ObjectChange.create(version.kind(),
                    ObjectKey.clusterScoped(rule.name()),
                    Tree.of(Map.of("metadata", Map.of("labels", LABELS, "ownerReferences", ownedBy(owner)), "spec",
                            spec(rule, now))));
            case Step.Restore(ServerRule rule, CustomResource<DeviceTaintRule> found) -> ObjectChange.jsonPatch(
                    version.kind(), found.metadata(), JsonPatch.EMPTY
                            .add(List.of("spec"), Tree.of(spec(rule, now)))
                            .add(List.of("metadata", "ownerReferences"), ownedBy(owner))
                            .add(List.of("metadata", "labels"), Tree.of(LABELS)));
            case Step.Delete(CustomResource<DeviceTaintRule> found) ->
                    ObjectChange.delete(version.kind(), found.metadata());
        };
        return update.seenIn(version.cache());
    }

    /** With its owner it goes, also while no controller runs. */
    private static Tree ownedBy(Owner owner) {
        CustomResourceDefinition kind = owner.definition();
        return Tree.of(List.of(Map.of("apiVersion", kind.group() + "/" + kind.version(), "kind", kind.kind(),
                "name", owner.metadata().key().name(), "uid", owner.metadata().uid(), "controller", true)));
    }

    private static Map<String, Object> spec(ServerRule rule, Instant now) {
        Map<String, Object> taint = new HashMap<>(Map.of("key", rule.key(), "effect", rule.effect()));
        if (!rule.value().isEmpty()) {
            taint.put("value", rule.value());
        }
        rule.timeAdded(now).ifPresent(time -> taint.put("timeAdded", time.toString()));
        return Map.of("deviceSelector", selector(rule.selector()), "taint", taint);
    }

    private static Map<String, Object> selector(DeviceTaintSelector names) {
        Map<String, Object> fields = new HashMap<>();
        names.driver().ifPresent(name -> fields.put("driver", name));
        names.pool().ifPresent(name -> fields.put("pool", name));
        names.device().ifPresent(name -> fields.put("device", name));
        return fields;
    }
}
