package io.nodeward.controller.guard;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.guard.NodeTaintGuard;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.OwnUser;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.WriteLimits;
import io.nodeward.core.runtime.time.Backoff;
import java.util.Set;
import java.util.TreeSet;

/** Installs the guard controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class GuardModule extends AbstractModule {
    static final String NAME = "guard";

    private final GuardConfig config;

    public GuardModule(GuardConfig config) {
        this.config = config;
    }

    @ProvidesIntoSet
    @Singleton
    Controller guards(HomeCluster home, ControllerContext context) {
        ObjectCache<CustomResource<NodeTaintGuard>> guards =
                home.watch(NodeTaintGuard.DEFINITION, NodeTaintGuard.PROJECTION);
        OwnUser user = new OwnUser(home);
        GuardObjects objects = new GuardObjects(context.watchFilter(), () -> exempt(user),
                home.watch(GuardObjects.POLICIES.resource(), GuardObjects.PROJECTION),
                home.watch(GuardObjects.BINDINGS.resource(), GuardObjects.PROJECTION));
        GuardReconciler reconciler = new GuardReconciler(guards, objects);
        GuardStatus status = new GuardStatus(context.readyStatus(NodeTaintGuard.DEFINITION, NAME), reconciler);
        return ControllerBuilder.of(NAME, reconciler, status, context, WriteLimits.retrying(Backoff.AFTER_REFUSAL))
                .logs(guard -> guard)
                .watches(guards, MapFunction::declared)
                .watches(objects.policies(), objects::map)
                .watches(objects.bindings(), objects::map)
                .build();
    }

    private Set<String> exempt(OwnUser user) {
        Set<String> users = new TreeSet<>(config.exemptUsers);
        users.add(user.name());
        return users;
    }
}
