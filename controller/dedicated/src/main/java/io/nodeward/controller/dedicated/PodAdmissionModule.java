package io.nodeward.controller.dedicated;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.core.runtime.cache.CacheSync;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import io.nodeward.core.runtime.webhook.AdmissionRegistration;
import io.nodeward.core.runtime.webhook.GroupKind;
import io.nodeward.core.runtime.webhook.ServingOptions;
import io.nodeward.core.runtime.webhook.Webhook;
import io.nodeward.core.runtime.webhook.WebhookController;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Has API servers ask about pods before they are stored. */
final class PodAdmissionModule extends AbstractModule {
    static final String COMPONENT = "dedicated";
    static final Set<AdmissionPhase> PHASES = Set.of(AdmissionPhase.MUTATING, AdmissionPhase.VALIDATING);
    private static final GroupKind POD = new GroupKind("", "Pod");
    private static final GroupKind CLAIM = new GroupKind("resource.k8s.io", "ResourceClaim");
    /** Updates of finalizers and labels of pods pass without a review, so that they go on while Nodeward is down. */
    private static final Map<String, String> MORE_TOLERATIONS = Map.of("name", "tolerations-change", "expression",
            "request.operation != 'UPDATE' || object.spec.?tolerations != oldObject.spec.?tolerations");

    private final DedicatedConfig config;

    PodAdmissionModule(DedicatedConfig config) {
        this.config = config;
    }

    @ProvidesIntoSet
    @Singleton
    Controller webhook(DedicatedScope scope, AdmissionProbe probe, HomeCluster home, ControllerContext context) {
        LiveObjects live = LiveObjects.of(home, context.timers(), context.registry());
        PodReviews pods = new PodReviews(scope, live, config.failurePolicy, new PodMeters(context.registry()));
        ServingOptions serving = new ServingOptions(config.address, config.service, Optional.empty());
        return new WebhookController(AdmissionRegistration.of(COMPONENT, PHASES, serving, context)
                .withInputs((known, changed) -> whenSynced(scope.caches(), known)).withCounted(List.of(POD, CLAIM))
                .withWebhooks(webhooks(pods, new ClaimValidator(scope, live, config.failurePolicy), config))
                .withProbe(probe),
                home, context);
    }

    static List<Webhook> webhooks(PodReviews pods, ClaimValidator claims, DedicatedConfig config) {
        return List.of(
                new Webhook(AdmissionPhase.MUTATING, "new-pods.dedicated.nodeward.io", "/dedicated/new-pods",
                        CandidatePod.WRITTEN, pods::mutate, fields(config, POD, "pods", List.of("CREATE"), Map.of(
                                "reinvocationPolicy", "IfNeeded"))), // one that comes later may add a claim or replace the affinity
                new Webhook(AdmissionPhase.VALIDATING, "pods.dedicated.nodeward.io", "/dedicated/pods",
                        CandidatePod.WRITTEN, pods::validate, fields(config, POD, "pods", List.of("CREATE", "UPDATE"),
                                Map.of("matchConditions", List.of(MORE_TOLERATIONS)))),
                new Webhook(AdmissionPhase.VALIDATING, "claims.dedicated.nodeward.io", "/dedicated/claims",
                        ClaimedClasses.WRITTEN, claims, // no update: the specs of claims are immutable
                        fields(config, CLAIM, "resourceclaims", List.of("CREATE"), Map.of())));
    }

    /** @param operations of the objects themselves: subresources, as ephemeralcontainers and binding, are others */
    private static Map<String, Object> fields(DedicatedConfig config, GroupKind kind, String resource,
            List<String> operations, Map<String, Object> more) {
        Map<String, Object> fields = new HashMap<>(more);
        fields.put("failurePolicy", config.failurePolicy.name());
        fields.put("objectSelector", Map.of());
        fields.put("namespaceSelector", Map.of("matchExpressions", List.of(Map.of(
                "key", "kubernetes.io/metadata.name", "operator", "NotIn",
                "values", List.copyOf(config.systemNamespaces())))));
        fields.put("rules", List.of(Map.of("apiGroups", List.of(kind.group()), "apiVersions", List.of("v1"),
                "operations", operations, "resources", List.of(resource), "scope", "Namespaced")));
        return fields;
    }

    /** Waits until it is known which groups and Nodes there are. Only a pod with claims waits for claims. */
    private static void whenSynced(DedicatedCaches caches, Runnable known) {
        CacheSync.whenSynced(List.of(caches.groups(), caches.namespaces(), caches.nodes()), known);
    }
}
