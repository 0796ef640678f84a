package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user has created a namespace with the name of a CNI. Its pods are spared only if a flag says so. */
class SystemNamespacesTest {
    private static final String ANYTHING = "'tolerations':[{'operator':'Exists'}]";
    private static final String DAEMON_SETS = "/apis/apps/v1/namespaces/kube-flannel/daemonsets";

    private static DedicatedSuite suite;
    private RunningNodeward nodeward;

    @BeforeAll
    static void startCluster() {
        suite = new DedicatedSuite();
        suite.grantPods();
        suite.namespace("banana");
        suite.namespace("kube-flannel");
        suite.node("foo");
    }

    @AfterAll
    static void stopCluster() {
        suite.close();
    }

    @BeforeEach
    void daemonSet() {
        suite.admin().create(DAEMON_SETS, json("{'metadata':{'name':'agent'},'spec':{"
                + "'selector':{'matchLabels':{'app':'agent'}},'template':{'metadata':{'labels':{'app':'agent'}},'spec':{"
                + "'containers':[{'name':'c','image':'i'}]," + ANYTHING + "}}}}"));
    }

    @AfterEach
    void stop() {
        nodeward.close();
        suite.delete("banana");
        suite.admin().delete(DAEMON_SETS + "/agent");
    }

    private void enforce(String... flags) {
        nodeward = suite.runForPods("Ignore", flags);
        suite.declare("banana", "{'nodes':{'names':['foo']},'who':{'namespaces':['banana']},'enforcement':'Enforce',"
                + "'taint':{'key':'dedicated','value':'banana','effects':['NoSchedule']}}");
    }

    @Test
    void without_a_flag_enforce_waits_for_a_daemonset_whose_pods_would_be_refused_until_it_does_not_tolerate_the_taint() {
        enforce();
        awaitRefused();
        assertThat(suite.taints("foo")).isEmpty();
        assertThat(create(ANYTHING).warnings()).as("Warn until then").hasSize(1);
        suite.admin().mergePatch(DAEMON_SETS + "/agent",
                "{\"spec\":{\"template\":{\"spec\":{\"tolerations\":null}}}}");
        suite.awaitCondition("banana", "Ready", "True");
        suite.awaitTaints("foo", "dedicated=banana:NoSchedule");
        assertThat(create(ANYTHING).code()).isEqualTo(403);
        assertThat(create("'nodeName':'foo'").code()).isEqualTo(403);
    }

    @Test
    void an_annotation_of_the_group_refuses_the_pods_of_daemonsets_on_purpose() {
        enforce();
        awaitRefused();
        suite.admin().mergePatch(suite.path("banana"),
                "{\"metadata\":{\"annotations\":{\"nodeward.io/refuse-daemonsets\":\"true\"}}}");
        suite.awaitCondition("banana", "Ready", "True");
        assertThat(create(ANYTHING).code()).isEqualTo(403);
        suite.admin().mergePatch(suite.path("banana"),
                "{\"metadata\":{\"annotations\":{\"nodeward.io/refuse-daemonsets\":null}}}");
        suite.change("banana", "{'confirmedPods':1}");
        suite.awaitCondition("banana", "Ready", "True");
    }

    @Test
    void a_namespace_that_the_flag_names_is_spared_and_its_daemonsets_hold_up_nothing() {
        enforce("--dedicated-system-namespaces=kube-flannel");
        suite.awaitCondition("banana", "Ready", "True");
        assertThat(create("'nodeName':'foo'," + ANYTHING).isOk()).isTrue();
    }

    private static void awaitRefused() {
        await("the reason").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode ready = suite.condition("banana", "Ready");
            assertThat(ready.path("reason").asText()).as("" + ready).isEqualTo("DaemonSetsRefused");
            assertThat(ready.path("message").asText()).contains("kube-flannel/agent");
        });
    }

    private static AdminClient.Reply create(String spec) {
        return suite.post("kube-flannel", "tried", spec, "?dryRun=All");
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }
}
