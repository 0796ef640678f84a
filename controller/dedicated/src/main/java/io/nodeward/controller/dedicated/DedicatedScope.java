package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.rules.dedicated.DedicatedKey;
import io.nodeward.core.rules.dedicated.DedicatedKey.Kind;
import io.nodeward.core.rules.dedicated.DedicatedState;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.PodAdditions;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Releases;
import io.nodeward.core.rules.dedicated.Resolution;
import io.nodeward.core.rules.dedicated.Resolved;
import io.nodeward.core.runtime.cache.CacheSync;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.controller.StateHolder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The state of groups, bound to the caches. What they declare has a lock of its own, which no thread holds for long: reviews and
 * listeners of caches take that one alone, and so never wait for a preview. A thread that has the state takes it second.
 */
final class DedicatedScope {
    private final DedicatedCaches caches;
    private final Releases releases;
    /** The lock of what is declared. */
    private final ReentrantLock lock = new ReentrantLock();
    private final DedicatedState state;
    private final StateHolder<DedicatedKey> holder;
    private volatile Consumer<Set<Group>> nodesDiffer = groups -> {};
    private volatile Consumer<Set<Group>> podsDiffer = groups -> {};
    private volatile Runnable outdated = () -> {};

    /**
     * Subscribes to the caches before those that ask about a change.
     *
     * @param features what is done to pods
     * @param ticker nanoseconds since any one moment
     */
    DedicatedScope(DedicatedCaches caches, DedicatedState.View view, PodFeatures features, LongSupplier ticker,
            MeterRegistry registry) {
        this.caches = caches;
        this.releases = new Releases(view.group(), caches::members,
                () -> caches.nodes().find(DedicatedCaches.MANAGED, ""));
        this.state = new DedicatedState(view, this::declared, features);
        this.holder =
                new StateHolder<>(DedicatedModule.NAME, new StateHolder.State<>(this::apply, over -> state.changed(),
                        () -> false, DedicatedKey::concerns, state::size), () -> CacheSync.isSynced(caches.needed()),
                        ticker, registry);
        holder.watches(caches.groups(), (before, after) -> Set.of(
                new DedicatedKey(Kind.GROUP, MapFunction.latest(before, after).key())));
        caches.groups().subscribe((before, after) -> change( // for the next review; if that fails, by its key in the mailbox later
                known -> known.apply(MapFunction.latest(before, after).key())));
        caches.namespaces().subscribe((before, after) -> {
            if (MapFunction.differs(before, after, LabeledNamespace::labels)) {
                change(Releases::outdateMembers);
            }
        });
        holder.watches(caches.namespaces(), differing(LabeledNamespace::labels));
        holder.watches(caches.nodes(), (before, after) -> Set.of(
                new DedicatedKey(Kind.NODE, MapFunction.latest(before, after).key())));
        holder.watches(caches.pods(), (before, after) -> Set.of(DedicatedKey.of(Kind.PODS, "")));
        holder.watches(caches.daemons(), differing(DedicatedCaches::template));
        caches.claims().whenChanged(claim -> holder.add(DedicatedKey.of(Kind.CLAIMS, "")));
    }

    private static <T extends KubernetesObject> MapFunction<T, DedicatedKey> differing(Function<T, ?> what) {
        return (before, after) -> MapFunction.differs(before, after, what)
                ? Set.of(DedicatedKey.of(Kind.NAMESPACES_AND_DAEMONS, ""))
                : Set.of();
    }

    private void apply(DedicatedKey key) {
        if (key.kind() == Kind.GROUP) {
            change(known -> known.apply(key.object()));
        } else {
            state.apply(key);
        }
    }

    DedicatedCaches caches() {
        return caches;
    }

    /** Returns the holder. It tells which groups may differ, and when a question that got no answer may be asked again. */
    StateHolder<DedicatedKey> holder() {
        return holder;
    }

    /** Has the listener called when there is something to {@link #work} off. It must not block. */
    void whenOutdated(Runnable listener) {
        outdated = listener;
        holder.whenMail(listener);
    }

    /** Has the listener hear of groups, as they were and are, that may give something else to Nodes. */
    void whenNodesDiffer(Consumer<Set<Group>> listener) {
        nodesDiffer = listener;
    }

    /** Has the listener hear of groups, as they were and are, that may give something else to pods that exist. */
    void whenPodsDiffer(Consumer<Set<Group>> listener) {
        podsDiffer = listener;
    }

    /** Works off what has changed, and says which groups differ by that. Returns when there is more to do. */
    Result work() {
        try {
            return holder.work();
        } finally { // although a fold may have failed
            Set<Group> differing = releases(Releases::takeDiffering);
            if (!differing.isEmpty()) {
                nodesDiffer.accept(differing);
                podsDiffer.accept(differing); // last, as it may look at many pods
            }
        }
    }

    /** Asks what is declared. No caller waits for a preview here. */
    <T> T releases(Function<Releases, T> question) {
        T answer;
        boolean mayDiffer;
        lock.lock();
        try {
            answer = question.apply(releases);
            mayDiffer = releases.mayDiffer();
        } finally {
            lock.unlock();
        }
        if (mayDiffer) { // the queue of the state tells of it, as listeners may look at many pods
            outdated.run();
        }
        return answer;
    }

    /** Changes what is declared. */
    void change(Consumer<Releases> change) {
        releases(known -> {
            change.accept(known);
            return known;
        });
    }

    /** Returns what is declared at this moment. */
    Declared declared() {
        return releases(Releases::declared);
    }

    /** Returns the groups that may declare the pod, each as declared or as it was last in force. */
    List<Group> declaring(CandidatePod pod) {
        return releases(known -> known.declared().declaring(pod).toList());
    }

    /** Returns the pods that are, or may be, members of a group; of the shared one all, as it has what no other has. */
    Stream<CandidatePod> members(Group group) {
        MemberFacts facts = declared().members();
        return (group.isOfAllNamespaces() ? caches.pods().all().stream()
                : group.namespaces(facts).flatMap(caches::ofNamespace))
                .filter(pod -> group.spec().shared() || group.membership(pod, facts).isPossible());
    }

    /** Returns what the pod lacks of what its groups give to pods that exist. */
    PodAdditions missing(CandidatePod pod) {
        Declared now = declared();
        return PodAdditions.ofStored(pod, caches.nodes().get(ObjectKey.clusterScoped(pod.pod().nodeName())),
                now.ofStoredPods(), now.members());
    }

    /** Returns the groups beside each other; if it is empty, the holder tells of the Node when it may be asked again. */
    Optional<Resolution> resolution(ObjectKey node) {
        return ask(new DedicatedKey(Kind.NODE, node), all -> all);
    }

    /** Returns what may be in force of a group; empty if that is not known, or there is none. */
    Optional<Resolved> resolved(String name) {
        return ask(DedicatedKey.of(Kind.GROUP, name), all -> all.find(name)).flatMap(found -> found);
    }

    /** Returns what a group changes; empty if that is not known. */
    Optional<Preview> preview(Resolved resolved) {
        return ask(DedicatedKey.of(Kind.GROUP, resolved.declared().name()), all -> state.preview(resolved));
    }

    /** Returns whether this spec of the group confirms as many evictions as there would be, and is the newest; empty if that is not known. */
    Optional<Boolean> confirms(Group group) {
        return ask(DedicatedKey.of(Kind.GROUP, group.name()), all -> state.confirms(group));
    }

    private <T> Optional<T> ask(DedicatedKey about, Function<Resolution, T> question) {
        return holder.ask(about, () -> true, () -> {
            Resolution compared = state.resolution();
            change(known -> known.compared(compared)); // it decides what new pods get
            return Optional.of(question.apply(compared));
        });
    }
}
