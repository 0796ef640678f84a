package io.nodeward.e2e.autoscaler;

import static io.nodeward.e2e.autoscaler.Groups.DEPLOYMENTS;
import static io.nodeward.e2e.autoscaler.Groups.POOLS;
import static io.nodeward.e2e.autoscaler.Groups.SETS;
import static io.nodeward.e2e.autoscaler.Groups.SIZES;
import static io.nodeward.e2e.autoscaler.Groups.TAINTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiRelease;
import io.nodeward.e2e.controlplane.ClusterApiWebhooks;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Node groups that the upstream manager makes from a Cluster's topology and applies again whenever it looks: what the
 * Cluster does not say it leaves alone, what it says is its own.
 */
@Tag("deep")
class BesideTopologyTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String GPU = "example.com/gpu=a100:NoSchedule";
    private static final String MINE = "mine:NoExecute";
    private static final List<Object> DECLARED = List.of(Map.of(
            "key", "example.com/gpu", "value", "a100", "effect", "NoSchedule", "propagation", "Always"));

    /** A Cluster without a topology, for the canary of Machines. */
    private static final String PLAIN = "plain";
    /** A MachineSet of nobody, which the manager copies no annotation to. */
    private static final String SET_CANARY = "set-canary";

    private MachineSuite suite;
    private Groups groups;
    private ScaledTopology topology;
    private int looks;
    private String free;
    private String set;

    @Test
    void what_the_cluster_says_is_left_to_it_and_the_rest_is_told() {
        // On servers of its own, as the manager's webhooks are in the path of all requests.
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard());
                MachineSuite opened = MachineSuite.on(controlPlane, ClusterApiRelease.LATEST, "beside-topology")) {
            suite = opened;
            groups = new Groups(suite);
            topology = new ScaledTopology(suite);
            suite.cluster(PLAIN);
            suite.add(MachineCanary.in(suite, PLAIN));
            try (Upstream upstream = Upstream.start(controlPlane);
                    ClusterApiWebhooks webhooks = upstream.install(suite.admin());
                    RunningNodeward nodeward = suite.start(
                            Groups.GATES, "--blocked-after=1s")) {
                AuditLog.Mark start = suite.mark();
                create();
                what_is_not_said_there_is_told_and_stays(start);
                what_is_said_there_is_left_alone_until_it_is_right(start);
                nobody_fights_over_what_is_said_later(start);
                upstream.stop();
                assertThat(nodeward.isReady()).isTrue();
            }
        }
    }

    /** The API server learns of them through watches of its own: one labels MachineDeployments, one looks at Clusters. */
    private void awaitWebhooks() {
        String useless =
                """
                        {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Cluster","metadata":{"name":"x"},"spec":{"paused":true}}""";
        String clusters = suite.clusterApi() + "/clusters?dryRun=All";
        await("webhooks").atMost(PATIENCE).ignoreExceptionsInstanceOf(AdminClient.RefusedException.class).until(
                () -> groups.imagine(DEPLOYMENTS, "x").at("/metadata/labels").has("cluster.x-k8s.io/cluster-name")
                        && !suite.admin().send("POST", clusters, AdminClient.JSON, useless).isOk());
    }

    private void create() {
        awaitWebhooks();
        groups.canary(SETS, SET_CANARY);
        topology.create(workers(SIZES, Groups.sizesAnd(TAINTS, MINE), DECLARED), List.of(ScaledTopology.workers(
                "pool", Groups.sizesAnd("taint.nodeward.io/gpu", GPU), List.of())));
        free = topology.name(DEPLOYMENTS, "deployment-name", "free");
        set = topology.name(DEPLOYMENTS, "deployment-name", "set");
    }

    /** Of the MachineDeployments {@code free} and {@code set}. */
    private static List<Object> workers(Map<String, String> free, Map<String, String> set, List<Object> taints) {
        return List.of(ScaledTopology.workers("free", free, taints), ScaledTopology.workers("set", set, DECLARED));
    }

    private void what_is_not_said_there_is_told_and_stays(AuditLog.Mark start) {
        groups.awaitText(DEPLOYMENTS, free, GPU);
        groups.awaitText(POOLS, topology.name(POOLS, "pool-name", "pool"), GPU);
        String copy = topology.name(SETS, "deployment-name", "free");
        groups.awaitText(SETS, copy, GPU);
        topology.edit(workers(Groups.sizesAnd("example.com/note", "again"), Groups.sizesAnd(TAINTS, MINE), DECLARED));
        await("the manager").atMost(PATIENCE).until(
                () -> "again".equals(groups.annotation(DEPLOYMENTS, free, "example.com/note")));
        settle();
        assertThat(groups.text(DEPLOYMENTS, free)).isEqualTo(GPU);
        assertThat(taken(start, free)).hasSize(1);
        assertThat(groups.applied(DEPLOYMENTS, free)).containsExactly(
                "f:metadata f:annotations f:" + TAINTS, "f:metadata f:annotations f:" + Groups.TRACKING);
        assertThat(groups.writes(start, SETS, SET_CANARY)).isEmpty();
    }

    private void what_is_said_there_is_left_alone_until_it_is_right(AuditLog.Mark start) {
        String text = GPU + "," + MINE;
        JsonNode blocked = await("the condition").atMost(PATIENCE)
                .until(() -> groups.condition(DEPLOYMENTS, set), found -> found.isPresent()).orElseThrow();
        assertThat(blocked.path("reason").asText()).isEqualTo("CapacityAppliedByOther");
        assertThat(suite.warnings("MachineDeployment", set)).singleElement().satisfies(event -> {
            assertThat(event.getKey()).isEqualTo("CapacityAppliedByOther");
            assertThat(event.getValue()).contains("capi-topology").endsWith("set it there to: " + text);
        });
        assertThat(groups.text(DEPLOYMENTS, set)).isEqualTo(MINE);
        topology.edit(workers(SIZES, Groups.sizesAnd(TAINTS, text), DECLARED));
        groups.awaitText(DEPLOYMENTS, set, text);
        await("its end").atMost(PATIENCE).until(() -> groups.condition(DEPLOYMENTS, set).isEmpty());
        settle();
        assertThat(taken(start, set)).isEmpty();
    }

    private void nobody_fights_over_what_is_said_later(AuditLog.Mark start) {
        topology.edit(workers(Groups.sizesAnd(TAINTS, MINE), SIZES, DECLARED));
        groups.awaitText(DEPLOYMENTS, free, MINE);
        groups.awaitText(DEPLOYMENTS, set, GPU);
        settle();
        assertThat(groups.text(DEPLOYMENTS, free)).isEqualTo(MINE);
        assertThat(taken(start, free)).hasSize(1);

        topology.edit(workers(SIZES, SIZES, DECLARED));
        groups.awaitText(DEPLOYMENTS, free, GPU);
        settle();
        assertThat(taken(start, free)).hasSize(2);
        topology.edit(workers(SIZES, SIZES, List.of()));
        groups.awaitText(DEPLOYMENTS, free, null);
        settle();
        assertThat(taken(start, free)).hasSize(3);
        assertThat(taken(start, set)).hasSize(1);
    }

    /**
     * Has the manager apply the group of the canary, and Nodeward answer that; twice, so that each has seen what the other
     * made of it. Whoever answers what the other wrote goes on doing so, and is counted afterwards.
     */
    private void settle() {
        for (int round = 0; round < 2; round++) {
            topology.look(++looks);
            String canary = topology.name(DEPLOYMENTS, "deployment-name", ScaledTopology.CANARY);
            groups.awaitText(DEPLOYMENTS, canary, ScaledTopology.taint(looks));
            suite.settled();
        }
    }

    /** Writes of Nodeward to the object, which were taken. */
    private List<AuditRequest> taken(AuditLog.Mark mark, String deployment) {
        return suite.requestsSince(mark).stream()
                .filter(r -> r.is("patch", DEPLOYMENTS) && r.name().equals(deployment) && r.code() == 200).toList();
    }
}
