package io.nodeward.controller.devices;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.controller.devices.RuleMatch.Projected;
import io.nodeward.core.rules.device.Projection;
import io.nodeward.core.rules.device.Projection.Step;
import io.nodeward.core.rules.device.ServerRule;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ServedVersions;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.ObjectUpdate;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.spi.Resource;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The DeviceTaintRules of Kubernetes that stand for rules of Nodeward, by which its scheduler learns of the taints.
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
    /** By the UIDs of the rules of Nodeward that own them. */
    static final Index<CustomResource<DeviceTaintRule>> OF_OWNER =
            new Index<>("owner", rule -> owners(rule).map(OwnerRef::uid).distinct().toList());
    /** All that a rule of Nodeward owns. */
    static final Index<CustomResource<DeviceTaintRule>> OWNED =
            new Index<>("owned", rule -> owners(rule).map(owner -> "").distinct().toList());

    /** One version of the kind. */
    record Version(ObjectKind kind, ObjectCache<CustomResource<DeviceTaintRule>> cache) {}

    static ObjectKind kind(String version) {
        return new ObjectKind(GROUP, version, "DeviceTaintRule", PLURAL, false);
    }

    /** The kind in all its versions. */
    static List<Resource> resources() {
        return VERSIONS.stream().map(version -> kind(version).resource()).toList();
    }

    /** The rules of Nodeward that own it. */
    static Stream<OwnerRef> owners(CustomResource<DeviceTaintRule> rule) {
        return rule.metadata().owners().stream().filter(owner -> owner.kind().equals(DeviceTaintRule.DEFINITION.kind())
                && owner.group().equals(DeviceTaintRule.DEFINITION.group()));
    }

    /** @param rule hears of each rule of Nodeward of which something may have to be done now */
    void whenChanged(DeviceScope scope, Consumer<ObjectKey> rule) {
        versions.all().forEach(version -> version.cache().subscribe((before, after) -> {
            MapFunction.both(before, after).flatMap(ServerRules::owners).map(OwnerRef::name).distinct()
                    .map(ObjectKey::clusterScoped).forEach(rule);
            if (after == null) { // which makes room for another
                scope.granted().stream().map(ObjectKey::clusterScoped).forEach(rule);
            }
        }));
        versions.whenChanged(() -> scope.caches().rules().all().forEach(known -> rule.accept(known.key())));
    }

    /** The version by which they are read and written; empty if the server has none, or that is not known. */
    Optional<Version> served() {
        return versions.served()
                .map(version -> new Version(kind(version.resource().version()), version.cache()));
    }

    /** Whether the scheduler knows of the rule's taint, by what is seen of the server now. */
    Text enforced(CustomResource<DeviceTaintRule> rule, Projected projected, Instant now) {
        return served().map(version -> projected.needed() > 0 && !projected.granted()
                ? Enforcement.tooMany(projected.needed(), most)
                : Enforcement.of(projection(version, rule, projected, now))).orElseGet(Enforcement::notServed);
    }

    /** How many more there may be. */
    int room(Version version) {
        return most - version.cache().count(OWNED, "");
    }

    static Projection projection(
            Version version, CustomResource<DeviceTaintRule> rule, Projected projected, Instant now) {
        List<ServerRule> wanted = projected.granted() && !rule.metadata().deleting()
                ? ServerRule.all(rule.metadata().uid(), rule.key().name(), rule.spec(), projected.devices())
                : List.of();
        return new Projection(rule.metadata().uid(), wanted,
                version.cache().find(OF_OWNER, rule.metadata().uid()),
                name -> version.cache().get(ObjectKey.clusterScoped(name)), now);
    }

    /** What makes a step of a projection come true. */
    static ObjectUpdate update(Version version, CustomResource<DeviceTaintRule> owner, Step step, Instant now) {
        ObjectUpdate update = switch (step) {
            case Step.Create(ServerRule rule) -> ObjectUpdate.create(version.kind(),
                    ObjectKey.clusterScoped(rule.name()),
                    Tree.of(Map.of("metadata", Map.of("labels", LABELS, "ownerReferences", ownedBy(owner)), "spec",
                            spec(rule, now))));
            case Step.Restore(ServerRule rule, CustomResource<DeviceTaintRule> found) -> ObjectUpdate.jsonPatch(
                    version.kind(), found.metadata(), JsonPatch.EMPTY
                            .add(List.of("spec"), Tree.of(spec(rule, now)))
                            .add(List.of("metadata", "ownerReferences"), ownedBy(owner))
                            .add(List.of("metadata", "labels"), Tree.of(LABELS)));
            case Step.Delete(CustomResource<DeviceTaintRule> found) ->
                    ObjectUpdate.delete(version.kind(), found.metadata());
        };
        return update.seenIn(version.cache());
    }

    /** With its owner it goes, also while no controller runs. */
    private static Tree ownedBy(CustomResource<DeviceTaintRule> owner) {
        return Tree.of(List.of(Map.of(
                "apiVersion", DeviceTaintRule.DEFINITION.group() + "/" + DeviceTaintRule.DEFINITION.version(),
                "kind", DeviceTaintRule.DEFINITION.kind(), "name", owner.key().name(), "uid", owner.metadata().uid(),
                "controller", true)));
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
