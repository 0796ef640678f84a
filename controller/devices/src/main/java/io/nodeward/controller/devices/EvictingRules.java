package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.controller.devices.Acting.Told;
import io.nodeward.controller.devices.EvictionProgress.Past;
import io.nodeward.controller.devices.ServerRules.Wanted;
import io.nodeward.core.rules.device.Eviction.Cause;
import io.nodeward.core.rules.device.RuleMatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.time.Pacer.Limit;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The rules that evict pods now, at which pace, and how many each has evicted. A rule that is deleted or declares something
 * else evicts no pod until its reconciler has decided on it anew.
 */
final class EvictingRules {
    private static final int BURST = 10;

    private final Devices devices;
    private final ServerRules serverRules;
    /** By the UIDs of pods. */
    private final Pacer<String> pacer;
    private final InstantSource clock;
    private final boolean unenforced;
    private final Map<String, Told> acting = new ConcurrentHashMap<>();
    private final EvictionCounts counts = new EvictionCounts();
    /** UIDs of the pods that have a turn. */
    private final Map<ObjectKey, String> turns = new ConcurrentHashMap<>();
    private final List<Consumer<Set<ObjectKey>>> listeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Set<String>>> heldUpListeners = new CopyOnWriteArrayList<>();

    /** @param unenforced whether rules evict of which the scheduler does not know */
    EvictingRules(
            Devices devices, ServerRules serverRules, Pacer<String> pacer, InstantSource clock, boolean unenforced) {
        this.devices = devices;
        this.serverRules = serverRules;
        this.pacer = pacer;
        this.clock = clock;
        this.unenforced = unenforced;
    }

    /** Told of the pods that use devices of a rule that evicts: of each of them, and again when it uses them otherwise. */
    void whenActing(Consumer<Set<ObjectKey>> listener) {
        listeners.add(listener);
    }

    /**
     * Decides whether the rule evicts from now on.
     *
     * @param wanted of the server, so that its scheduler knows of the taint
     * @return what the status is to show
     */
    Text decide(CustomResource<DeviceTaintRule> rule, RuleMatch match, Wanted wanted, Text enforced) {
        String name = rule.key().name();
        Supplier<Predicate<DeviceName>> keptOff = () -> keptOff(wanted, rule.spec().taint());
        return decide(rule, Map.of(name, rule.metadata().uid()),
                past -> EvictionProgress.of(rule.spec(), match, enforced, () -> unenforced
                        || EvictionProgress.isReported(rule) && match.inUse().stream().anyMatch(keptOff.get()), past),
                () -> Map.of(name, new Acting(rule.metadata().uid(), "DeviceTaintRule " + name, rule.spec(),
                        match.inUse(), () -> isDeclared(rule, devices.caches().rules()), keptOff,
                        some -> devices.selected(name, rule.spec(), some))));
    }

    /**
     * Decides whether an object evicts from now on. First the status shows it, and it evicts only when that is seen: so a
     * process that comes after this one knows that tokens may be gone.
     *
     * @param uids of those that may evict for it, by name
     * @param progress what the status is to show
     * @param evicting those that evict for it, by name
     */
    Text decide(
            CustomResource<?> object, Map<String, String> uids, Function<Past, Text> progress,
            Supplier<Map<String, Acting>> evicting) {
        boolean begun = EvictionProgress.hasBegun(object);
        Text text = progress.apply(new Past(
                begun, counts.evicted(uids), counts.refused(uids.keySet()),
                uids.values().stream().anyMatch(pacer::isHeldBack)));
        boolean evicts = EvictionProgress.isInProgress(text) && !object.metadata().deleting();
        if (evicts) {
            uids.forEach((name, uid) -> announce(name, uid, !begun));
        }
        if (evicts && EvictionProgress.isReported(object)) {
            evicting.get().forEach(this::act);
        } else {
            uids.keySet().forEach(this::stop);
        }
        return text;
    }

    /** @param first whether no process has evicted for it before */
    void announce(String rule, String uid, boolean first) {
        counts.begin(rule, uid, first).ifPresent(gone -> {
            stop(rule);
            pacer.forget(gone);
        });
    }

    /** @param name by which nothing else evicts */
    void act(String name, Acting what) {
        Told now = Told.of(what, devices.caches());
        Set<ObjectKey> pods = now.since(acting.put(name, now));
        listeners.forEach(listener -> listener.accept(pods));
    }

    void stop(String rule) {
        acting.remove(rule);
    }

    /** There is no such rule. */
    void forget(String rule) {
        stop(rule);
        counts.forget(rule).ifPresent(pacer::forget);
    }

    /** Those that evict who uses the device. */
    Map<String, DeviceTaintRule> of(DeviceName device) {
        Map<String, DeviceTaintRule> all = new HashMap<>();
        acting.forEach((name, told) -> {
            if (told.what().devices().contains(device) && told.what().isDeclared().getAsBoolean()) {
                all.put(name, told.what().declared());
            }
        });
        return all;
    }

    /** Whether the object is there that was decided on, and has declared nothing else meanwhile. */
    static <S> boolean isDeclared(CustomResource<S> before, ObjectCache<CustomResource<S>> cache) {
        return cache.get(before.key()).filter(now -> now.metadata().uid().equals(before.metadata().uid())
                && now.generation() == before.generation() && now.spec().equals(before.spec())
                && !now.metadata().deleting()).isPresent();
    }

    private Optional<Acting> acting(String name) {
        return Optional.ofNullable(acting.get(name)).map(Told::what);
    }

    /** Kind and name of the object for which a pod has to go. */
    String origin(Cause cause) {
        return acting(cause.rule()).map(Acting::origin).orElseGet(cause::rule);
    }

    /**
     * Those whose rule still evicts for the device, by all that is known at this moment: asked before a pod takes a token, and
     * right before it is deleted. For the others the rule is decided on anew.
     */
    List<Cause> inEffect(List<Cause> causes) {
        Map<String, Set<DeviceName>> devices = causes.stream().collect(Collectors.groupingBy(
                Cause::rule, Collectors.mapping(Cause::device, Collectors.toSet())));
        devices.replaceAll((name, some) -> acting(name).map(what -> what.inEffect(some)).orElse(Set.of()));
        return causes.stream().filter(cause -> devices.getOrDefault(cause.rule(), Set.of()).contains(cause.device()))
                .toList();
    }

    /** Devices of which the scheduler knows the taint; all if it need not. */
    Predicate<DeviceName> keptOff(Wanted wanted, RuleTaint taint) {
        return unenforced ? any -> true : serverRules.keptOff(wanted, taint, clock.instant());
    }

    /** How long the pod has to wait; empty if no rule evicts it any more. */
    Optional<Duration> left(Pod pod, List<Cause> causes) {
        List<Limit> limits = limits(causes);
        String uid = pod.metadata().uid();
        if (limits.isEmpty() || !uid.equals(turns.get(pod.key()))) {
            leave(pod.key());
        }
        if (limits.isEmpty()) {
            return Optional.empty();
        }
        turns.put(pod.key(), uid);
        Set<Object> before = heldBack(limits);
        Duration left = pacer.left(uid, limits);
        if (!heldBack(limits).equals(before)) {
            tellHeldUp(causes.stream().map(Cause::rule).collect(Collectors.toSet()));
        }
        return Optional.of(left);
    }

    /** The UIDs of those that the pace of all together holds back. */
    private Set<Object> heldBack(List<Limit> limits) {
        return limits.stream().map(Limit::bucket).filter(pacer::isHeldBack).collect(Collectors.toSet());
    }

    /** Whether the pod has a token of this rule. */
    boolean gaveToken(Pod pod, Cause cause) {
        return acting(cause.rule())
                .filter(what -> pacer.bucket(pod.metadata().uid()).filter(what.uid()::equals).isPresent())
                .isPresent();
    }

    /** The pod of this name is through, or need not go any more. */
    void release(ObjectKey pod) {
        leave(pod);
        tellHeldUp(counts.notRefused(pod));
    }

    private void leave(ObjectKey pod) {
        Optional.ofNullable(turns.remove(pod)).ifPresent(pacer::release);
    }

    /** The server does not let the pod go now: its turn is the next one's. */
    void refused(ObjectKey pod, List<Cause> causes, Blocked why) {
        leave(pod);
        Set<String> names = causes.stream().map(Cause::rule).collect(Collectors.toSet());
        counts.refused(pod, names, why);
        tellHeldUp(names);
    }

    /** Calls the listener with the names of those that evict, when something else holds their pods up than before. */
    void whenHeldUp(Consumer<Set<String>> listener) {
        heldUpListeners.add(listener);
    }

    private void tellHeldUp(Set<String> names) {
        if (!names.isEmpty()) {
            heldUpListeners.forEach(listener -> listener.accept(names));
        }
    }

    private List<Limit> limits(List<Cause> causes) {
        Map<String, Limit> limits = new HashMap<>();
        causes.forEach(cause -> acting(cause.rule()).ifPresent(rule -> limits.put(rule.uid(), new Limit(rule.uid(),
                cause.taint().evictionsPerSecond(), BURST, counts.isFirst(cause.rule(), rule.uid())))));
        return List.copyOf(limits.values());
    }

    void evicted(List<Cause> causes) {
        counts.evicted(causes.stream().map(Cause::rule).distinct().toList());
    }

    boolean evictsUnenforced() {
        return unenforced;
    }
}
