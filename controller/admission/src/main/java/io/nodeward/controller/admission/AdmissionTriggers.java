package io.nodeward.controller.admission;

import io.nodeward.api.admission.WebhookConfiguration;
import io.nodeward.api.json.Projection;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.Source;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.RegistrationInputs;
import io.nodeward.core.spi.Resource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Watches all ValidatingWebhookConfigurations: the room's own, and those of Cluster API. */
final class AdmissionTriggers implements RegistrationInputs {
    private static final Resource WEBHOOKS = AdmissionPhase.VALIDATING.webhookConfigurations();

    private final AdmissionSettings settings;
    private final UpstreamWebhooks upstream;
    private final ObjectCache<WebhookConfiguration> configurations;
    private final Informer<WebhookConfiguration> informer;

    AdmissionTriggers(
            AdmissionSettings settings,
            ManagementCluster management,
            UpstreamWebhooks upstream,
            ObjectCache<WebhookConfiguration> configurations) {
        this.settings = settings;
        this.upstream = upstream;
        this.configurations = configurations;
        this.informer = management.informers().informer(
                new Source<>("validatingwebhookconfigurations", management.server(), WEBHOOKS, "", false,
                        Projection.WEBHOOK_CONFIGURATION),
                configurations, ReflectorListener.NONE);
    }

    /** Before it is known who else validates, a gate that is off would block too much. */
    @Override
    public void start(Runnable known, Runnable changed) {
        configurations.whenSynced(() -> {
            upstream.look();
            known.run();
            configurations.follow((before, after) -> {
                boolean others = upstream.look();
                if (settings.isWebhook() ? isOwn(before) || isOwn(after) : others) {
                    changed.run();
                }
            });
        });
        informer.start();
    }

    private boolean isOwn(@Nullable WebhookConfiguration configuration) {
        return configuration != null && configuration.key().name().equals(settings.objects().name(""));
    }

    @Override
    public Set<Resource> watched() {
        return Set.of(WEBHOOKS);
    }

    @Override
    public void stop() {
        informer.close();
    }
}
