package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.EvictionCauses.Cause;
import io.nodeward.core.rules.device.EvictionFacts;
import io.nodeward.core.rules.device.EvictionState;
import io.nodeward.core.rules.device.EvictionState.Enforced;
import io.nodeward.core.rules.device.EvictionState.Shown;
import io.nodeward.core.rules.device.ServerRulePlan;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.rules.device.TaintSource.Evicting;
import io.nodeward.core.runtime.eviction.PendingEvictions;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.time.Pacer.Limit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The taints that evict pods, at which pace, and how many each has evicted. One thread at a time decides on an object, while others
 * evict pods.
 */
final class Evictions {
    private static final int BURST = 10;

    private final Devices devices;
    private final ServerRules serverRules;
    /** The turns of pods, by their UIDs. */
    private final Pacer<String> pacer;
    private final ClaimBackoff backoff;
    private final InstantSource clock;
    private final boolean unenforced;
    /** Those that evict or have evicted since the start of the process, by their names. */
    private final Map<String, Taint> taints = new ConcurrentHashMap<>();
    private final Map<DeviceKey, Declaring> declaring = new ConcurrentHashMap<>();
    private final PendingEvictions pending;

    /**
     * A taint of an object.
     *
     * @param first whether no process has evicted pods for it before, so that it has its burst
     * @param active what was decided on; empty if the taint is stopped
     */
    private record Taint(DeviceKey object, String uid, boolean first, Optional<ActiveTaint> active) {
        Taint with(Optional<ActiveTaint> other) {
            return new Taint(object, uid, first, other);
        }
    }

    /**
     * An object that declares taints.
     *
     * @param names of the taints
     * @param evicted how many pods have gone for it since the process started
     */
    private record Declaring(String uid, Set<String> names, long evicted) {}

    /**
     * How far an object has come with evicting pods.
     *
     * @param message of the condition
     * @param slowed why pods are evicted later than they might be
     */
    record Progress(EvictionState state, String message, Optional<String> slowed) {}

    /** @param unenforced whether pods are evicted for taints of which the scheduler does not know */
    Evictions(
            Devices devices, ServerRules serverRules, Pacer<String> pacer, ClaimBackoff backoff, InstantSource clock,
            boolean unenforced) {
        this.devices = devices;
        this.serverRules = serverRules;
        this.pacer = pacer;
        this.pending = new PendingEvictions(pacer);
        this.backoff = backoff;
        this.clock = clock;
        this.unenforced = unenforced;
    }

    /**
     * Begins the pace of each taint anew, and without a burst, before the process leads: the former leader may have taken it. No pod
     * asks meanwhile, as it would find a bucket that is full.
     */
    synchronized void restart() {
        taints.replaceAll(
                (name, taint) -> new Taint(taint.object(), taint.uid(), false, taint.active()));
        pending.restart();
    }

    /** Returns the pods that have to go. */
    PendingEvictions pending() {
        return pending;
    }

    /** Calls the listener with the objects that have evicted a pod, or whose pods are held up by something else than before. */
    void whenHeldUp(Consumer<Set<DeviceKey>> listener) {
        pending.whenProgress(names -> listener.accept(objects(names)));
    }

    /** Decides whether an object evicts pods from now on, and what its status is to show. */
    Progress decide(TaintSource source, Optional<ServerRulePlan> plan) {
        Map<String, Evicting> all = source.evicting();
        DeviceKey object = source.key();
        names(object).stream().filter(name -> !all.containsKey(name)).forEach(this::forget);
        declare(object, source.object().metadata().uid(), all.keySet());
        Shown shown = TaintStatus.shown(source.object());
        EvictionFacts facts = source.facts();
        EvictionState state = EvictionState.next(shown, facts, enforced(source, shown, plan));
        if (state == EvictionState.ANNOUNCED || state == EvictionState.EVICTING) {
            all.forEach((name, taint) -> announce(object, name, taint.uid(), shown == Shown.NEVER));
        }
        if (state == EvictionState.EVICTING) {
            all.forEach((name, taint) -> act(source, name, taint));
        } else {
            stop(object);
        }
        return new Progress(state, facts.message(state, evicted(object),
                all.values().stream().map(Evicting::uid).anyMatch(pacer::isHeldBack), pending.text(all.keySet())),
                state.isInProgress()
                        ? backoff.slowed(all.values().stream().flatMap(taint -> taint.devices().stream()))
                        : Optional.empty());
    }

    private Set<String> names(DeviceKey object) {
        return Optional.ofNullable(declaring.get(object)).map(Declaring::names).orElse(Set.of());
    }

    /** Another object of the same name has evicted no pod. */
    private void declare(DeviceKey object, String uid, Set<String> names) {
        declaring.compute(object, (key, before) -> new Declaring(uid, Set.copyOf(names),
                before != null && before.uid.equals(uid) ? before.evicted : 0));
    }

    private Enforced enforced(TaintSource source, Shown shown, Optional<ServerRulePlan> plan) {
        Optional<ServerRulePlan> possible = plan.filter(any -> source.share().isEnough());
        if (unenforced || possible.filter(ServerRulePlan::isReported).isPresent()) {
            return Enforced.YES;
        }
        if (possible.isEmpty()) {
            return Enforced.NO;
        }
        return shown != Shown.NEVER && source.evicting().values().stream()
                .anyMatch(taint -> taint.devices().stream().anyMatch(keptOff(source, taint.rule().taint())))
                        ? Enforced.PARTLY
                        : Enforced.SOON;
    }

    /** Returns for which devices the scheduler knows of the taint; all if it need not. */
    private Predicate<DeviceName> keptOff(TaintSource source, RuleTaint taint) {
        return unenforced ? any -> true : serverRules.keptOff(source, taint, clock.instant());
    }

    private long evicted(DeviceKey object) {
        return Optional.ofNullable(declaring.get(object)).map(Declaring::evicted).orElse(0L);
    }

    /** Another object of the same name is gone, and so is its pace. */
    private void announce(DeviceKey object, String name, String uid, boolean first) {
        Optional.ofNullable(taints.get(name)).filter(taint -> !taint.uid().equals(uid))
                .ifPresent(taint -> forget(name));
        taints.putIfAbsent(name, new Taint(object, uid, first, Optional.empty()));
    }

    private void act(TaintSource source, String name, Evicting taint) {
        ActiveTaint active = ActiveTaint.of(source, taint, devices.caches());
        Set<ObjectKey> pods = active.podsSince(active(name));
        taints.computeIfPresent(name, (any, before) -> before.with(Optional.of(active)));
        pending.due(pods);
    }

    /** Stops an object until it is decided on again. */
    void stop(DeviceKey object) {
        names(object).forEach(
                name -> taints.computeIfPresent(name, (any, taint) -> taint.with(Optional.empty())));
    }

    /** Forgets an object that does not exist. */
    void forget(DeviceKey object) {
        names(object).forEach(this::forget);
        declaring.remove(object);
    }

    private void forget(String name) {
        Optional.ofNullable(taints.remove(name)).map(Taint::uid).ifPresent(pacer::forget);
    }

    private Optional<ActiveTaint> active(String name) {
        return Optional.ofNullable(taints.get(name)).flatMap(Taint::active);
    }

    /** Returns the taints that evict pods which use the device, by their names. */
    Map<String, DeviceTaintRule> of(DeviceName device) {
        Map<String, DeviceTaintRule> all = new HashMap<>();
        taints.forEach((name, taint) -> taint.active().filter(active -> active.taint().devices().contains(device)
                && devices.caches().isDeclared(active.source()))
                .ifPresent(active -> all.put(name, active.taint().rule())));
        return all;
    }

    /** Returns kind and name of the object for which a pod has to go. */
    String origin(Cause cause) {
        return active(cause.rule()).map(ActiveTaint::source)
                .map(source -> source.definition().kind() + " " + source.key().object().name())
                .orElseGet(cause::rule);
    }

    /**
     * Returns the causes that hold at this moment, by all that is known. This is asked before a pod takes a token, and right before it
     * is deleted. The objects of the others are decided on again.
     */
    List<Cause> inEffect(List<Cause> causes) {
        Map<String, Set<DeviceName>> some = causes.stream().collect(Collectors.groupingBy(
                Cause::rule, Collectors.mapping(Cause::device, Collectors.toSet())));
        some.replaceAll((name, used) -> active(name).map(active -> inEffect(active, used)).orElse(Set.of()));
        return causes.stream().filter(cause -> some.getOrDefault(cause.rule(), Set.of()).contains(cause.device()))
                .toList();
    }

    private Set<DeviceName> inEffect(ActiveTaint active, Set<DeviceName> used) {
        Set<DeviceName> held = active.holds(devices, used);
        return held.isEmpty() ? held : held.stream()
                .filter(keptOff(active.source(), active.taint().rule().taint())).collect(Collectors.toSet());
    }

    /** Returns how long the pod has to wait, and takes a token if that is zero; empty if no taint evicts it any more. */
    synchronized Optional<Duration> left(Pod pod, List<Cause> causes) {
        List<Limit> limits = limits(causes);
        if (limits.isEmpty()) {
            pending.release(pod.key());
            return Optional.empty();
        }
        Set<Object> before = heldBack(limits);
        Duration left = pending.left(pod, limits);
        if (!heldBack(limits).equals(before)) {
            pending.progress(names(causes));
        }
        return Optional.of(left);
    }

    private List<Limit> limits(List<Cause> causes) {
        Map<String, Limit> limits = new HashMap<>();
        causes.forEach(
                cause -> Optional.ofNullable(taints.get(cause.rule())).filter(taint -> taint.active().isPresent())
                        .ifPresent(taint -> limits.put(taint.uid(), new Limit(
                                taint.uid(), cause.taint().evictionsPerSecond(), BURST, taint.first()))));
        return List.copyOf(limits.values());
    }

    /** Returns the UIDs of those that the pace of all together holds back. */
    private Set<Object> heldBack(List<Limit> limits) {
        return limits.stream().map(Limit::bucket).filter(pacer::isHeldBack).collect(Collectors.toSet());
    }

    /** Returns whether the pod has a token of this taint. */
    boolean gaveToken(Pod pod, Cause cause) {
        return active(cause.rule()).filter(active -> pacer.bucket(pod.metadata().uid())
                .filter(active.taint().uid()::equals).isPresent()).isPresent();
    }

    /** Returns how long the pod has to stay although its time is over. */
    Duration heldOff(Pod pod, Cause cause) {
        return backoff.left(cause.claim(), pod.metadata().uid());
    }

    /**
     * Returns what counts a pod that is to be evicted now, as soon as it has gone: once for each object, however many of its taints it goes
     * for.
     */
    Runnable evicting(Pod pod, List<Cause> causes) {
        List<Runnable> rounds = causes.stream().map(Cause::claim).distinct()
                .map(claim -> backoff.evicting(claim, pod.metadata().uid())).toList();
        return () -> {
            rounds.forEach(Runnable::run);
            objects(names(causes)).forEach(object -> declaring.computeIfPresent(object,
                    (key, known) -> new Declaring(known.uid, known.names, known.evicted + 1)));
            pending.progress(names(causes));
        };
    }

    /** Returns the names of the taints for which a pod has to go. */
    static Set<String> names(List<Cause> causes) {
        return causes.stream().map(Cause::rule).collect(Collectors.toSet());
    }

    private Set<DeviceKey> objects(Set<String> names) {
        return names.stream().flatMap(name -> Optional.ofNullable(taints.get(name)).stream()).map(Taint::object)
                .collect(Collectors.toSet());
    }
}
