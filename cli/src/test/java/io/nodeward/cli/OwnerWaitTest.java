package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code nodeward taint} of an owner of Nodes, with {@code --wait}. */
class OwnerWaitTest {
    private static final String LATE = "md/workers a:NoSchedule --wait --timeout=1s";
    private static final String OBJECT = "machinedeployment.cluster.x-k8s.io/workers";

    @TempDir
    Path folder;

    private Owners owners;
    private JsonNode set;

    /** A MachineDeployment with two Machines and their Nodes. */
    @BeforeEach
    void start() throws IOException {
        owners = new Owners(folder);
        owners.secret("c");
        owners.create("clusters", "{\"name\":\"c\"}", "{}");
        JsonNode deployment = owners.create("machinedeployments", "{\"name\":\"workers\"}", Owners.template("[]", 2));
        set = owners.create("machinesets", Owners.ownedBy(deployment, "workers-1", "{}"), Owners.template("[]", 2));
        owners.machine(set, "n1");
        owners.machine(set, "n2");
    }

    @AfterEach
    void stop() {
        owners.close();
    }

    private void propagate(String... nodes) {
        for (String node : nodes) {
            owners.propagate(node, "a");
        }
    }

    private String first(Result result) {
        assertThat(result.exit()).as(result.out()).isEqualTo(1);
        return result.err().lines().findFirst().orElseThrow();
    }

    @Test
    void it_ends_when_all_its_nodes_bear_it() {
        AtomicInteger looks = new AtomicInteger();
        owners.cluster.server.listen(request -> {
            if (Owners.isLook(request) && looks.incrementAndGet() <= 2) {
                propagate("n" + looks.get());
            }
        });

        assertThat(owners.taint("md/workers a:NoSchedule --wait"))
                .isEqualTo(new Result(0, OBJECT + " tainted\n2 Nodes of "
                        + OBJECT + " have it\n", ""));
        assertThat(looks.get()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void it_gives_up_in_time_names_nodes_and_says_what_can_be_seen() {
        propagate("n1");

        assertThat(owners.taint(LATE).err()).isEqualTo("""
                error: timed out waiting for 1 of 2 Nodes of machinedeployment/workers: n2
                Node n2 has no annotation cluster.x-k8s.io/taints-from-machine: no controller carries taints to it; is \
                its gate MachineTaintPropagation on?
                'nodeward explain node/n2 --cluster default/c' says more.
                """);
    }

    @Test
    void taints_that_are_replaced_by_key_are_waited_for_as_well() {
        for (String node : List.of("n1", "n2")) {
            owners.merge("nodes", node, "{\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"NoSchedule\"},"
                    + "{\"key\":\"a\",\"effect\":\"NoExecute\"}]}}");
        }

        assertThat(first(owners.taint("md/workers a:NoSchedule --replace-key --wait --timeout 1s")))
                .startsWith("error: timed out waiting for 2 of 2 Nodes of machinedeployment/workers: n1, n2");
    }

    @Test
    void one_whose_cluster_cannot_be_reached_leaves_the_others_waited_for() throws IOException {
        owners.create("clusters", "{\"name\":\"d\"}", "{}");
        owners.create("machinedeployments", "{\"name\":\"lost\"}", Owners.template("[]", 1).replace("\"c\"", "\"d\""));
        propagate("n1", "n2");

        Result result = owners.taint("md/lost md/workers a:NoSchedule --wait --timeout 1s");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).endsWith("2 Nodes of " + OBJECT + " have it\n");
    }

    @Test
    void a_machine_without_a_node_is_waited_for() throws IOException {
        owners.machine(set, "n3", "{}");
        propagate("n1", "n2");

        assertThat(first(owners.taint(LATE))).isEqualTo("error: timed out waiting for 1 of 3 Nodes of"
                + " machinedeployment/workers: 1 of 3 Machines has no Node yet: machine/n3");
    }

    @Test
    void a_machine_that_is_not_made_yet_is_waited_for() {
        owners.merge("machinedeployments", "workers", "{\"spec\":{\"replicas\":4}}");
        propagate("n1", "n2");

        assertThat(first(owners.taint(LATE))).isEqualTo("error: timed out waiting for 2 of 4 Nodes of"
                + " machinedeployment/workers: 2 of 4 Machines have no Node yet");
    }

    @Test
    void a_machine_that_lost_its_node_is_waited_for() throws IOException {
        owners.machine(set, "n3", "{\"nodeRef\":{\"name\":\"gone\"}}");
        propagate("n1");

        assertThat(first(owners.taint(LATE))).isEqualTo("error: timed out waiting for 2 of 3 Nodes of"
                + " machinedeployment/workers: n2; 1 of 3 Machines has no Node yet: machine/n3 (its Node is gone)");
    }

    @Test
    void it_ends_when_the_last_machine_has_its_node() throws IOException {
        owners.machine(set, "n3", "{}");
        propagate("n1", "n2");
        AtomicInteger looks = new AtomicInteger();
        owners.cluster.server.listen(request -> {
            if (Owners.isLook(request) && looks.incrementAndGet() == 1) {
                owners.merge("machines", "n3", "{\"status\":{\"nodeRef\":{\"name\":\"n3\"}}}");
                node("n3");
                propagate("n3");
            }
        });

        Result result =
                owners.cluster.run(Terminal.of("err", "", Map.of()), "taint", "md/workers", "a:NoSchedule", "--wait");
        assertThat(result.out()).endsWith("3 Nodes of " + OBJECT + " have it\n");
        assertThat(result.err()).contains("2/3 Nodes have it; 1 of 3 Machines has no Node yet");
    }

    private void node(String name) {
        try {
            owners.cluster.node(name, "{}", "[]");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void machines_that_are_being_deleted_do_not_count() throws IOException {
        owners.machine(set, "n3", "{}");
        owners.merge("machines", "n3", "{\"metadata\":{\"finalizers\":[\"example.com/held\"]}}");
        owners.cluster.server.delete("machines", "default", "n3");
        propagate("n1", "n2");

        assertThat(owners.taint(LATE).out()).endsWith("2 Nodes of " + OBJECT + " have it\n");
    }

    @Test
    void who_wants_no_node_has_none_to_wait_for_and_needs_no_way_to_any() throws IOException {
        owners.create("machinedeployments", "{\"name\":\"none\"}", Owners.template("[]", 0));
        owners.cluster.server.delete("secrets", "default", "c-kubeconfig");

        assertThat(owners.taint("md/none a:NoSchedule --wait")).isEqualTo(new Result(0, """
                machinedeployment.cluster.x-k8s.io/none tainted
                machinedeployment.cluster.x-k8s.io/none wants 0 Nodes: there is no Node to wait for
                """, ""));
    }

    @Test
    void who_is_being_deleted_is_not_waited_for() throws IOException {
        owners.create("machines", "{\"name\":\"going\",\"finalizers\":[\"example.com/held\"]}",
                "{\"clusterName\":\"c\"}");
        owners.cluster.server.delete("machines", "default", "going");

        assertThat(first(owners.taint("machine/going a:NoSchedule --wait")))
                .isEqualTo("error: machine/going is being deleted: its Nodes are not waited for");
    }

    @Test
    void a_pool_is_waited_for_until_it_has_as_many_nodes_as_replicas() throws IOException {
        owners.create("machinepools", "{\"name\":\"p\"}", Owners.template("[]", 3),
                "{\"nodeRefs\":[{\"name\":\"n1\"}]}");
        propagate("n1");

        assertThat(first(owners.taint("mp/p a:NoSchedule --wait --timeout=1s")))
                .isEqualTo("error: timed out waiting for"
                        + " 2 of 3 Nodes of machinepool/p: 2 of 3 replicas have no Node yet");
        owners.merge("machinepools", "p", "{\"spec\":{\"replicas\":1}}");
        assertThat(owners.taint("mp/p a:NoSchedule --ensure --wait").out())
                .endsWith("1 Node of machinepool.cluster.x-k8s.io/p has it\n");
    }

    @Test
    void machines_are_found_whose_labels_hold_a_hash_of_a_long_name() throws IOException {
        String name = "workers-".repeat(8) + "1";
        JsonNode made = owners.create("machinesets", "{\"name\":\"" + name + "\"}", Owners.template("[]"));
        owners.create("machines", Owners.ownedBy(made, "n9",
                "{\"cluster.x-k8s.io/cluster-name\":\"c\",\"cluster.x-k8s.io/set-name\":\"hash_x1Yz0w_z\"}"),
                "{\"clusterName\":\"c\"}", "{\"nodeRef\":{\"name\":\"n9\"}}");
        node("n9");
        propagate("n9");

        assertThat(name).hasSizeGreaterThan(63);
        assertThat(owners.taint("ms/" + name + " a:NoSchedule --wait --timeout=1s").out())
                .endsWith("1 Node of machineset.cluster.x-k8s.io/" + name + " has it\n");
    }

    @Test
    void what_is_paused_or_blocked_is_said() {
        owners.merge("machinedeployments", "workers",
                "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":\"\"}}}");
        owners.merge("clusters", "c", "{\"spec\":{\"paused\":true}}");
        owners.merge("machines", "n2", """
                {"status":{"conditions":[{"type":"nodeward.io/Blocked","status":"True","reason":"NodeRejected",
                 "message":"the server refuses it","lastTransitionTime":"2026-03-01T10:00:00Z"}]}}""");
        propagate("n1");

        assertThat(owners.taint(LATE).err().lines()).contains("cluster/c is paused (spec.paused)",
                "machinedeployment/workers is paused (annotation cluster.x-k8s.io/paused)",
                "machine/n2 is nodeward.io/Blocked=True (NodeRejected): the server refuses it");
    }

    @Test
    void what_blocks_others_is_not_said() {
        owners.merge("clusters", "c", blocked("TopologyBlocked"));
        owners.merge("machinedeployments", "workers", blocked("CapacityBlocked"));
        owners.merge("machinesets", "workers-1", blocked("TopologyBlocked"));
        propagate("n1");

        assertThat(owners.taint(LATE).err()).contains("machineset/workers-1 is nodeward.io/TopologyBlocked=True (R): m")
                .doesNotContain("cluster/c is", "machinedeployment/workers is");
    }

    private static String blocked(String type) {
        return "{\"status\":{\"conditions\":[{\"type\":\"nodeward.io/" + type + "\",\"status\":\"True\","
                + "\"reason\":\"R\",\"message\":\"m\",\"lastTransitionTime\":\"2026-03-01T10:00:00Z\"}]}}";
    }

    @Test
    void all_workers_of_a_topology_are_waited_for_those_too_that_are_not_made_yet() throws IOException {
        owners.create("clusters", "{\"name\":\"t\"}",
                """
                        {"topology":{"classRef":{"name":"k"},"workers":{
                          "machineDeployments":[{"name":"a","class":"x","replicas":1},{"name":"b","class":"x","replicas":2}]}}}""");
        owners.create("machinedeployments", """
                {"name":"t-a","labels":{"topology.cluster.x-k8s.io/owned":"",
                  "topology.cluster.x-k8s.io/deployment-name":"a"}}""",
                Owners.template("[]").replace("\"c\"", "\"t\""));
        owners.secret("t");

        assertThat(first(owners.taint("cluster/t --place workers a:NoSchedule --wait --timeout=1s")))
                .isEqualTo("error: timed out waiting for 3 of 3 Nodes of cluster/t: 3 of 3 Machines have no Node yet");
        assertThat(first(owners.taint("cluster/t --place controlPlane a:NoSchedule --wait --timeout=1s")))
                .endsWith("1 of 1 Machine has no Node yet");
    }

    @Test
    void without_the_way_to_the_nodes_it_says_so() {
        owners.cluster.server.delete("secrets", "default", "c-kubeconfig");

        Result result = owners.taint("md/workers a:NoSchedule --wait");

        assertThat(result.err()).isEqualTo("""
                error: there is no Secret default/c-kubeconfig, which leads to the Nodes of cluster c
                Without --wait it is not needed.
                """);
        assertThat(result.exit()).isEqualTo(1);
    }
}
