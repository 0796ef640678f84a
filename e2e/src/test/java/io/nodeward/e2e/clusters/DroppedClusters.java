package io.nodeward.e2e.clusters;

import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clusters come and go, and get other credentials, for as long as a controller runs; nothing may stay with it. It takes
 * minutes for each backend: so each has a class, which need not wait for another's.
 */
@Tag("deep")
abstract class DroppedClusters {
    private static final int CLUSTERS = 300;
    /** Fewer, as each costs two handshakes. */
    private static final int CLUSTERS_OVER_TLS = 100;
    private static final int LATER_ROUNDS = 3;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    private final String backend;

    DroppedClusters(String backend) {
        this.backend = backend;
    }

    /** What happens in one round of this number; after it no more may be held than after any before. */
    private interface Round {
        void run(int number);
    }

    @Test
    void after_every_round_of_connecting_and_dropping_no_more_is_held_than_after_the_first()
            throws Exception {
        try (Workloads workloads = new Workloads(CLUSTERS);
                ManyClusters clusters = new ManyClusters(CLUSTERS);
                ControllerProcess controller = controller(clusters)) {
            rounds(controller, workloads.ports(), 0, number -> {
                clusters.create(workloads::kubeconfig, "round-" + number);
                controller.awaitMetric("nodeward_clusters_available", CLUSTERS);
                await("taints").atMost(PATIENCE).until(() -> workloads.allHaveTaint("round-" + number));
                drop(controller, clusters);
            });
        }
    }

    @Test
    void over_tls_as_well() throws Exception {
        Kubeconfig real = ControlPlane.shared().adminKubeconfig();
        try (ManyClusters clusters = new ManyClusters(CLUSTERS_OVER_TLS);
                ControllerProcess controller = controller(clusters)) {
            rounds(controller, List.of(URI.create(real.server()).getPort()), 0, number -> {
                clusters.create(i -> real.toYaml(), "round-" + number);
                controller.awaitMetric("nodeward_clusters_available", CLUSTERS_OVER_TLS);
                drop(controller, clusters);
            });
        }
    }

    @Test
    void clusters_that_were_never_reached_leave_nothing_either() throws Exception {
        String nowhere = "clusters: [{name: c, cluster: {server: '%s'}}]\nusers: [{name: u, user: {token: t}}]\n"
                + "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n";
        List<String> kubeconfigs =
                List.of("no kubeconfig", nowhere.formatted("http://127.0.0.1:1"), nowhere.formatted("https://[::1]:1"));
        try (ManyClusters clusters = new ManyClusters(CLUSTERS);
                ControllerProcess controller = controller(clusters, "--blocked-after=1s")) {
            rounds(controller, List.of(), 0, number -> {
                clusters.create(i -> kubeconfigs.get(i % kubeconfigs.size()), "round-" + number);
                await("conditions").atMost(PATIENCE).pollInterval(SECOND).until(() -> clusters.blocked() == CLUSTERS);
                drop(controller, clusters);
            });
        }
    }

    @Test
    void after_every_round_of_new_credentials_no_more_is_held_than_after_the_first() throws Exception {
        try (Workloads workloads = new Workloads(CLUSTERS);
                ManyClusters clusters = new ManyClusters(CLUSTERS);
                ControllerProcess controller = controller(clusters)) {
            clusters.create(workloads::kubeconfig, "start");
            controller.awaitMetric("nodeward_clusters_available", CLUSTERS);
            rounds(controller, workloads.ports(), 2 * CLUSTERS, number -> {
                rotate(clusters, workloads, "a" + number);
                rotate(clusters, workloads, "b" + number); // those of the first had no watch
                workloads.renewWatches(); // those of the start, or of the round before, had
            });
        }
    }

    private static void rotate(ManyClusters clusters, Workloads workloads, String token) {
        clusters.change(i -> workloads.kubeconfig(i, token));
        for (int i = 0; i < CLUSTERS; i++) {
            clusters.declare(i, token);
        }
        await("taints").atMost(PATIENCE).until(() -> workloads.allHaveTaint(token));
    }

    private static void drop(ControllerProcess controller, ManyClusters clusters) {
        clusters.delete();
        controller.awaitMetric("nodeward_clusters_connected", 0);
        controller.awaitMetric("nodeward_clusters_blocked", 0);
    }

    /** @param connections there must be to these ports after each round */
    private static void rounds(ControllerProcess controller, List<Integer> ports, int connections, Round round) {
        round.run(0);
        Footprint least = controller.settledFootprint(f -> f.connectionsTo(ports) == connections);
        for (int number = 1; number <= LATER_ROUNDS; number++) {
            round.run(number);
            least = settledBelow(least, controller, ports);
        }
    }

    private static Footprint settledBelow(Footprint least, ControllerProcess controller, List<Integer> ports) {
        Footprint[] last = new Footprint[1];
        await().atMost(PATIENCE).pollInterval(SECOND).untilAsserted(() -> {
            last[0] = controller.footprint();
            last[0].assertNoMoreThan(least, ports);
        });
        return last[0].least(least);
    }

    private ControllerProcess controller(ManyClusters clusters, String... more) throws IOException {
        List<String> arguments = List.of("--backend=" + backend, more.length == 0 ? "--dry-run=false" : more[0]);
        return new ControllerProcess(directory, clusters.kubeconfig(), arguments);
    }
}
