package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.testkit.Relay;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A group is not ready while API servers do not reach the webhook that keeps other pods from its Nodes. */
class AdmissionReachTest {
    private static final String SERVICES = "/api/v1/namespaces/nodeward-system/services";
    private static final String SECRET = "/api/v1/namespaces/nodeward-system/secrets/nodeward-dedicated";
    private static final String PROBE = "{'metadata':{'labels':{'nodeward.io/probe':'by-hand'}}}".replace('\'', '"');
    private static final String STRANGER = "'tolerations':[{'operator':'Exists'}]";

    private static DedicatedSuite suite;
    private final int served = Ports.free();
    private RunningNodeward nodeward;

    @BeforeAll
    static void startCluster() {
        suite = new DedicatedSuite();
        suite.grantPods();
        suite.namespace("banana");
        suite.namespace("cherry");
        suite.node("foo");
    }

    @AfterAll
    static void stopCluster() {
        suite.close();
    }

    @AfterEach
    void stop() {
        nodeward.close();
        suite.delete("banana");
    }

    private void run(String service) {
        nodeward = suite.run("--feature-gates=DedicatedPodAdmission=true", "--dedicated-address=127.0.0.1:" + served,
                "--dedicated-service=" + service);
        suite.declare("banana", "{'nodes':{'names':['foo']},'who':{'namespaces':['banana']},'enforcement':'Enforce',"
                + "'taint':{'key':'dedicated','value':'banana','effects':['NoSchedule']}}");
    }

    @Test
    void an_address_at_which_nobody_answers_is_reported_with_what_the_api_server_says_and_blocks_no_write_of_the_secret() {
        int called = Ports.free();
        run("https://127.0.0.1:" + called);
        assertThat(awaitUnreached()).contains("127.0.0.1:" + called, "connection refused");
        suite.awaitTaints("foo", "dedicated=banana:NoSchedule");
        assertThat(suite.post("cherry", "p", STRANGER, "?dryRun=All").isOk()).as("what is reported").isTrue();
        assertThat(nodeward.metric("nodeward_dedicated_in_force")).isEqualTo(1);
        assertThat(nodeward.metric("nodeward_dedicated_reached")).isZero();
        assertThat(patchSecret("").isOk()).isTrue();
        assertThat(patchSecret("?dryRun=All").body().path("message").asText()).contains("failed calling webhook");

        try (Relay relay = Relay.to("https://127.0.0.1:" + served, "127.0.0.1", called)) {
            suite.awaitCondition("banana", "Ready", "True");
            assertThat(nodeward.metric("nodeward_dedicated_reached")).isEqualTo(1);
            assertThat(suite.post("cherry", "p", STRANGER, "?dryRun=All").code()).isEqualTo(403);
            assertThat(patchSecret("").isOk()).isTrue();
            assertThat(patchSecret("?dryRun=All").body().path("message").asText())
                    .contains("denied the request", "by-hand");
            assertThat(relay.accepted()).isPositive();
        }
    }

    @Test
    void a_service_without_endpoints_is_reported_until_it_leads_to_the_webhook() {
        suite.admin().create(SERVICES, Json.parse("""
                {"metadata":{"name":"nodeward-dedicated"},"spec":{"selector":{"no":"pod"},"ports":[{"port":%d}]}}"""
                .formatted(served)));
        run("nodeward-system/nodeward-dedicated:" + served);
        assertThat(awaitUnreached()).contains("nodeward-dedicated.nodeward-system.svc:" + served);
        suite.admin().mergePatch(SERVICES + "/nodeward-dedicated",
                "{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"127.0.0.1\",\"selector\":null}}");
        suite.awaitCondition("banana", "Ready", "True");
    }

    /** Returns what the condition says. */
    private static String awaitUnreached() {
        await("the reason").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode ready = suite.condition("banana", "Ready");
            assertThat(ready.path("status").asText()).as("" + ready).isEqualTo("False");
            assertThat(ready.path("reason").asText()).as("" + ready).isEqualTo("AdmissionNotReached");
            assertThat(ready.path("message").asText())
                    .contains("failed calling webhook \"probe.dedicated.nodeward.io\"");
        });
        return suite.condition("banana", "Ready").path("message").asText();
    }

    private static AdminClient.Reply patchSecret(String query) {
        return suite.admin().send("PATCH", SECRET + query, AdminClient.MERGE_PATCH, PROBE);
    }
}
