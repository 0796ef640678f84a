package io.nodeward.core.runtime.webhook;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.controller.Watch;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Informers;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.queue.WorkQueue;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Watches the objects of a component and the Secret with its certificate, by their metadata. */
final class ManagedObjectWatches implements Watch<AdmissionTask> {
    private final AdmissionRegistration registration;
    private final ApiServer server;
    private final Informers informers;
    private final List<Informer<?>> started = new CopyOnWriteArrayList<>();
    private volatile boolean known;

    ManagedObjectWatches(AdmissionRegistration registration, ApiServer server, Informers informers) {
        this.registration = registration;
        this.server = server;
        this.informers = informers;
    }

    @Override
    public void start(WorkQueue<AdmissionTask> queue) {
        registration.inputs().start(() -> begin(queue), () -> queue.add(AdmissionTask.REGISTRATION));
        Set<Resource> kinds = kinds();
        kinds.removeAll(registration.inputs().watched());
        kinds.forEach(kind -> watch(kind, queue));
        if (registration.webhooks().isPresent()) {
            watchSecret(registration.secret(), queue);
        }
    }

    private void begin(WorkQueue<AdmissionTask> queue) {
        known = true;
        if (registration.webhooks().isPresent()) {
            queue.add(AdmissionTask.CERTIFICATE); // and registers when it is served
        }
        if (registration.policies().isPresent()) {
            queue.add(AdmissionTask.REGISTRATION);
        }
    }

    private Set<Resource> kinds() {
        Set<Resource> kinds = new LinkedHashSet<>();
        if (registration.webhooks().isPresent()) {
            kinds.addAll(registration.objects().webhookKinds());
        }
        if (registration.policies().isPresent()) {
            kinds.addAll(registration.objects().policyKinds());
        }
        return kinds;
    }

    private void watch(Resource kind, WorkQueue<AdmissionTask> queue) {
        ObjectCache<PartialObject> cache = new ObjectCache<>();
        cache.subscribeToChanges((before, after) -> {
            if (known) {
                queue.add(AdmissionTask.REGISTRATION);
            }
        });
        inform(new ListWatch<>(kind.plural() + " of " + registration.objects().component(), server, kind,
                registration.objects().selector(), true, Projection.METADATA), cache);
    }

    private void watchSecret(ObjectKey key, WorkQueue<AdmissionTask> queue) {
        ObjectCache<PartialObject> secrets = new ObjectCache<>();
        secrets.subscribeToChanges((before, after) -> {
            if (known && (isThis(key, before) || isThis(key, after))) {
                queue.add(AdmissionTask.CERTIFICATE);
            }
        });
        inform(new ListWatch<>("secrets of " + registration.objects().component(), server, Resources.SECRETS,
                key.namespace(), key.name(), "", true, Projection.METADATA), secrets);
    }

    private static boolean isThis(ObjectKey key, @Nullable PartialObject secret) {
        return secret != null && secret.key().equals(key);
    }

    private void inform(ListWatch<PartialObject> listWatch, ObjectCache<PartialObject> cache) {
        Informer<PartialObject> informer = informers.informer(listWatch, cache, ReflectorListener.NONE);
        started.add(informer);
        informer.start();
    }

    @Override
    public void stop() {
        registration.inputs().stop();
        started.forEach(Informer::close);
    }
}
