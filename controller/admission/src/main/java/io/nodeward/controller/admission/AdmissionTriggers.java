package io.nodeward.controller.admission;

import io.nodeward.api.admission.WebhookConfiguration;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.ReflectorSettings;
import io.nodeward.core.runtime.cache.Source;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.Resources;
import io.nodeward.core.runtime.queue.WorkQueue;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Watches what the room makes, what it is given, and the webhooks of Cluster API. */
final class AdmissionTriggers {
    private final AdmissionSettings settings;
    private final ApiServer server;
    private final Timers timers;
    private final UpstreamWebhooks upstream;
    private final ObjectCache<WebhookConfiguration> configurations;
    private final ObjectCache<PartialObject> policies = new ObjectCache<>();
    private final ObjectCache<PartialObject> bindings = new ObjectCache<>();
    private final ObjectCache<PartialObject> secrets = new ObjectCache<>();
    private final List<Reflector<?>> reflectors = new ArrayList<>();

    AdmissionTriggers(
            AdmissionSettings settings,
            ManagementCluster management,
            Timers timers,
            UpstreamWebhooks upstream,
            ObjectCache<WebhookConfiguration> configurations) {
        this.settings = settings;
        this.server = management.server();
        this.timers = timers;
        this.upstream = upstream;
        this.configurations = configurations;
    }

    void start(WorkQueue<Duty> queue) {
        Duty first = settings.isWebhook() ? Duty.CERTIFICATE : Duty.REGISTRATION;
        // Before it is known who else validates, a gate that is off would block too much.
        configurations.whenSynced(() -> {
            upstream.look();
            queue.add(first);
            configurations.follow((before, after) -> {
                boolean others = upstream.look();
                if (settings.isWebhook() ? isOwn(before) || isOwn(after) : others) {
                    queue.add(Duty.REGISTRATION);
                }
            });
        });
        reflect(new Source<>("validatingwebhookconfigurations", server, Own.WEBHOOKS, "", false,
                Projection.WEBHOOK_CONFIGURATION), configurations);
        if (settings.isWebhook()) {
            watchSecret(queue);
        } else {
            watchOwn(Own.POLICIES, policies, queue);
            watchOwn(Own.BINDINGS, bindings, queue);
        }
    }

    private boolean isOwn(@Nullable WebhookConfiguration configuration) {
        return configuration != null && configuration.key().name().equals(settings.own().name(""));
    }

    private void watchSecret(WorkQueue<Duty> queue) {
        secrets.follow((before, after) -> {
            if (configurations.synced() && (isSecret(before) || isSecret(after))) {
                queue.add(Duty.CERTIFICATE);
            }
        });
        reflect(new Source<>("secrets of the webhook", server, Resources.SECRETS, settings.secret().namespace(),
                settings.secret().name(), "", true, Projection.METADATA), secrets);
    }

    private boolean isSecret(@Nullable PartialObject secret) {
        return secret != null && secret.key().equals(settings.secret());
    }

    private void watchOwn(Resource resource, ObjectCache<PartialObject> cache, WorkQueue<Duty> queue) {
        cache.follow((before, after) -> {
            if (configurations.synced()) {
                queue.add(Duty.REGISTRATION);
            }
        });
        reflect(new Source<>(resource.plural() + " of ours", server, resource, settings.own().selector(), true,
                Projection.METADATA), cache);
    }

    private <T extends KubernetesObject> void reflect(Source<T> source, ObjectCache<T> cache) {
        Reflector<T> reflector =
                new Reflector<>(source, cache, ReflectorSettings.DEFAULT, timers, ReflectorListener.NONE);
        reflectors.add(reflector);
        reflector.start();
    }

    void stop() {
        reflectors.forEach(Reflector::close);
    }
}
