package io.nodeward.core.runtime.webhook;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Watch;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.queue.WorkQueue;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Watches the objects of a component and the Secret with its certificate, by their metadata. */
final class ManagedObjectWatches implements Watch<AdmissionTask> {
    private final AdmissionRegistration registration;
    private final HomeCluster home;
    private final List<Informer<?>> started = new CopyOnWriteArrayList<>();
    private volatile boolean known;

    ManagedObjectWatches(AdmissionRegistration registration, HomeCluster home) {
        this.registration = registration;
        this.home = home;
    }

    @Override
    public void start(WorkQueue<AdmissionTask> queue) {
        registration.inputs().start(() -> begin(queue), () -> queue.add(AdmissionTask.REGISTRATION));
        String whose = " of " + registration.objects().component();
        String selector = registration.objects().labelled().selector();
        kinds().forEach(kind -> watch(new ListWatch<>(
                kind.plural() + whose, home.server(), kind, selector, true, Projection.METADATA),
                AdmissionTask.REGISTRATION, queue));
        if (registration.webhooks().isPresent()) {
            ObjectKey key = registration.secret();
            watch(new ListWatch<>("secrets" + whose, home.server(), Resources.SECRETS, key.namespace(), key.name(), "",
                    true, Projection.METADATA), AdmissionTask.CERTIFICATE, queue);
        }
    }

    private void begin(WorkQueue<AdmissionTask> queue) {
        known = true;
        if (registration.webhooks().isPresent()) {
            queue.add(AdmissionTask.CERTIFICATE); // and registers when it is served
            // As soon as it is registered; what keeps it from that is reported as well.
            registration.probe()
                    .ifPresent(any -> queue.addAfter(AdmissionTask.PROBE, AdmissionProbe.LASTING));
        }
        if (registration.policies().isPresent()) {
            queue.add(AdmissionTask.REGISTRATION);
        }
    }

    private List<Resource> kinds() {
        List<Resource> kinds = new ArrayList<>();
        registration.webhooks().ifPresent(any -> kinds.addAll(registration.objects().webhookKinds()));
        registration.policies().ifPresent(any -> kinds.addAll(registration.objects().policyKinds()));
        kinds.removeAll(registration.inputs().watched());
        return kinds;
    }

    private void watch(ListWatch<PartialObject> listWatch, AdmissionTask changed, WorkQueue<AdmissionTask> queue) {
        ObjectCache<PartialObject> cache = new ObjectCache<>();
        cache.subscribeToChanges((before, after) -> {
            if (known) {
                queue.add(changed);
            }
        });
        Informer<PartialObject> informer = home.informers().informer(listWatch, cache, ReflectorListener.NONE);
        started.add(informer);
        informer.start();
    }

    @Override
    public void stop() {
        registration.inputs().stop();
        started.forEach(Informer::close);
    }
}
