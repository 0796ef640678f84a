package io.nodeward.controller.dedicated;

import io.nodeward.api.core.Event;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.dedicated.Resolved;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Decides what the status of a DedicatedNodes shows, and by that what is in force of it. */
final class GroupReconciler implements Reconciler<ObjectKey> {
    private final DedicatedScope scope;
    private final Exchange exchange;
    private final PreviewMeters meters;
    private final Pacer<?> pacer;
    private final NodeReleases releases;
    private final Evictions evictions;
    /** The deleted groups that an Event has announced: their Nodes lose the taint one after the other. */
    private final Set<String> announced = ConcurrentHashMap.newKeySet();
    private final Events events;
    private final PodFeatures features;
    private final Supplier<Optional<AdmissionProbe.Unproved>> unproved;

    /** Writes a Warning Event. */
    @FunctionalInterface
    interface Events {
        void warn(Event.Regarding regarding, String reason, String text);
    }

    /**
     * @param features what is done to pods
     * @param unproved why API servers may not ask about pods; empty if they do, or are not to
     */
    GroupReconciler(
            DedicatedScope scope, Exchange exchange, PreviewMeters meters, Pacer<?> pacer, NodeReleases releases,
            Evictions evictions, Events events, PodFeatures features,
            Supplier<Optional<AdmissionProbe.Unproved>> unproved) {
        this.releases = releases;
        this.evictions = evictions;
        this.events = events;
        this.scope = scope;
        this.exchange = exchange;
        this.meters = meters;
        this.pacer = pacer;
        this.features = features;
        this.unproved = unproved;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<CustomResource<DedicatedNodes>> found = scope.caches().groups().get(key);
        if (found.isEmpty()) {
            return scope.releases(state -> state.findDeleted(key.name())).flatMap(this::known)
                    .orElseGet(() -> gone(key.name()));
        }
        Optional<Resolved> resolved = scope.resolved(key.name())
                .filter(known -> known.declared().desired().equals(found.get().spec().spec()));
        if (resolved.isEmpty()) { // the change that this is not of yet brings the key back, or the state when it knows
            return new Decision.Waiting("the newest spec beside the other groups");
        }
        announced.remove(key.name());
        if (!resolved.get().isReleasing()) {
            releases.ended(key.name());
        }
        scope.change(state -> state.decide(resolved.get()));
        return scope.preview(resolved.get()).<Decision>map(preview -> {
            meters.show(key.name(), preview);
            Target target = Target.of(DedicatedNodes.DEFINITION, found.get());
            return status(target, new GroupStatus(
                    target.generation(), resolved.get(), preview, blockedObject(resolved.get()), features,
                    evictions.decide(resolved.get(), preview, Evictions.isShown(found.get())), unreached(found.get())));
        }).orElseGet(() -> new Decision.Waiting("what it would change"));
    }

    /** Returns why the group is not ready. One that is stays so while a probe is repeated, as after a restart. */
    private Optional<AdmissionProbe.Unproved> unreached(CustomResource<DedicatedNodes> group) {
        return unproved.get().filter(why -> DedicatedWatches.asksAboutPods(group.spec().spec()))
                .filter(why -> why.lasting() || group.conditions().stream().noneMatch(
                        condition -> condition.type().equals(Condition.READY)
                                && condition.status().equals(Condition.TRUE)));
    }

    private Decision gone(String group) {
        exchange.confirmed().unmark(group);
        announced.remove(group);
        releases.ended(group);
        evictions.forget(group);
        scope.change(state -> state.forget(group));
        meters.forget(group); // last, as reviews count the pods of a group that is known
        pacer.forgetAllBut(
                scope.declared().enforced().all().stream().map(Group::toleration).collect(Collectors.toSet()));
        return new Decision.Gone("the DedicatedNodes does not exist");
    }

    /**
     * Decides on a group that was deleted and of which something is still known. Where the groups have not been compared without it
     * yet, the change that is on its way brings the key back.
     */
    private Optional<Decision> known(CustomResource<DedicatedNodes> deleted) {
        Optional<Resolved> resolved = scope.resolved(deleted.key().name());
        return resolved.filter(found -> found.declared().desired().enforcement() != EnforcementMode.Enforce).isEmpty()
                ? Optional.of(new Decision.Waiting("the other groups without this one"))
                : releasing(deleted, resolved.filter(Resolved::isReleasing));
    }

    /** Has the Nodes of a group that was deleted lose its taint as those of an edited one do. */
    private Optional<Decision> releasing(CustomResource<DedicatedNodes> deleted, Optional<Resolved> resolved) {
        resolved.filter(begun -> announced.add(deleted.key().name())).ifPresent(begun -> events.warn(
                Target.of(DedicatedNodes.DEFINITION, deleted).regarding(), Reason.RELEASING.text(),
                "the DedicatedNodes was deleted: " + begun.conflicts().getFirst().message()));
        return resolved.map(still -> new Decision.Waiting("the Nodes of a group that was deleted to lose its taint"));
    }

    private Decision status(Target bare, GroupStatus status) {
        MarkedGroups confirmed = exchange.confirmed();
        status.confirmed().ifPresentOrElse(confirmed::mark, () -> confirmed.unmark(bare.regarding().key().name()));
        Target target = bare.with(status.details());
        return status.blocked()
                .<Decision>map(by -> new Decision.Blocked(target, by, !status.isPassing(by)))
                .orElseGet(() -> new Decision.InEffect(target, List.of()));
    }

    /** Returns what keeps the first of its pods, or of its Nodes, from being as declared. */
    private Optional<Blocked> blockedObject(Resolved resolved) {
        return Optional.of(resolved).filter(Resolved::concernsPods).map(found -> Declared.ofPods(found.declared()))
                .flatMap(this::blockedPod).or(() -> blockedNode(resolved));
    }

    private Optional<Blocked> blockedPod(Group group) {
        Outcomes outcomes = exchange.pods();
        return outcomes.all().stream().sorted()
                .filter(pod -> scope.caches().pods().get(pod).filter(found -> scope.declared().lacks(found, group))
                        .isPresent())
                .flatMap(pod -> outcomes.unwritten(pod).stream()).findFirst();
    }

    private Optional<Blocked> blockedNode(Resolved resolved) {
        Outcomes outcomes = exchange.nodes();
        return resolved.inForce().flatMap(group -> outcomes.all().stream().sorted()
                .filter(node -> scope.caches().nodes().get(node)
                        .filter(found -> scope.declared().enforced().of(found).stream()
                                .anyMatch(own -> own.name().equals(group.name())))
                        .isPresent())
                .flatMap(node -> outcomes.of(node, group.name()).stream()).findFirst());
    }
}
