package io.nodeward.controller.dedicated;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;

/** Evicts pods from Nodes of groups that respect budgets. */
final class PodEvictionModule extends AbstractModule {
    /** How many pods are evicted at the same time. */
    private static final int CONCURRENCY = 8;

    private final DedicatedConfig config;

    PodEvictionModule(DedicatedConfig config) {
        this.config = config;
    }

    @ProvidesIntoSet
    @Singleton
    Controller eviction(DedicatedScope scope, Evictions evictions, ControllerContext context) {
        PodEviction eviction = new PodEviction(scope, evictions, config.evictionLimit(), context);
        return ControllerBuilder.ofFunction(PodEviction.NAME, eviction, context).lanes(pod -> "", CONCURRENCY)
                .logs(pod -> pod).watches(evictions.pending()::whenDue, pods -> pods).retriesRefused(eviction::refused)
                .build();
    }
}
