package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A pod is put on a Node that does not exist yet, and would run there when the Node has joined a group. */
class NodesToComeTest {
    private static final String ON_IT = "'nodeName':'to-come'";
    private static final String REFUSED =
            "spec.nodeName is Node to-come, which does not exist and may become one of its"
                    + " Nodes";

    private static DedicatedSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = new DedicatedSuite();
        suite.grantPods();
        suite.namespace("banana");
        suite.namespace("cherry");
        suite.node("foo", "pool=banana");
        suite.node("free");
        nodeward = suite.runForPods("Fail");
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        suite.close();
    }

    @Test
    void nobody_but_members_the_system_and_the_kubelet_puts_a_pod_on_a_node_that_may_join_a_group_by_its_labels() {
        suite.declare("banana", "{'nodes':{'selector':{'matchLabels':{'pool':'banana'}}},'enforcement':'Enforce',"
                + "'who':{'namespaces':['banana']},'taint':{'key':'dedicated','value':'banana','effects':['NoSchedule']}}");
        suite.awaitCondition("banana", "Ready", "True");
        awaitDecided(() -> assertRefused("banana", create(suite.admin(), "cherry", ON_IT)));
        assertThat(create(suite.admin(), "cherry", "'nodeName':'free'").isOk()).isTrue();
        assertThat(create(suite.admin(), "banana", ON_IT).isOk()).isTrue();
        assertThat(create(suite.admin(), "kube-system", ON_IT).isOk()).isTrue();
        try (AdminClient kubelet = suite.user("system:node:to-come");
                AdminClient other = suite.user("system:node:foo")) {
            assertThat(mirror(kubelet).isOk()).as("" + mirror(kubelet).body()).isTrue();
            assertRefused("banana", mirror(other));
        }

        suite.change("banana", "{'nodes':{'selector':null,'names':['foo']}}");
        suite.awaitCondition("banana", "Ready", "True");
        awaitDecided(
                () -> assertThat(create(suite.admin(), "cherry", ON_IT).isOk()).as("no Node of another name joins it")
                        .isTrue());

        suite.declare("all", "{'shared':true,'enforcement':'Enforce',"
                + "'taint':{'key':'pool','value':'shared','effects':['NoSchedule']}}");
        suite.awaitCondition("all", "Ready", "True");
        awaitDecided(() -> assertRefused("all", create(suite.admin(), "banana", ON_IT)));
        assertThat(create(suite.admin(), "cherry", ON_IT).isOk()).as("it is of no other group").isTrue();
    }

    /** The watch may bring such a Node later than the API server sends the review. */
    @Test
    void a_pod_is_put_on_a_node_in_the_moment_in_which_it_joins() {
        suite.declare("fig", "{'nodes':{'selector':{'matchLabels':{'pool':'fig'}}},'enforcement':'Enforce',"
                + "'who':{'namespaces':['fig']},'taint':{'key':'fig','value':'fig','effects':['NoSchedule']}}");
        suite.awaitCondition("fig", "Ready", "True");
        awaitDecided(() -> assertThat(create(suite.admin(), "cherry", ON_IT).code()).isEqualTo(403));
        double reads = nodeward.metric("nodeward_dedicated_node_reads_total");
        for (int i = 0; i < 20; i++) {
            suite.node("joins-" + i);
            AdminClient.Reply created = create(suite.admin(), "cherry", "'nodeName':'joins-" + i + "'");
            assertThat(created.isOk()).as("" + created.body()).isTrue();
        }
        assertThat(create(suite.admin(), "cherry", "'nodeName':'free'").isOk()).isTrue();
        assertThat(nodeward.metric("nodeward_dedicated_node_reads_total")).as("one for each Node at most")
                .isLessThanOrEqualTo(reads + 20);
        assertThat(create(suite.admin(), "cherry", "'nodeName':'never'").code()).isEqualTo(403);
        assertThat(nodeward.metric("nodeward_dedicated_node_reads_total")).isGreaterThan(reads);
        suite.delete("fig");
    }

    /** The webhook decides by its cache. */
    private static void awaitDecided(ThrowingRunnable decided) {
        await("the group in the cache").atMost(MachineSuite.PATIENCE).untilAsserted(decided);
    }

    private static AdminClient.Reply create(AdminClient user, String namespace, String spec) {
        return user.send("POST", "/api/v1/namespaces/" + namespace + "/pods?dryRun=All", AdminClient.JSON, """
                {'metadata':{'name':'tried'},'spec':{'containers':[{'name':'c','image':'i'}],%s}}"""
                .formatted(spec).replace('\'', '"'));
    }

    /** Shows a static pod. */
    private static AdminClient.Reply mirror(AdminClient kubelet) {
        return kubelet.send("POST", "/api/v1/namespaces/cherry/pods?dryRun=All", AdminClient.JSON, """
                {'metadata':{'name':'static','annotations':{'kubernetes.io/config.mirror':'x'}},
                 'spec':{'containers':[{'name':'c','image':'i'}],%s}}""".formatted(ON_IT).replace('\'', '"'));
    }

    private static void assertRefused(String group, AdminClient.Reply reply) {
        assertThat(reply.code()).as("" + reply.body()).isEqualTo(403);
        assertThat(reply.body().path("message").asText()).contains("DedicatedNodes " + group, REFUSED);
    }
}
