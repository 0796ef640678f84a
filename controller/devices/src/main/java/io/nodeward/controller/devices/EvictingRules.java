package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.controller.devices.DeviceChanges.PodState;
import io.nodeward.core.rules.device.Eviction.Cause;
import io.nodeward.core.runtime.status.StatusDetails.Text;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
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
    private final Map<String, Acting> acting = new ConcurrentHashMap<>();
    private final Map<String, Progress> progress = new ConcurrentHashMap<>();
    /** UIDs of the pods that have a turn. */
    private final Map<ObjectKey, String> turns = new ConcurrentHashMap<>();
    private final List<Consumer<Set<ObjectKey>>> listeners = new CopyOnWriteArrayList<>();

    /**
     * @param match by which it was decided that the rule evicts
     * @param uses of the devices, when that was decided
     */
    private record Acting(String uid, DeviceTaintRule declared, RuleMatch match, Set<Use> uses) {
        /** Those for which something is another than it was before. */
        Set<Use> since(@Nullable Acting before) {
            return before != null && before.uid.equals(uid) && before.declared.equals(declared)
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

    /**
     * Of one rule, since the start of the process.
     *
     * @param first whether no process has evicted for it before, so that its burst is left
     */
    private record Progress(String uid, boolean first, long evicted) {}

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
     * @return what the status is to show
     */
    Text decide(CustomResource<DeviceTaintRule> rule, RuleMatch match, Text enforced) {
        Text text = EvictionProgress.of(rule.spec(), match, enforced, unenforced, evicted(rule));
        boolean evicts = EvictionProgress.isInProgress(text) && !rule.metadata().deleting();
        if (evicts) {
            announce(rule);
        }
        if (evicts && EvictionProgress.isReported(rule)) {
            act(rule, match);
        } else {
            stop(rule.key().name());
        }
        return text;
    }

    private void announce(CustomResource<DeviceTaintRule> rule) {
        String uid = rule.metadata().uid();
        progress(rule.key().name()).filter(before -> !before.uid().equals(uid))
                .ifPresent(before -> forget(rule.key().name()));
        progress.computeIfAbsent(rule.key().name(),
                name -> new Progress(uid, !EvictionProgress.hasBegun(rule), 0));
    }

    private void act(CustomResource<DeviceTaintRule> rule, RuleMatch match) {
        Set<Use> uses = match.inUse().stream().flatMap(device -> scope.caches().claims(device).stream()).distinct()
                .flatMap(this::uses).collect(Collectors.toSet());
        Acting now = new Acting(rule.metadata().uid(), rule.spec(), match, uses);
        Set<ObjectKey> pods = now.since(acting.put(rule.key().name(), now)).stream().map(Use::pod)
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
        Optional.ofNullable(progress.remove(rule)).ifPresent(gone -> pacer.forget(gone.uid()));
    }

    /** Those that evict who uses the device. */
    Map<String, DeviceTaintRule> of(DeviceName device) {
        Map<String, DeviceTaintRule> all = new HashMap<>();
        acting.forEach((name, rule) -> {
            if (rule.match().inUse().contains(device) && current(name, rule).isPresent()) {
                all.put(name, rule.declared());
            }
        });
        return all;
    }

    private Optional<CustomResource<DeviceTaintRule>> current(String name, Acting rule) {
        return scope.caches().rules().get(ObjectKey.clusterScoped(name))
                .filter(found -> found.metadata().uid().equals(rule.uid()) && found.spec().equals(rule.declared())
                        && !found.metadata().deleting());
    }

    /**
     * Whether the rule still evicts for the device, by all that is known at this moment: asked right before a pod is deleted. If
     * not, the rule is decided on anew, and its pods come again.
     */
    boolean isInEffect(Cause cause) {
        return Optional.ofNullable(acting.get(cause.rule()))
                .filter(rule -> current(cause.rule(), rule).filter(found -> isEnforced(found, rule)).isPresent())
                .filter(rule -> scope.selects(cause.rule(), rule.declared(), cause.device())).isPresent();
    }

    private boolean isEnforced(CustomResource<DeviceTaintRule> found, Acting rule) {
        return unenforced || serverRules.enforced(found, rule.match().projected(), clock.instant()).status()
                .equals(Condition.TRUE);
    }

    /** How long the pod has to wait; empty if no rule evicts it any more. */
    Optional<Duration> left(Pod pod, List<Cause> causes) {
        List<Limit> limits = limits(causes);
        String uid = pod.metadata().uid();
        if (limits.isEmpty() || !uid.equals(turns.get(pod.key()))) {
            release(pod.key());
        }
        if (limits.isEmpty()) {
            return Optional.empty();
        }
        turns.put(pod.key(), uid);
        return Optional.of(pacer.left(uid, limits));
    }

    /** The pod of this name is through, or need not go any more. */
    void release(ObjectKey pod) {
        Optional.ofNullable(turns.remove(pod)).ifPresent(pacer::release);
    }

    private List<Limit> limits(List<Cause> causes) {
        Map<String, Limit> limits = new HashMap<>();
        causes.forEach(cause -> Optional.ofNullable(acting.get(cause.rule())).ifPresent(rule -> limits.put(rule.uid(),
                new Limit(rule.uid(), cause.taint().evictionsPerSecond(), BURST, isFirst(cause.rule(), rule.uid())))));
        return List.copyOf(limits.values());
    }

    private boolean isFirst(String name, String uid) {
        return progress(name).filter(found -> found.uid().equals(uid)).filter(Progress::first).isPresent();
    }

    void evicted(List<Cause> causes) {
        causes.stream().map(Cause::rule).distinct().forEach(name -> progress.computeIfPresent(name,
                (any, rule) -> new Progress(rule.uid(), rule.first(), rule.evicted() + 1)));
    }

    private long evicted(CustomResource<DeviceTaintRule> rule) {
        return progress(rule.key().name()).filter(found -> found.uid().equals(rule.metadata().uid()))
                .map(Progress::evicted).orElse(0L);
    }

    private Optional<Progress> progress(String name) {
        return Optional.ofNullable(progress.get(name));
    }
}
