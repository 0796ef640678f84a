package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.WebhookConfiguration;
import io.nodeward.api.json.Projection;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.spi.Resource;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Watches all webhook configurations of a phase, for a component that depends on what others have registered. */
public final class WebhookConfigurationWatch implements RegistrationInputs {
    private final Resource resource;
    private final String own;
    private final Predicate<Collection<WebhookConfiguration>> look;
    private final ObjectCache<WebhookConfiguration> configurations = new ObjectCache<>();
    private final Informer<WebhookConfiguration> informer;

    /**
     * Watches nothing yet.
     *
     * @param objects of the component, its own configuration among them
     * @param look takes all of them, first before anything is served or registered and then after each change, and
     *     returns whether the registration may have to change
     */
    public WebhookConfigurationWatch(
            AdmissionPhase phase,
            ManagedObjects objects,
            HomeCluster home,
            Predicate<Collection<WebhookConfiguration>> look) {
        this.resource = phase.webhookConfigurations();
        this.own = objects.name("");
        this.look = look;
        this.informer = home.informers().informer(
                new ListWatch<>(resource.plural(), home.server(), resource, "", false,
                        Projection.WEBHOOK_CONFIGURATION),
                configurations, ReflectorListener.NONE);
    }

    @Override
    public void start(Runnable known, Runnable changed) {
        configurations.whenSynced(() -> {
            look.test(configurations.all());
            known.run();
            configurations.subscribeToChanges((before, after) -> {
                boolean others = look.test(configurations.all());
                if (others || isOwn(before) || isOwn(after)) {
                    changed.run();
                }
            });
        });
        informer.start();
    }

    private boolean isOwn(@Nullable WebhookConfiguration configuration) {
        return configuration != null && configuration.key().name().equals(own);
    }

    @Override
    public Set<Resource> watched() {
        return Set.of(resource);
    }

    @Override
    public void stop() {
        informer.close();
    }
}
