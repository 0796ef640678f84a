package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PoolScopesTest {
    private static final ObjectKey CLUSTER = new ObjectKey("ns", "c");
    private static final Node NODE = new Node(metadata(ObjectKey.clusterScoped("n")), "fake://n", List.of());
    private static final MachinePool POOL = new MachinePool(metadata(new ObjectKey("ns", "p")), "c",
            new MachinePool.Template(Map.of(), Map.of(), List.of()), new MachinePool.InfrastructureRef("", "", ""),
            List.of("fake://n"), List.of(), List.of());

    private final ManualTime time = new ManualTime();
    private final Flapping workload = new Flapping();
    private final ObjectCache<MachinePool> cache =
            new ObjectCache<>(MachinePools.BY_CLUSTER, MachinePools.BY_PROVIDER_ID, MachinePools.BY_NODE);
    private final PoolScopes scopes = scopes();

    @Test
    void a_node_is_not_taken_for_gone_because_its_cluster_goes_away_meanwhile() {
        PoolNodeKey node = new PoolNodeKey(POOL.key(), "n");
        workload.looks = 1;
        assertThat(scopes.load(node)).isInstanceOf(PoolScope.Ready.class);
        workload.looks = 0;
        assertThat(scopes.load(node)).isInstanceOf(PoolScope.Waiting.class);
    }

    @Test
    void a_node_waits_until_it_is_known_whether_the_pool_makes_machines() {
        MachinePool unread = new MachinePool(POOL.metadata(), "c", POOL.template(),
                new MachinePool.InfrastructureRef("infrastructure.cluster.x-k8s.io", "SomePool", "p"),
                POOL.providerIds(), List.of(), List.of());
        cache.put(unread);
        workload.looks = 1;
        assertThat(scopes.load(new PoolNodeKey(POOL.key(), "n")))
                .isEqualTo(new PoolScope.Waiting("the infrastructure of the pool to be read"));
    }

    @Test
    void a_pool_does_not_seem_to_be_without_nodes_because_its_cluster_goes_away_meanwhile() {
        workload.looks = 1;
        assertThat(scopes.awaited(POOL)).isEmpty();
        assertThat(scopes.joined(POOL)).contains(Set.of("n"));
        assertThat(scopes.joined(POOL)).isEmpty();
    }

    private PoolScopes scopes() {
        ApiServer server = new ApiServer(new Transport() {
            @Override
            public Response exchange(Request call) {
                if (call.path().startsWith("/apis/infrastructure.cluster.x-k8s.io")) {
                    return new Response(503, Optional.empty(), InputStream.nullInputStream());
                }
                throw new AssertionError("nobody may be asked: " + call);
            }

            @Override
            public void close() {}
        });
        ManagementCluster management = new ManagementCluster(server, "", new Timers(time, time::nanoTime));
        management.clusters().put(new Cluster(metadata(CLUSTER), false, Cluster.ControlPlaneRef.NONE,
                Cluster.Initialization.INITIALIZED, List.of()));
        PoolInfrastructure infrastructure = new PoolInfrastructure(
                server, new Timers(time, time::nanoTime), new SimpleMeterRegistry());
        cache.put(POOL);
        return new PoolScopes(
                management, new MachinePools(management, infrastructure, cache), workload, infrastructure);
    }

    private static Metadata metadata(ObjectKey key) {
        return new Metadata(key, "uid", "1", Map.of(), Map.of(), List.of(), false);
    }

    /** A cluster that is there for so many looks. */
    private static final class Flapping implements NodeListers {
        private int looks;

        @Override
        public Optional<? extends NodeView> find(ObjectKey cluster) {
            return looks-- > 0 ? Optional.of(new One()) : Optional.empty();
        }

        @Override
        public void subscribe(WorkloadListener<Node> listener) {}
    }

    private static final class One implements NodeView {
        @Override
        public Optional<Node> node(String name) {
            return Optional.of(NODE).filter(node -> node.key().name().equals(name));
        }

        @Override
        public List<Node> nodesByProviderId(String providerId) {
            return providerId.equals(NODE.providerId()) ? List.of(NODE) : List.of();
        }
    }
}
