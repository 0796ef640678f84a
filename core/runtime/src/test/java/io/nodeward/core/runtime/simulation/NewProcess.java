package io.nodeward.core.runtime.simulation;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.List;

/** What a process has when it starts: it has seen nothing yet. */
public final class NewProcess {
    /** Of watches: nothing is watched here, and one that is started ends with its first pause and keeps no thread. */
    private static final Timers ENDED = ended();

    private final ManualTime time;
    private final Timers timers;
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ApiServer server;
    private final HomeCluster home;
    private final ManagementCluster management;
    private final EventRecorder events;

    /** One that logs Events. */
    public NewProcess(ManualTime time, Transport transport) {
        this(time, transport, false);
    }

    /** @param writesEvents false: they are only logged */
    public NewProcess(ManualTime time, Transport transport, boolean writesEvents) {
        this.time = time;
        this.timers = new Timers(time, time::nanoTime);
        this.server = new ApiServer(transport);
        this.home = new HomeCluster(server, ENDED);
        this.management = new ManagementCluster(home, "", List.of(""), ENDED);
        this.events = new EventRecorder(server, time, timers, writesEvents, registry);
    }

    private static Timers ended() {
        ManualTime time = new ManualTime() {
            @Override
            public List<Runnable> shutdownNow() {
                return List.of(); // lists have a watchdog, and end before it is due
            }
        };
        Timers timers = new Timers(time, time::nanoTime);
        timers.close();
        return timers;
    }

    public Timers timers() {
        return timers;
    }

    public SimpleMeterRegistry registry() {
        return registry;
    }

    public HomeCluster home() {
        return home;
    }

    /** Its caches are filled by the stores that watch for them. */
    public ManagementCluster management() {
        return management;
    }

    EventRecorder events() {
        return events;
    }

    public PoolInfrastructure infrastructure() {
        return new PoolInfrastructure(server, timers, registry);
    }

    /** @param writer of all that the controller changes */
    public ControllerContext context(ObjectWriter writer) {
        return new ControllerContext(writer,
                new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
                events, time, timers, registry, "", false);
    }
}
