package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two replicas that answer one webhook with the failure policy {@code Fail}, at a Service. The test stands for who keeps its
 * EndpointSlices: a kubelet and a controller that need a second to see the end of a replica.
 */
@Tag("deep")
class DedicatedReplicasTest {
    private static final String LEADER = "nodeward_leader{lease=\"nodeward-system/e2e\"}";
    private static final String SERVICES = "/api/v1/namespaces/nodeward-system/services";
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/nodeward-system/endpointslices";
    private static final Duration NOTICED = Duration.ofSeconds(1);

    @TempDir
    private Path directory;

    private final DedicatedSuite suite = new DedicatedSuite("--enable-aggregator-routing=true");
    private final ConcurrentLinkedQueue<Refusal> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger created = new AtomicInteger();
    private volatile boolean ended;

    private record Refusal(Instant at, String answer) {}

    private ControllerProcess leader;
    private RunningNodeward other;

    @BeforeEach
    void prepare() throws Exception {
        suite.grantPause();
        suite.grantPods();
        suite.grantLeaderElection();
        suite.namespace("team");
        suite.admin().create(SERVICES, Json.tree(Map.of("metadata", Map.of("name", "nodeward"), "spec",
                Map.of("ports", List.of(Map.of("name", "dedicated", "port", 9444))))));
        int port = Ports.free();
        leader = suite.process(directory, flags(port));
        leader.awaitMetric(LEADER, 1);
        endpoint("leader", port);
        int next = Ports.free();
        other = suite.run(flags(next));
        endpoint("other", next);
        soon().until(() -> other.metric("nodeward_dedicated_reached") == 1
                && suite.admin().find(DedicatedSuite.MUTATING).isPresent());
    }

    @AfterEach
    void stop() throws Exception {
        ended = true;
        leader.kill();
        other.close();
        suite.close();
    }

    private static String[] flags(int port) {
        return new String[]{"--feature-gates=DedicatedPodAdmission=true", "--dedicated-address=0.0.0.0:" + port,
                "--dedicated-service=nodeward-system/nodeward:9444", "--dedicated-failure-policy=Fail",
                "--leader-election", "--leader-election-id=e2e"};
    }

    private void endpoint(String name, int port) throws SocketException {
        suite.admin().create(SLICES, Json.tree(Map.of("metadata",
                Map.of("name", name, "labels", Map.of("kubernetes.io/service-name", "nodeward")), "addressType", "IPv4",
                "ports", List.of(Map.of("name", "dedicated", "port", port)),
                "endpoints", List.of(Map.of("addresses", List.of(address()), "conditions", Map.of("ready", true))))));
    }

    /** Returns an address of this machine that an endpoint may have: no loopback address. */
    private static String address() throws SocketException {
        return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress()
                        && !address.isLinkLocalAddress())
                .findFirst().orElseThrow(() -> new IllegalStateException("this machine has no address in a network"))
                .getHostAddress();
    }

    private static ConditionFactory soon() {
        return await().atMost(MachineSuite.PATIENCE);
    }

    /** Asks for pods all the time, one after the other. */
    private CompletableFuture<Void> asking() {
        return CompletableFuture.runAsync(() -> {
            while (!ended) {
                AdminClient.Reply reply =
                        suite.post("team", "p" + created.get(), "'restartPolicy':'Always'", "?dryRun=All");
                if (reply.isOk()) {
                    created.incrementAndGet();
                } else {
                    refusals.add(new Refusal(Instant.now(), reply.body().toString()));
                }
            }
        }, Thread::startVirtualThread);
    }

    private void awaitMore(int pods) {
        int before = created.get();
        soon().until(() -> created.get() - before >= pods);
    }

    private static void notice() {
        Instant event = Instant.now();
        soon().until(() -> Instant.now().isAfter(event.plus(NOTICED)));
    }

    @Test
    void one_that_is_told_to_end_refuses_no_pod() {
        CompletableFuture<Void> asking = asking();
        awaitMore(50);
        CompletableFuture<Void> end = CompletableFuture.runAsync(leader::terminate);
        notice();
        suite.admin().delete(SLICES + "/leader");
        end.join();
        soon().until(() -> other.metric(LEADER) == 1);
        awaitMore(50);
        ended = true;
        asking.join();
        assertThat(refusals).isEmpty();
    }

    @Test
    void when_one_is_killed_pods_are_refused_until_its_endpoint_is_gone() {
        CompletableFuture<Void> asking = asking();
        awaitMore(50);
        Instant killed = Instant.now();
        leader.kill();
        notice();
        suite.admin().delete(SLICES + "/leader");
        awaitMore(10);
        Instant gone = Instant.now();
        awaitMore(50);
        ended = true;
        asking.join();
        System.out.printf("%d of %d reviews failed from %s to %s%n", refusals.size(), refusals.size() + created.get(),
                killed, gone);
        assertThat(refusals).isNotEmpty().allSatisfy(refusal -> {
            assertThat(refusal.at()).isBetween(killed, gone);
            assertThat(refusal.answer()).contains("failed calling webhook");
        });
    }
}
