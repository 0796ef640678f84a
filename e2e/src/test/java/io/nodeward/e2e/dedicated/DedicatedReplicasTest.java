package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.machine.Election;
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
import java.util.stream.IntStream;
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
    private static final String SERVICES = "/api/v1/namespaces/nodeward-system/services";
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/nodeward-system/endpointslices";
    private static final Duration NOTICED = Duration.ofSeconds(1);
    /** The users who ask for pods at the same time. */
    private static final int USERS = 4;
    /** Reviews that suffice to see which share of them fails. */
    private static final int MANY = 200;

    @TempDir
    private Path directory;

    private final DedicatedSuite suite = new DedicatedSuite("--enable-aggregator-routing=true");
    private final ConcurrentLinkedQueue<Review> reviews = new ConcurrentLinkedQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final int leaderPort = Ports.free();
    private final int otherPort = Ports.free();
    private volatile boolean ended;

    /** The answer to a user who asked for a pod. */
    private record Review(Instant at, boolean passed, String answer) {}

    private ControllerProcess leader;
    private RunningNodeward other;

    @BeforeEach
    void prepare() throws Exception {
        suite.grantPause();
        suite.grantPods();
        suite.allowLeaderElection();
        suite.namespace("team");
        suite.admin().create(SERVICES, Json.tree(Map.of("metadata", Map.of("name", "nodeward"), "spec",
                Map.of("ports", List.of(Map.of("name", "dedicated", "port", 9444))))));
        leader = suite.process(directory, flags(leaderPort));
        leader.awaitMetric(Election.LEADER, 1);
        other = suite.run(flags(otherPort));
    }

    @AfterEach
    void stop() throws Exception {
        ended = true;
        leader.kill();
        other.close();
        suite.close();
    }

    private static String[] flags(int port) {
        return Election.with("--feature-gates=DedicatedPodAdmission=true", "--dedicated-address=0.0.0.0:" + port,
                "--dedicated-service=nodeward-system/nodeward:9444", "--dedicated-failure-policy=Fail");
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

    /** Waits until the webhooks are called, and asks for pods from then on. */
    private CompletableFuture<Void> asking() {
        soon().until(() -> other.metric("nodeward_dedicated_reached") == 1
                && suite.admin().find(DedicatedSuite.MUTATING).isPresent());
        CompletableFuture<Void> all = CompletableFuture.allOf(IntStream.range(0, USERS)
                .mapToObj(user -> CompletableFuture.runAsync(this::ask, Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new));
        awaitMore(MANY);
        return all;
    }

    private void ask() {
        while (!ended) {
            AdminClient.Reply reply = suite.post("team", "p" + asked.incrementAndGet(), "'restartPolicy':'Always'",
                    "?dryRun=All");
            reviews.add(new Review(Instant.now(), reply.isOk(), reply.body().toString()));
        }
    }

    private void awaitMore(int more) {
        int before = reviews.size();
        soon().until(() -> reviews.size() - before >= more);
    }

    private static void notice() {
        Instant event = Instant.now();
        soon().until(() -> Instant.now().isAfter(event.plus(NOTICED)));
    }

    private List<Review> refusals() {
        return reviews.stream().filter(review -> !review.passed()).toList();
    }

    /** Has the leader end as in a rollout. */
    private void assertEndsWithoutRefusal(CompletableFuture<Void> asking, Runnable removal) {
        CompletableFuture<Void> end = CompletableFuture.runAsync(leader::terminate);
        notice();
        removal.run();
        end.join();
        soon().until(() -> other.metric(Election.LEADER) == 1);
        awaitMore(MANY);
        ended = true;
        asking.join();
        assertThat(refusals()).isEmpty();
    }

    @Test
    void one_that_is_told_to_end_refuses_no_pod() throws SocketException {
        endpoint("leader", leaderPort);
        endpoint("other", otherPort);
        assertEndsWithoutRefusal(asking(), () -> suite.admin().delete(SLICES + "/leader"));
    }

    /** The API server keeps connections, which learn of nothing but by the answers on them. */
    @Test
    void one_that_is_told_to_end_behind_a_proxy_refuses_no_pod() throws SocketException {
        try (ServiceProxy proxy = new ServiceProxy(List.of(leaderPort, otherPort))) {
            endpoint("proxy", proxy.port());
            CompletableFuture<Void> asking = asking();
            int before = proxy.accepted();
            awaitMore(MANY);
            assertThat(proxy.accepted() - before).as("connections for that many reviews").isLessThan(MANY / 2);
            assertEndsWithoutRefusal(asking, () -> proxy.remove(leaderPort));
        }
    }

    /** Two webhooks review each pod, and the API server chooses an endpoint for each review. */
    @Test
    void when_one_is_killed_three_of_four_pods_are_refused_until_its_endpoint_is_gone() throws SocketException {
        endpoint("leader", leaderPort);
        endpoint("other", otherPort);
        CompletableFuture<Void> asking = asking();
        leader.kill();
        Instant killed = Instant.now();
        notice();
        awaitMore(MANY);
        Instant removed = Instant.now();
        suite.admin().delete(SLICES + "/leader");
        awaitMore(USERS * 10);
        Instant gone = Instant.now();
        awaitMore(MANY);
        ended = true;
        asking.join();
        assertThat(refusals()).allSatisfy(refusal -> {
            assertThat(refusal.at()).isBefore(gone);
            assertThat(refusal.answer()).contains("failed calling webhook");
        });
        List<Review> meanwhile = reviews.stream()
                .filter(review -> review.at().isAfter(killed) && review.at().isBefore(removed)).toList();
        assertThat(meanwhile.stream().filter(review -> !review.passed()).count() / (double) meanwhile.size())
                .as("share of " + meanwhile.size()).isBetween(0.65, 0.85);
    }
}
