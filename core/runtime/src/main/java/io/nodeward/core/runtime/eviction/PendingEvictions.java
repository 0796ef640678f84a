package io.nodeward.core.runtime.eviction;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.runtime.eviction.EvictionSender.Attempt;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.time.Pacer.Limit;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pods that have to go: each has its turn, and what the server answered last. One thread at a time looks at a pod. */
public final class PendingEvictions {
    private final Pacer<String> pacer;
    private final List<Consumer<Set<ObjectKey>>> dueListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Set<String>>> progressListeners = new CopyOnWriteArrayList<>();
    private final Map<ObjectKey, Pending> pods = new HashMap<>();

    /** What is known of one pod; another pod of its name starts anew. */
    private static final class Pending {
        /** The key of its turn. */
        private final String uid;
        /** The last request that was sent in this turn to have it go. */
        private Optional<Attempted> attempted = Optional.empty();
        /** The last Eviction that the server refused. */
        private Optional<Attempted> refused = Optional.empty();
        /** The last deletion that the pod may go for, and that has not been reported. */
        private Optional<Sent> sent = Optional.empty();
        /** The names of what it had to go for when the server did not let it go. */
        private Set<String> causes = Set.of();
        private String why = "";
        /** Whether a PodDisruptionBudget held it up. */
        private boolean held;
        /** How often budgets held it up. */
        private int heldUp;
        /** How often the server refused to let it go for something else. */
        private int refusals;

        private Pending(String uid) {
            this.uid = uid;
        }
    }

    /**
     * A request, with the time at which it was sent on two clocks: one may jump, and the other stands still while the machine sleeps.
     *
     * @param nanos since any one moment
     */
    private record Attempted(Attempt attempt, long nanos, Instant at) {}

    private record Sent(Instant at, Runnable report) {}

    /** @param pacer of the turns of pods, by their UIDs */
    public PendingEvictions(Pacer<String> pacer) {
        this.pacer = pacer;
    }

    /** Calls the listener with pods that have to go, and again with one that has to go for something else. */
    public void whenDue(Consumer<Set<ObjectKey>> listener) {
        dueListeners.add(listener);
    }

    /** Notes that these pods have to go. */
    public void due(Set<ObjectKey> some) {
        dueListeners.forEach(listener -> listener.accept(some));
    }

    /** Calls the listener with the causes for which a pod has gone, is refused, or no longer is. It must not block. */
    public void whenProgress(Consumer<Set<String>> listener) {
        progressListeners.add(listener);
    }

    /** Notes that pods go for these causes, or that something else than before holds them up. */
    public void progress(Set<String> causes) {
        progressListeners.forEach(listener -> listener.accept(causes));
    }

    private Pending of(Pod pod) {
        String uid = pod.metadata().uid();
        return pods.compute(pod.key(), (key, before) -> {
            if (before == null || before.uid.equals(uid)) {
                return before == null ? new Pending(uid) : before;
            }
            pacer.release(before.uid);
            return new Pending(uid);
        });
    }

    private Optional<Pending> find(ObjectKey key) {
        return Optional.ofNullable(pods.get(key));
    }

    /** Gives up all turns and reports: another leader may have evicted, and reported, the pods since. */
    public synchronized void restart() {
        pacer.restart();
        pods.values().forEach(pod -> pod.sent = Optional.empty());
    }

    /** Returns how long the pod has to wait for its turn, and takes a token if that is zero. */
    public synchronized Duration left(Pod pod, Collection<Limit> limits) {
        of(pod).attempted = Optional.empty();
        return pacer.left(pod.metadata().uid(), limits);
    }

    /**
     * Notes the request that is sent now to have the pod go.
     *
     * @param nanos since any one moment
     */
    synchronized void attempting(Pod pod, Attempt attempt, long nanos, Instant at) {
        of(pod).attempted = Optional.of(new Attempted(attempt, nanos, at));
    }

    /** Returns whether the server has refused an Eviction of this very pod that was sent after this time, by both clocks. */
    synchronized boolean isRefused(Pod pod, long sinceNanos, Instant since) {
        return of(pod).refused.filter(last -> last.nanos - sinceNanos > 0 && last.at.isAfter(since)).isPresent();
    }

    /** Notes what to do when the pod goes for its deletion. */
    public synchronized void sent(Pod pod, Instant at, Runnable report) {
        of(pod).sent = Optional.of(new Sent(at, report));
    }

    /** Returns what to do, once, for a pod that goes for its deletion: this very pod is gone, or being deleted. */
    public synchronized Optional<Runnable> report(ObjectKey key, Optional<Pod> now) {
        Optional<Pending> gone = find(key).filter(pod -> now.filter(same -> same.metadata().uid().equals(pod.uid)
                && !same.metadata().deleting()).isEmpty());
        Optional<Runnable> report = gone.flatMap(pod -> pod.sent).map(Sent::report);
        gone.ifPresent(pod -> pod.sent = Optional.empty());
        return report;
    }

    /** Forgets a deletion that was sent by this time. Returns whether there is a later one. */
    public synchronized boolean forget(ObjectKey key, Instant until) {
        find(key).ifPresent(pod -> pod.sent = pod.sent.filter(deletion -> deletion.at.isAfter(until)));
        return find(key).flatMap(pod -> pod.sent).isPresent();
    }

    /** Ends the turn of a pod that goes, or need not go. Its token stays spent. */
    public synchronized void release(ObjectKey key) {
        Optional.ofNullable(pods.remove(key)).ifPresent(before -> {
            pacer.release(before.uid);
            if (before.sent.isPresent()) {
                pods.computeIfAbsent(key, any -> new Pending(before.uid)).sent = before.sent;
            }
            progress(before.causes);
        });
    }

    /**
     * Ends the turn of a pod that the server does not let go. If a budget holds it up, its token is given back; else that stays spent,
     * which limits the requests. If its deletion was refused, it does not go for an earlier one.
     *
     * @param causes the names of what it has to go for
     * @return how often this very pod was refused, or held up
     */
    public synchronized int refused(Pod pod, Set<String> causes, String why, boolean held) {
        Pending pending = of(pod);
        if (held) {
            pacer.giveBack(pending.uid);
        } else {
            pacer.release(pending.uid);
        }
        pending.sent = pending.sent.filter(any -> pending.attempted.isEmpty());
        pending.refused = pending.attempted.filter(last -> last.attempt != Attempt.DELETE).or(() -> pending.refused);
        pending.causes = causes;
        pending.why = why;
        pending.held = held;
        progress(causes);
        return held ? ++pending.heldUp : ++pending.refusals;
    }

    /** Returns how many pods that have to go for one of these do not, and why the first does not; empty if none is refused. */
    public synchronized Optional<String> text(Set<String> causes) {
        return Optional.of(Stream.concat(
                text(causes, false, "the server does not let ", " go, which is tried again; of Pod "),
                text(causes, true, "PodDisruptionBudgets hold up ", ", which is tried again; of Pod "))
                .collect(Collectors.joining("; "))).filter(any -> !any.isEmpty());
    }

    private Stream<String> text(Set<String> causes, boolean held, String begin, String end) {
        List<String> all = pods.entrySet().stream().filter(pod -> pod.getValue().held == held
                && !Collections.disjoint(pod.getValue().causes, causes))
                .map(pod -> pod.getKey() + " " + pod.getValue().why).sorted().toList();
        return all.stream().limit(1).map(first -> begin + all.size() + end + first);
    }
}
