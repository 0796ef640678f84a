package io.nodeward.controller.dedicated;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.CacheSync;
import io.nodeward.core.runtime.cluster.ApiReader;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import io.nodeward.core.runtime.webhook.AdmissionRegistration;
import io.nodeward.core.runtime.webhook.GroupKind;
import io.nodeward.core.runtime.webhook.ServingOptions;
import io.nodeward.core.runtime.webhook.WebhookController;
import io.nodeward.core.runtime.time.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Has API servers ask about pods before they are stored. */
final class PodAdmissionModule extends AbstractModule {
    static final String COMPONENT = "dedicated";
    static final Set<AdmissionPhase> PHASES = Set.of(AdmissionPhase.MUTATING, AdmissionPhase.VALIDATING);
    private static final GroupKind POD = new GroupKind("", "Pod");
    private static final GroupKind CLAIM = new GroupKind("resource.k8s.io", "ResourceClaim");

    private static final int NAMESPACES_AT_ONCE = 8;
    private static final int NODES_AT_ONCE = 4;
    private static final int PODS_AT_ONCE = 3;
    private static final long MOST_BYTES = 4L << 20;

    private final DedicatedConfig config;

    PodAdmissionModule(DedicatedConfig config) {
        this.config = config;
    }

    @ProvidesIntoSet
    @Singleton
    Controller webhook(DedicatedScope scope, AdmissionProbe probe, HomeCluster home, ControllerContext context) {
        PodMeters meters = new PodMeters(context.registry());
        scope.groups().subscribeToChanges((before, after) -> {
            if (before != null && after == null) {
                meters.forget(before.key().name());
            }
        });
        ApiReader<Optional<Map<String, String>>> namespaces =
                new ApiReader<>("labels of namespace", NAMESPACES_AT_ONCE, name -> {
                    meters.countNamespaceRead();
                    return labels(home, name);
                }, context.timers());
        ApiReader<Optional<Node>> nodes = new ApiReader<>("Node", NODES_AT_ONCE, name -> {
            meters.countNodeRead();
            return home.read(Resources.NODES, Projection.NODE, ObjectKey.clusterScoped(name));
        }, context.timers());
        ApiReader<List<CandidatePod>> waiting = new ApiReader<>("pods of namespace", PODS_AT_ONCE, name -> {
            meters.countPodList();
            return waiting(home, name, context.timers());
        }, context.timers());
        ReviewFacts facts = new ReviewFacts(scope, namespaces::read, config.failurePolicy);
        ReviewedPods pods = new ReviewedPods(config.failurePolicy, config.systemNamespaces());
        ServingOptions serving = new ServingOptions(config.address, config.service, Optional.empty());
        return new WebhookController(AdmissionRegistration.of(COMPONENT, PHASES, serving, context)
                .withInputs((known, changed) -> whenSynced(scope, known)).withCounted(List.of(POD, CLAIM))
                .withWebhooks(List.of(
                        new PodMutator(scope, facts, meters).webhook(pods),
                        new PodValidator(scope, facts, node -> nodes.readOr(node, Optional.empty()), meters)
                                .webhook(pods),
                        new ClaimValidator(scope, facts, waiting::readAnew).webhook(pods)))
                .withProbe(probe),
                home, context);
    }

    /** Lists the pods with claims that are on no Node; gives up when the review cannot wait for more. */
    private static List<CandidatePod> waiting(HomeCluster home, String namespace, Timers timers) {
        List<CandidatePod> found = new ArrayList<>();
        AtomicLong bytes = new AtomicLong();
        long start = timers.nanoTime();
        home.listWhere(Resources.PODS, namespace, "spec.nodeName=", CandidatePod.PROJECTION, pod -> {
            if (timers.nanoTime() - start > ApiReader.DEADLINE.toNanos()) {
                throw new IllegalStateException("the list of pods took too long");
            }
            if (!pod.claims().isEmpty()) {
                if (bytes.addAndGet(pod.heapBytes()) > MOST_BYTES) {
                    throw new IllegalStateException("the pods with claims that are on no Node take too much memory");
                }
                found.add(pod);
            }
        });
        return found;
    }

    private static Optional<Map<String, String>> labels(HomeCluster home, String namespace) {
        return home.read(Resources.NAMESPACES, LabeledNamespace.PROJECTION, ObjectKey.clusterScoped(namespace))
                .flatMap(LabeledNamespace::labels);
    }

    /** Before it is known which groups and Nodes there are, all pods would be nobody's members. Only who has claims waits for claims. */
    private static void whenSynced(DedicatedScope scope, Runnable known) {
        CacheSync.whenSynced(List.of(scope.groups(), scope.namespaces(), scope.nodes()), known);
    }
}
