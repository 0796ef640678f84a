package io.nodeward.controller.dedicated;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.cache.CacheSync;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import io.nodeward.core.runtime.webhook.AdmissionRegistration;
import io.nodeward.core.runtime.webhook.GroupKind;
import io.nodeward.core.runtime.webhook.ServingOptions;
import io.nodeward.core.runtime.webhook.WebhookController;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Has API servers ask about pods before they are stored. */
final class PodAdmissionModule extends AbstractModule {
    static final String COMPONENT = "dedicated";
    static final Set<AdmissionPhase> PHASES = Set.of(AdmissionPhase.MUTATING, AdmissionPhase.VALIDATING);
    private static final GroupKind POD = new GroupKind("", "Pod");
    private static final GroupKind CLAIM = new GroupKind("resource.k8s.io", "ResourceClaim");

    private final DedicatedConfig config;

    PodAdmissionModule(DedicatedConfig config) {
        this.config = config;
    }

    @ProvidesIntoSet
    @Singleton
    Controller webhook(DedicatedScope scope, AdmissionProbe probe, HomeCluster home, ControllerContext context) {
        PodMeters meters = new PodMeters(context.registry());
        scope.caches().groups().subscribeToChanges((before, after) -> {
            if (before != null && after == null) {
                meters.forget(before.key().name());
            }
        });
        LiveObjects live = new LiveObjects(home, context.timers(), context.registry());
        ReviewFacts facts = new ReviewFacts(scope, live::labels, config.failurePolicy);
        ReviewedPods pods = new ReviewedPods(config.failurePolicy, config.systemNamespaces());
        ServingOptions serving = new ServingOptions(config.address, config.service, Optional.empty());
        return new WebhookController(AdmissionRegistration.of(COMPONENT, PHASES, serving, context)
                .withInputs((known, changed) -> whenSynced(scope.caches(), known)).withCounted(List.of(POD, CLAIM))
                .withWebhooks(List.of(
                        new PodMutator(scope, facts, meters).webhook(pods),
                        new PodValidator(scope, facts, live::node, live::claims, meters)
                                .webhook(pods),
                        new ClaimValidator(scope, facts, live::waitingPods).webhook(pods)))
                .withProbe(probe),
                home, context);
    }

    /** Waits until it is known which groups and Nodes there are. Only a pod with claims waits for claims. */
    private static void whenSynced(DedicatedCaches caches, Runnable known) {
        CacheSync.whenSynced(List.of(caches.groups(), caches.namespaces(), caches.nodes()), known);
    }
}
