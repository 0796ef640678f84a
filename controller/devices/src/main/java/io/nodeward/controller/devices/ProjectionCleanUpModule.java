package io.nodeward.controller.devices;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.webhook.CleanUp;

/**
 * Installed while the gate of the devices controller is off: deletes, once, the server's rules that stood for rules of
 * Nodeward, and shows in the status of these that nothing acts on them. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}.
 */
public final class ProjectionCleanUpModule extends AbstractModule {
    @ProvidesIntoSet
    @Singleton
    Controller idleStatus(HomeCluster home, ControllerContext context) {
        IdleStatus status = new IdleStatus(home, context.conditions());
        return ControllerBuilder.<String>ofFunction(DevicesModule.NAME + "-idle", key -> status.show(), context)
                .watches(queue -> queue.add(DevicesModule.NAME)).build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller cleanUp(HomeCluster home, ControllerContext context) {
        return CleanUp.of(DevicesModule.NAME, ServerRules.LABELS,
                ServerRules.VERSIONS.stream().map(version -> ServerRules.kind(version).resource()).toList(), home,
                context);
    }
}
