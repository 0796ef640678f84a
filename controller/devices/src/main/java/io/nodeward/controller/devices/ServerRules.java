package io.nodeward.controller.devices;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.ServerRulePlan;
import io.nodeward.core.rules.device.ServerRulePlan.Step;
import io.nodeward.core.rules.device.ServerRule;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ServedVersions;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.Target;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * @param most how many there may be in all
 */
record ServerRules(ServedVersions<CustomResource<DeviceTaintRule>> versions, int most) {
    static final String GROUP = "resource.k8s.io";
    /** The condition that says whether the scheduler of the cluster knows of the taints. */
    static final String CONDITION = "SchedulingEnforced";
    private static final String RULES = " DeviceTaintRules of " + GROUP;
    private static final Text NOT_SERVED = no(Reason.NOT_SERVED, "the" + RULES
            + " have not been seen: Kubernetes serves them from 1.37 on, and 1.36 only with the feature gate"
            + " DRADeviceTaintRules; the controller needs the right to list and watch them");
    private static final Text NOT_ANSWERED = new Text(Condition.UNKNOWN,
            new Blocked(Reason.NOT_ANSWERED, "an answer of the server whether it has" + RULES));
    /** The versions of Kubernetes 1.37, and of 1.36 with a feature gate. */
    static final List<String> VERSIONS = List.of("v1", "v1beta2");
    private static final String PLURAL = "devicetaintrules";
    /** The labels of each, by which users and {@link ProjectionCleanUpModule} find them. */
    static final Map<String, String> LABELS =
            Map.of("app.kubernetes.io/managed-by", "nodeward", "nodeward.io/component", "devices");
    /** The kinds of Nodeward for which they may stand. */
    private static final Map<String, CustomResourceDefinition> OWNERS =
            Stream.of(DeviceTaintRule.DEFINITION, DeviceTaintSlice.DEFINITION)
                    .collect(Collectors.toMap(CustomResourceDefinition::kind, Function.identity()));
    /** The rules by the UIDs of the objects of Nodeward that own them. */
    static final Index<CustomResource<DeviceTaintRule>> OF_OWNER =
            new Index<>("owner", rule -> owners(rule).map(OwnerRef::uid).distinct().toList());
    /** The rules that any object of Nodeward owns. */
    static final Index<CustomResource<DeviceTaintRule>> OWNED =
            new Index<>("owned", rule -> owners(rule).map(owner -> "").distinct().toList());

    /** One version of the kind. */
    record Version(ObjectKind kind, ObjectCache<CustomResource<DeviceTaintRule>> cache) {
        Optional<CustomResource<DeviceTaintRule>> find(String name) {
            return cache.get(ObjectKey.clusterScoped(name));
        }
    }

    /** What is to be done about the server's rules of one object, in the version that the steps were found in. */
    record Plan(Version version, ServerRulePlan steps) {}

    static ObjectKind kind(String version) {
        return new ObjectKind(GROUP, version, "DeviceTaintRule", PLURAL, false);
    }

    /** Returns the objects of Nodeward that own a rule. */
    static Stream<OwnerRef> owners(CustomResource<DeviceTaintRule> rule) {
        return rule.metadata().owners().stream().filter(owner -> Optional.ofNullable(OWNERS.get(owner.kind()))
                .filter(kind -> kind.group().equals(owner.group())).isPresent());
    }

    /**
     * Calls the listener with each object of a kind of Nodeward for which something may have to be done now.
     *
     * @param granted those that may have rules of the server
     * @param all that there are
     */
    <S> void whenChanged(
            CustomResourceDefinition kind, Supplier<Set<String>> granted, ObjectCache<CustomResource<S>> all,
            Consumer<ObjectKey> listener) {
        versions.all().forEach(version -> version.cache().subscribe((before, after) -> {
            // If none is left, a rule that keeps some for devices that recover gives up one.
            boolean full = before == null && owners(MapFunction.latest(before, after)).findAny().isPresent()
                    && room(version.cache()) <= 0;
            (full ? version.cache().find(OWNED, "").stream() : MapFunction.both(before, after))
                    .flatMap(ServerRules::owners)
                    .filter(owner -> owner.kind().equals(kind.kind())).map(OwnerRef::name).distinct()
                    .map(ObjectKey::clusterScoped).forEach(listener);
            if (after == null) { // there is room for another
                granted.get().stream().map(ObjectKey::clusterScoped).forEach(listener);
            }
        }));
        versions.whenChanged(() -> all.all().forEach(known -> listener.accept(known.key())));
    }

    /** Returns the version by which they are read and written; empty if the server has none, or that is not known. */
    Optional<Version> served() {
        return versions.served()
                .map(version -> new Version(kind(version.version()), version.cache()));
    }

    /** Returns the server's rules that an object owns; nothing while it is not known whether the server has rules. */
    Optional<Collection<CustomResource<DeviceTaintRule>>> owned(CustomResource<?> object) {
        return served().map(version -> version.cache().find(OF_OWNER, object.metadata().uid()));
    }

    /**
     * Returns what is to be done about the server's rules of an object, by what is seen of the server now.
     *
     * @param kept names of those that are not wanted, and stay as long as there is room; the first goes first
     */
    Optional<Plan> plan(TaintSource source, List<String> kept, Instant now) {
        return served().map(version -> {
            String uid = source.object().metadata().uid();
            Collection<CustomResource<DeviceTaintRule>> owned = version.cache().find(OF_OWNER, uid);
            Collection<ServerRule> rules = source.serverRules().values();
            return new Plan(version, new ServerRulePlan(uid,
                    source.share().granted() ? rules : standing(rules, owned), kept, owned, version::find, now));
        });
    }

    /** Returns whether the scheduler knows of the taints. */
    Text enforced(TaintSource source, Optional<Plan> plan) {
        return plan.map(found -> source.share().isEnough() ? enforced(found.steps()) : tooMany(source))
                .orElseGet(() -> versions.areRefused() ? NOT_SERVED : NOT_ANSWERED);
    }

    static boolean isKnown(Text enforced) {
        return !enforced.status().equals(Condition.UNKNOWN);
    }

    private Text tooMany(TaintSource source) {
        boolean isRule = source.key().kind() == Kind.RULE;
        int needed = source.share().needed();
        String reason = !isRule ? ", one for each taint with an effect" : needed > 1 ? ", one for each device" : "";
        String advice = most == 0 ? "Raise"
                : !isRule ? "Declare fewer, or raise"
                : needed > 1 ? "Select by driver, pool or device alone, which needs one, select fewer, or raise"
                : "Delete an older one, or raise";
        return no(isRule ? Reason.TOO_MANY_DEVICES : Reason.TOO_MANY_TAINTS,
                "the " + source.definition().kind() + " needs " + needed + RULES + reason
                        + ", and all rules and taint slices together may have " + most + ", older ones first. " + advice
                        + " --devices-server-rules");
    }

    private static Text enforced(ServerRulePlan plan) {
        int complete = plan.complete();
        int reported = plan.reported();
        if (plan.size() == 0) {
            return new Text(Condition.TRUE, new Blocked(Reason.NO_DEVICES, "the rule selects no device"));
        }
        if (complete < plan.size()) {
            return no(Reason.NOT_WRITTEN, complete + " of " + plan.size() + RULES + " stand for it");
        }
        return reported < complete
                ? no(Reason.NOT_REPORTED, "Kubernetes has reported on " + reported + " of " + complete
                        + " DeviceTaintRules that stand for it")
                : new Text(Condition.TRUE, new Blocked(Reason.REPORTED, "Kubernetes has reported on all " + complete
                        + " DeviceTaintRules that stand for it; the scheduler itself cannot be observed"));
    }

    private static Text no(Reason reason, String message) {
        return new Text(Condition.FALSE, new Blocked(reason, message));
    }

    /** Returns for which devices the scheduler knows of a taint, by what is seen of the server now. */
    Predicate<DeviceName> keptOff(TaintSource source, RuleTaint taint, Instant now) {
        Optional<Version> served = served();
        return device -> served.filter(version -> source.isKeptOff(device, taint, version::find, now)).isPresent();
    }

    /** Returns the devices for each of which the server has a rule that stands for this one. */
    Set<DeviceName> devices(CustomResource<?> rule) {
        return served().stream().flatMap(version -> version.cache().find(OF_OWNER, rule.metadata().uid()).stream())
                .flatMap(standing -> standing.spec().selector().stream())
                .map(DeviceTaintSelector::name).filter(DeviceName::isComplete).collect(Collectors.toSet());
    }

    /**
     * Returns what has to be done next so that the scheduler knows of the taints; empty if nothing has, or nothing can be done now.
     *
     * @param findings why the taints are not in effect, which the status shows meanwhile
     * @param recheck when to decide anew although no event may tell that it is time
     */
    Optional<Decision> change(
            Target shown, TaintSource source, Optional<Plan> plan, List<Finding> findings,
            Optional<Result.RequeueAfter> recheck, Instant now) {
        return plan.flatMap(found -> found.steps().next(room(found.version().cache()))
                .map(step -> new Decision.Change(shown, update(found.version(), source, step, now), step, findings,
                        Optional.empty(), recheck, false)));
    }

    /** Returns how many more there may be. */
    int room(ObjectCache<CustomResource<DeviceTaintRule>> cache) {
        return most - cache.count(OWNED, "");
    }

    /**
     * Returns what an object keeps that needs more rules than it may have. If it had to give up all, a kubelet that publishes many
     * devices could take the taint off the devices of other Nodes.
     */
    private static List<ServerRule> standing(
            Collection<ServerRule> rules, Collection<CustomResource<DeviceTaintRule>> owned) {
        Set<DeviceTaintSelector> selectors = owned.stream().flatMap(rule -> rule.spec().selector().stream())
                .collect(Collectors.toSet());
        return rules.stream().filter(rule -> selectors.contains(rule.selector())).toList();
    }

    /** Returns the change that a step of a plan needs. */
    private static ObjectChange update(Version version, TaintSource owner, Step step, Instant now) {
        ObjectChange update = switch (step) {
            case Step.Create(ServerRule rule) -> ObjectChange.create(version.kind(),
                    ObjectKey.clusterScoped(rule.name()),
                    Tree.of(Map.of("metadata", Map.of("labels", LABELS, "ownerReferences", ownedBy(owner)), "spec",
                            rule.spec(now))));
            case Step.Restore(ServerRule rule, CustomResource<DeviceTaintRule> found) -> ObjectChange.jsonPatch(
                    version.kind(), found.metadata(), JsonPatch.EMPTY
                            .add(List.of("spec"), rule.spec(now))
                            .add(List.of("metadata", "ownerReferences"), ownedBy(owner))
                            .add(List.of("metadata", "labels"), Tree.of(LABELS)));
            case Step.Delete(CustomResource<DeviceTaintRule> found) ->
                    ObjectChange.delete(version.kind(), found.metadata());
        };
        return update.seenIn(version.cache());
    }

    /** Returns the owner, with which the server deletes a rule also while no controller runs. */
    private static Tree ownedBy(TaintSource owner) {
        CustomResourceDefinition kind = owner.definition();
        return Tree.of(List.of(Map.of("apiVersion", kind.group() + "/" + kind.version(), "kind", kind.kind(),
                "name", owner.key().object().name(), "uid", owner.object().metadata().uid(), "controller", true)));
    }
}
