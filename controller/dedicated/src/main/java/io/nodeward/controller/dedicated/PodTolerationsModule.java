package io.nodeward.controller.dedicated;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.WriteLimits;

/** Has pods that exist tolerate the taints of their groups. */
final class PodTolerationsModule extends AbstractModule {
    private final DedicatedConfig config;

    PodTolerationsModule(DedicatedConfig config) {
        this.config = config;
    }

    @ProvidesIntoSet
    @Singleton
    Controller pods(DedicatedScope scope, DedicatedWatches watches, Exchange exchange, ControllerContext context) {
        return ControllerBuilder.of(DedicatedModule.NAME + "-pods", new PodReconciler(scope), exchange.pods(),
                context, WriteLimits.retrying())
                .lanes(pod -> "", config.concurrency)
                .logs(pod -> pod)
                .reads(scope.groups())
                .reads(scope.nodes())
                .reads(scope.namespaces())
                .watches(scope.pods(), watches::mapLackingPod)
                .watches(exchange.ofPods()::whenMarked, watches::mapOfPods)
                .watches(scope.namespaces(), watches::mapNamespaceToPods)
                .watches(scope.claims()::whenChanged, watches::mapClaimToPods)
                .build();
    }
}
