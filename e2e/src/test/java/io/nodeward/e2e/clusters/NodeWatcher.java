package io.nodeward.e2e.clusters;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Singleton;
import com.google.inject.Stage;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.api.node.Node;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.RuntimeModule;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.Controllers;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process with one controller, which reads the Nodes of its home cluster and writes nothing. */
final class NodeWatcher extends AbstractModule implements AutoCloseable {
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Injector injector;

    private NodeWatcher(Path kubeconfig) throws IOException {
        RuntimeConfig config = new RuntimeConfig(new Fabric8Backend(), Files.readString(kubeconfig),
                Optional.of(kubeconfig), ClusterSettings.DEFAULT.with(new KubeconfigPolicy(false, AllowedServers.ALL)),
                "", List.of(""), false, Optional.empty(), Optional.empty(), "e2e");
        this.injector = Guice.createInjector(Stage.PRODUCTION,
                binder -> binder.bind(MeterRegistry.class).toInstance(new SimpleMeterRegistry()),
                new RuntimeModule(config), this);
    }

    static NodeWatcher start(Path kubeconfig) throws IOException {
        NodeWatcher watcher = new NodeWatcher(kubeconfig);
        Controllers.start(watcher.controllers());
        watcher.home().start();
        watcher.injector.getInstance(ManagementCluster.class).start();
        return watcher;
    }

    @ProvidesIntoSet
    @Singleton
    Controller controller(HomeCluster home, ControllerContext context) {
        return ControllerBuilder.<String>ofFunction("node-watcher", name -> {
            seen.add(name);
            return Result.done();
        }, context).watches(home.watch(Resources.NODES, Projection.NODE), NodeWatcher::names).build();
    }

    private static Set<String> names(@Nullable Node before, @Nullable Node after) {
        return Stream.of(Optional.ofNullable(before), Optional.ofNullable(after)).flatMap(Optional::stream)
                .map(node -> node.key().name()).collect(Collectors.toSet());
    }

    /** Names of the Nodes that it has reconciled. */
    Set<String> seen() {
        return Set.copyOf(seen);
    }

    /** What keeps it from being ready. */
    Optional<String> unsynced() {
        return home().unsynced();
    }

    private HomeCluster home() {
        return injector.getInstance(HomeCluster.class);
    }

    private Set<Controller> controllers() {
        return injector.getInstance(Key.get(new TypeLiteral<Set<Controller>>() {
        }));
    }

    @Override
    public void close() {
        try {
            Controllers.stop(controllers(), Duration.ofSeconds(20), InstantSource.system());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        injector.getInstance(EventRecorder.class).close();
        injector.getInstance(ManagementCluster.class).close();
        injector.getInstance(Timers.class).close();
    }
}
