package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.ClaimView;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.runtime.cluster.ApiReader;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.StateUnavailable;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Objects as the API server has them, for reviews that the caches cannot answer. A read fails if the API server does not answer in
 * time, or too many reviews wait for it: fewer in all than are answered at once, so that others are while it is silent.
 *
 * @param labels the labels of a namespace; empty if it does not exist, or has too many
 * @param node the Node of this name; empty if it does not exist, or that cannot be known
 * @param waitingPods the pods of a namespace that use claims and are on no Node, as they are after the call
 * @param claims the claims and templates of one pod as they are when the caller asks for them. It reads each once
 * @param newClaims claims and templates of one pod, as {@code claims}; what cannot be read in time is not known. Such reads take no
 *     place of others, as users make them necessary who name what does not exist
 */
record LiveObjects(Function<String, Optional<Map<String, String>>> labels, Function<String, Optional<Node>> node,
        Function<String, List<CandidatePod>> waitingPods, Supplier<ClaimView> claims, Supplier<ClaimView> newClaims) {
    private static final int NAMESPACES_AT_ONCE = 6;
    private static final int NODES_AT_ONCE = 3;
    private static final int PODS_AT_ONCE = 3;
    private static final int CLAIMS_AT_ONCE = 3;
    private static final long MOST_BYTES = 4L << 20;

    /** @param registry has the numbers of requests */
    static LiveObjects of(HomeCluster home, Timers timers, MeterRegistry registry) {
        ApiReader<String, Optional<Map<String, String>>> namespaces = new ApiReader<>(
                "labels of namespace", NAMESPACES_AT_ONCE, counted(registry, "namespace.reads",
                        "Namespaces that were asked for, as a pod was created before they were known",
                        name -> home
                                .read(Resources.NAMESPACES, LabeledNamespace.PROJECTION, ObjectKey.clusterScoped(name))
                                .flatMap(LabeledNamespace::labels)),
                timers);
        ApiReader<String, Optional<Node>> nodes = new ApiReader<>("Node", NODES_AT_ONCE, counted(
                registry, "node.reads",
                "Nodes that were asked for, as a pod names one that is not known and would be refused for it",
                name -> home.read(Resources.NODES, Projection.NODE, ObjectKey.clusterScoped(name))), timers);
        ApiReader<String, List<CandidatePod>> pods = new ApiReader<>("pods of namespace", PODS_AT_ONCE, counted(
                registry, "pod.lists",
                "Namespaces whose pods were listed, as a claim was created without a device that makes pods members",
                namespace -> waiting(home, timers, namespace)), timers);
        ApiReader<PodClaim, Optional<Set<Set<String>>>> claims = claims(home, timers, registry, "claim.reads",
                "ResourceClaims and templates that were asked for, as they alone let a pod in");
        ApiReader<PodClaim, Optional<Set<Set<String>>>> newClaims = claims(home, timers, registry, "new.claim.reads",
                "ResourceClaims and templates that were asked for, as a pod was created before they were known");
        return new LiveObjects(namespaces::read, name -> nodes.readOr(name, Optional.empty()),
                namespace -> pods.readAnew(namespace, ApiReader.DEADLINE),
                () -> once(claims::readAnew, timers, LiveObjects::late),
                () -> once((claim, left) -> newClaims.readAnewOr(claim, left, Optional.empty()), timers,
                        Optional::empty));
    }

    private static ApiReader<PodClaim, Optional<Set<Set<String>>>> claims(
            HomeCluster home, Timers timers, MeterRegistry registry, String name, String description) {
        return new ApiReader<>("requests of", CLAIMS_AT_ONCE, counted(registry, name, description,
                claim -> CachedClaims.read(home, claim).map(ClaimedClasses::requests)), timers);
    }

    private static <K, T> Function<K, T> counted(
            MeterRegistry registry, String name, String description, Function<K, T> reading) {
        Counter requests = Counter.builder("nodeward.dedicated." + name).description(description).register(registry);
        return key -> {
            requests.increment();
            return reading.apply(key);
        };
    }

    /**
     * Returns who is a member, for one pod. The webhook could not add an affinity later, so this asks the API server for the labels of a
     * namespace that the cache does not have yet, or does not have whole as memory is short. Of a namespace with more labels than the
     * cache keeps of any, the answer would not be kept either.
     *
     * @param declared at the moment of the review: its groups and members belong together
     */
    MemberFacts members(String namespace, Declared declared, DedicatedCaches caches) {
        MemberFacts facts = declared.members();
        return facts.knows(namespace) || !declared.ofNewPods().askForNamespaceLabels()
                || caches.namespaces().get(ObjectKey.clusterScoped(namespace))
                        .filter(LabeledNamespace::hasTooManyLabels).isPresent()
                                ? facts
                                : labels.apply(namespace).map(known -> facts.ofNamespace(namespace, known))
                                        .orElse(facts);
    }

    /**
     * Reads for one review alone, also where there is no such claim: if that answer were kept for a second, a pod that is created just
     * after its claim would be decided on without the claim, and for good.
     *
     * @param late is what each claim is that a review would have to wait for too long
     */
    private static ClaimView once(BiFunction<PodClaim, Duration, Optional<Set<Set<String>>>> reading, Timers timers,
            Supplier<Optional<Set<Set<String>>>> late) {
        Map<PodClaim, Optional<Set<Set<String>>>> asked = new HashMap<>();
        long start = timers.nanoTime();
        return claim -> asked.computeIfAbsent(claim, one -> {
            Duration left = ApiReader.DEADLINE.minusNanos(timers.nanoTime() - start);
            return left.isPositive() ? reading.apply(one, left) : late.get();
        });
    }

    private static Optional<Set<Set<String>>> late() {
        throw new StateUnavailable("the claims of the pod were not read in time, try again");
    }

    /** Gives up when the review cannot wait for more. */
    private static List<CandidatePod> waiting(HomeCluster home, Timers timers, String namespace) {
        List<CandidatePod> found = new ArrayList<>();
        AtomicLong bytes = new AtomicLong();
        long start = timers.nanoTime();
        home.listWhere(Resources.PODS, namespace, "spec.nodeName=", CandidatePod.PROJECTION, pod -> {
            if (timers.nanoTime() - start > ApiReader.DEADLINE.toNanos()) {
                throw new StateUnavailable("the pods of the namespace were not listed in time, try again");
            }
            if (!pod.claims().isEmpty()) {
                if (bytes.addAndGet(pod.heapBytes()) > MOST_BYTES) {
                    throw new StateUnavailable("the namespace has too many pods with claims that are on no Node:"
                            + " delete some, or wait until they are scheduled");
                }
                found.add(pod);
            }
        });
        return found;
    }
}
