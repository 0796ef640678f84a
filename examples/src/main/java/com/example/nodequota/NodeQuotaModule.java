package com.example.nodequota;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.json.Projection;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.AdmissionRegistration;
import io.nodeward.core.runtime.webhook.ServingOptions;
import io.nodeward.core.runtime.webhook.Webhook;
import io.nodeward.core.runtime.webhook.WebhookController;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Installs the NodeQuota controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class NodeQuotaModule extends AbstractModule {
    private static final String NAME = "nodequota";

    private final NodeQuotaConfig config;

    public NodeQuotaModule(NodeQuotaConfig config) {
        this.config = config;
    }

    @Provides
    @Singleton
    NodeQuotaScope scope(HomeCluster home) {
        return new NodeQuotaScope(
                home.watch(NodeQuota.DEFINITION, NodeQuota.PROJECTION, NodeQuotaScope.BY_LABEL),
                home.watch(Resources.NODES, Projection.NODE, NodeQuotaScope.NODES_BY_LABEL));
    }

    @ProvidesIntoSet
    @Singleton
    Controller controller(NodeQuotaScope scope, ControllerContext context) {
        return ControllerBuilder.of(NAME, new NodeQuotaReconciler(scope),
                context.readyStatus(NodeQuota.DEFINITION, NAME), context)
                .logs(quota -> quota)
                .watches(scope.quotas(), MapFunction::declared)
                .watches(scope.nodes(), new NodeQuotaWatches(scope)::mapNode)
                .build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller webhook(HomeCluster home, ControllerContext context) {
        ServingOptions serving = new ServingOptions(config.address, config.service, Optional.empty());
        return new WebhookController(
                AdmissionRegistration.of(NAME + "-webhook", Set.of(AdmissionPhase.VALIDATING), serving, context)
                        .withWebhooks(List.of(validation())),
                home, context);
    }

    /** Of all NodeQuotas: they do not have the label of a watch filter. */
    static Webhook validation() {
        return new Webhook(AdmissionPhase.VALIDATING, "nodequota.examples.nodeward.io", "/validate-nodequota",
                Shape.WHOLE, new NodeQuotaValidator(), Map.of(
                        "failurePolicy", "Fail",
                        "objectSelector", Map.of(),
                        "rules", List.of(Map.of(
                                "apiGroups", List.of(NodeQuota.DEFINITION.group()),
                                "apiVersions", List.of(NodeQuota.DEFINITION.version()),
                                "operations", List.of("CREATE", "UPDATE"),
                                "resources", List.of(NodeQuota.DEFINITION.plural())))));
    }
}
