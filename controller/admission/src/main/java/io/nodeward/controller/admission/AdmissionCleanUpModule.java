package io.nodeward.controller.admission;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.cluster.ManagementCluster;

/**
 * Installed while the gate of the admission room is off: takes away, once, what the room has left in the cluster. Needs the
 * bindings of {@link io.nodeward.core.runtime.RuntimeModule}.
 */
public final class AdmissionCleanUpModule extends AbstractModule {
    private final String watchFilter;
    private final boolean observe;

    /**
     * Needs nothing but what is given.
     *
     * @param watchFilter that the room had: what another Nodeward has made stays
     * @param observe log, but write nothing
     */
    public AdmissionCleanUpModule(String watchFilter, boolean observe) {
        this.watchFilter = watchFilter;
        this.observe = observe;
    }

    @Override
    protected void configure() {
        Multibinder.newSetBinder(binder(), Room.class).addBinding().to(CleanUpRoom.class).in(Singleton.class);
    }

    @Provides
    @Singleton
    Leftovers leftovers(ManagementCluster management) {
        return new Leftovers(management.server(), new Own(watchFilter), !observe);
    }
}
