package io.nodeward.controller.guard;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.webhook.CleanUp;
import java.util.List;

/**
 * Installed while the gate of the guard controller is off: deletes, once, the admission policies of all guards and their
 * bindings. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}.
 */
public final class GuardCleanUpModule extends AbstractModule {
    @ProvidesIntoSet
    @Singleton
    Controller cleanUp(HomeCluster home, ControllerContext context) {
        return CleanUp.of(GuardModule.NAME, GuardObjects.labels(context.watchFilter()),
                List.of(GuardObjects.BINDINGS.resource(), GuardObjects.POLICIES.resource()), home, context);
    }
}
