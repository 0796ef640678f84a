package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.controller.devices.DeviceChanges.PodState;
import io.nodeward.controller.devices.EvictionProgress.Past;
import io.nodeward.controller.devices.ServerRules.Wanted;
import io.nodeward.core.rules.device.Eviction.Cause;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules that evict pods now, at which pace, and how many each has evicted. A rule that is deleted or declares something
 * else evicts no pod until its reconciler has decided on it anew.
 */
final class EvictingRules {
    private static final int BURST = 10;

    private final DeviceScope scope;
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
    private final List<Consumer<Set<String>>> refusalListeners = new CopyOnWriteArrayList<>();

    /**
     * What evicts.
     *
     * @param origin kind and name of the object that declares it
     * @param devices that it selects and claims have
     * @param isDeclared whether it is declared at this moment
     * @param keptOff devices of which the scheduler knows it at this moment, if it has to
     * @param selects whether it selects a device at this moment
     */
    record Acting(
            String uid, String origin, DeviceTaintRule declared, Set<DeviceName> devices, BooleanSupplier isDeclared,
            Supplier<Predicate<DeviceName>> keptOff, Predicate<DeviceName> selects) {}

    /** @param uses of the devices, when it was decided that this evicts: those that listeners know */
    private record Told(Acting what, Set<Use> uses) {
        /** Those for which something is another than it was before. */
        Set<Use> since(@Nullable Told before) {
            return before != null && before.what.uid().equals(what.uid())
                    && before.what.declared().equals(what.declared())
                            ? uses.stream().filter(use -> !before.uses.contains(use)).collect(Collectors.toSet())
                            : uses;
        }
    }

    /**
     * By a pod, through a claim.
     *
     * @param state empty if no such pod has been seen
     */
    private record Use(ObjectKey pod, String uid, Optional<PodState> state, List<ResourceClaim.Allocated> devices) {}

    /** @param unenforced whether rules evict of which the scheduler does not know */
    EvictingRules(
            DeviceScope scope, ServerRules serverRules, Pacer<String> pacer, InstantSource clock, boolean unenforced) {
        this.scope = scope;
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
     * Decides whether the rule evicts from now on. First the status shows it, and the rule evicts only when that is seen: so a
     * process that comes after this one knows that tokens may be gone.
     *
     * @param wanted of the server, so that its scheduler knows of the taint
     * @return what the status is to show
     */
    Text decide(CustomResource<DeviceTaintRule> rule, RuleMatch match, Wanted wanted, Text enforced) {
        Predicate<DeviceName> keptOff = keptOff(wanted, rule.spec().taint());
        Text text = EvictionProgress.of(rule.spec(), match, enforced,
                EvictionProgress.isReported(rule) && match.inUse().stream().anyMatch(keptOff) || unenforced,
                past(rule, Map.of(rule.key().name(), rule.metadata().uid())));
        boolean evicts = EvictionProgress.isInProgress(text) && !rule.metadata().deleting();
        if (evicts) {
            announce(rule.key().name(), rule.metadata().uid(), !EvictionProgress.hasBegun(rule));
        }
        if (evicts && EvictionProgress.isReported(rule)) {
            act(rule, match, wanted);
        } else {
            stop(rule.key().name());
        }
        return text;
    }

    /** @param uids of those that evict for the object, by name */
    Past past(CustomResource<?> object, Map<String, String> uids) {
        return new Past(EvictionProgress.hasBegun(object),
                uids.entrySet().stream().mapToLong(rule -> counts.evicted(rule.getKey(), rule.getValue())).sum(),
                counts.refused(uids.keySet()));
    }

    /** @param first whether no process has evicted for it before */
    void announce(String rule, String uid, boolean first) {
        counts.begin(rule, uid, first).ifPresent(gone -> {
            stop(rule);
            pacer.forget(gone);
        });
    }

    private void act(CustomResource<DeviceTaintRule> rule, RuleMatch match, Wanted wanted) {
        String name = rule.key().name();
        act(name, new Acting(rule.metadata().uid(), "DeviceTaintRule " + name, rule.spec(), match.inUse(),
                () -> scope.caches().rules().get(rule.key()).filter(found -> isSame(rule, found)).isPresent(),
                () -> keptOff(wanted, rule.spec().taint()), device -> scope.selects(name, rule.spec(), device)));
    }

    /** @param name by which nothing else evicts */
    void act(String name, Acting what) {
        Told now = new Told(what, what.devices().stream()
                .flatMap(device -> scope.caches().claims(device).stream()).distinct().flatMap(this::uses)
                .collect(Collectors.toSet()));
        Set<ObjectKey> pods = now.since(acting.put(name, now)).stream().map(Use::pod)
                .collect(Collectors.toSet());
        listeners.forEach(listener -> listener.accept(pods));
    }

    private Stream<Use> uses(ResourceClaim claim) {
        return claim.reservedFor().stream().map(user -> {
            ObjectKey pod = new ObjectKey(claim.key().namespace(), user.name());
            return new Use(pod, user.uid(), scope.caches().pods().get(pod).map(PodState::of), claim.allocated());
        });
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
            if (told.what.devices().contains(device) && told.what.isDeclared().getAsBoolean()) {
                all.put(name, told.what.declared());
            }
        });
        return all;
    }

    /** Whether an object is the one that was decided on, and has declared nothing else meanwhile. */
    static <S> boolean isSame(CustomResource<S> before, CustomResource<S> now) {
        return now.metadata().uid().equals(before.metadata().uid()) && now.generation() == before.generation()
                && now.spec().equals(before.spec()) && !now.metadata().deleting();
    }

    private Optional<Acting> acting(Cause cause) {
        return Optional.ofNullable(acting.get(cause.rule())).map(Told::what);
    }

    /** Kind and name of the object for which a pod has to go. */
    String origin(Cause cause) {
        return acting(cause).map(Acting::origin).orElseGet(cause::rule);
    }

    /**
     * Those whose rule still evicts for the device, by all that is known at this moment: asked before a pod takes a token, and
     * right before it is deleted. For the others the rule is decided on anew.
     */
    List<Cause> inEffect(List<Cause> causes) {
        Map<String, Predicate<DeviceName>> keptOff = new HashMap<>();
        return causes.stream().filter(cause -> acting(cause).filter(what -> keptOff.computeIfAbsent(cause.rule(),
                any -> what.isDeclared().getAsBoolean() ? what.keptOff().get() : none -> false).test(cause.device())
                && what.selects().test(cause.device())).isPresent()).toList();
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
        return Optional.of(pacer.left(uid, limits));
    }

    /** Whether the pod has a token of this rule. */
    boolean gaveToken(Pod pod, Cause cause) {
        return acting(cause).filter(what -> pacer.bucket(pod.metadata().uid()).filter(what.uid()::equals).isPresent())
                .isPresent();
    }

    /** The pod of this name is through, or need not go any more. */
    void release(ObjectKey pod) {
        leave(pod);
        tellRefused(counts.notRefused(pod));
    }

    private void leave(ObjectKey pod) {
        Optional.ofNullable(turns.remove(pod)).ifPresent(pacer::release);
    }

    /** The server does not let the pod go now: its turn is the next one's. */
    void refused(ObjectKey pod, List<Cause> causes, Blocked why) {
        leave(pod);
        Set<String> names = causes.stream().map(Cause::rule).collect(Collectors.toSet());
        counts.refused(pod, names, why);
        tellRefused(names);
    }

    /** Told of those that evict, when other pods of theirs are refused than before. */
    void whenRefused(Consumer<Set<String>> listener) {
        refusalListeners.add(listener);
    }

    private void tellRefused(Set<String> names) {
        if (!names.isEmpty()) {
            refusalListeners.forEach(listener -> listener.accept(names));
        }
    }

    private List<Limit> limits(List<Cause> causes) {
        Map<String, Limit> limits = new HashMap<>();
        causes.forEach(cause -> acting(cause).ifPresent(rule -> limits.put(rule.uid(), new Limit(rule.uid(),
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
