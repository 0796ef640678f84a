package io.nodeward.controller.dedicated;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.WriteLimits;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.Optional;

/** Has pods that exist tolerate the taints of their groups. */
final class PodTolerationsModule extends AbstractModule {
    /** A toleration that is written stays, unless another client takes it out of each write. */
    private static final WriteLimits FEW =
            new WriteLimits(3, Duration.ofMinutes(1), Optional.of(Backoff.AFTER_REFUSAL));

    private final DedicatedConfig config;

    PodTolerationsModule(DedicatedConfig config) {
        this.config = config;
    }

    @ProvidesIntoSet
    @Singleton
    Controller pods(DedicatedScope scope, DedicatedWatches watches, Exchange exchange, ControllerContext context) {
        DedicatedCaches caches = scope.caches();
        return ControllerBuilder.of(DedicatedModule.NAME + "-pods", new PodReconciler(scope), exchange.pods(),
                context, FEW)
                .lanes(pod -> "", config.concurrency)
                .logs(pod -> pod)
                .reads(caches.groups()).reads(caches.nodes())
                .retriesRefused()
                .watches(scope::whenPodsDiffer, watches::mapToPods) // before it looks at the pods that are there
                .watches(caches.pods(), watches::mapLackingPod)
                .watches(caches.namespaces(), watches::mapNamespaceToPods)
                .watches(caches.claims()::whenChanged, watches::mapClaimToPods)
                .build();
    }
}
