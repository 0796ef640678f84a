package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.OffsetDateTime;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices that a rule keeps from new pods: the real scheduler learns of them by rules of Kubernetes. */
@Tag("deep")
class DeviceOfflineTest {
    private static final String TOLERATES = "[{'key':'example.com/broken','operator':'Exists'}]";

    private static DeviceSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        for (String node : List.of("offline", "running", "edited")) {
            suite.readyNode(node);
        }
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() throws Exception {
        nodeward.close();
        suite.stop();
    }

    private static String rule(String pool, String effect) {
        return "{'deviceSelector':{'pool':'%s','selectors':[{'cel':{'expression':'device.attributes[device.driver].bad'}}]},"
                .formatted(pool) + "'taint':{'key':'example.com/broken','effect':'" + effect + "'}}";
    }

    private static void slice(String pool) {
        suite.slice(pool, pool, 1, "[{'name':'bad','attributes':{'bad':{'bool':true}}},"
                + "{'name':'good','attributes':{'bad':{'bool':false}}}]");
    }

    private static void eventually(String what, ThrowingRunnable check) {
        await(what).atMost(MachineSuite.PATIENCE).untilAsserted(check);
    }

    @Test
    void a_device_that_is_offline_goes_to_who_tolerates_it_alone() {
        slice("offline");
        suite.declare("offline", rule("offline", "NoSchedule"));
        suite.awaitCondition("offline", "SchedulingEnforced", "True");
        suite.claim("first", "[]");
        suite.pod("first", "", "first");
        eventually("the device that is left", () -> assertThat(suite.devices("first")).containsExactly("good"));
        suite.claim("second", "[]");
        suite.pod("second", "", "second");
        eventually("no device for it", () -> assertThat(suite.pod("second").at("/status/conditions/0/reason").asText())
                .isEqualTo("Unschedulable"));
        suite.claim("maintenance", TOLERATES);
        suite.pod("maintenance", "", "maintenance");
        eventually("the offline device", () -> assertThat(suite.devices("maintenance")).containsExactly("bad"));
        assertThat(suite.devices("second")).isEmpty();
    }

    /** Neither whom Nodeward keeps by a toleration without an effect, which means nothing to the server's eviction. */
    @Test
    void for_the_servers_rules_the_server_evicts_nobody() {
        slice("running");
        suite.claim("uses", "[{'key':'example.com/broken','operator':'Exists','effect':'NoExecute',"
                + "'tolerationSeconds':9223372037}]");
        suite.claim("without-effect", TOLERATES);
        suite.pod("uses", "running", "uses");
        suite.pod("without-effect", "running", "without-effect");
        suite.allocate("uses", "running", "bad", "[{'key':'example.com/broken','operator':'Exists',"
                + "'effect':'NoExecute','tolerationSeconds':9223372037}]", "uses");
        suite.allocate("without-effect", "running", "bad", TOLERATES, "without-effect");
        suite.declare("running", rule("running", "NoExecute"));
        suite.awaitCondition("running", "SchedulingEnforced", "True");
        JsonNode projected = suite.serverRules("running").getFirst();
        assertThat(OffsetDateTime.parse(projected.at("/spec/taint/timeAdded").asText()))
                .isAfter(OffsetDateTime.now().plusYears(299));
        assertThat(projected.at("/status/conditions/0/reason").asText()).as("which the server has evaluated")
                .isEqualTo("PodsPendingEviction");
        assertThat(suite.pod("uses").at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
        assertThat(suite.pod("without-effect").at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
    }

    @Test
    void what_somebody_edits_or_deletes_is_made_again_and_goes_with_the_rule() {
        slice("edited");
        suite.declare("edited", rule("edited", "NoExecute"));
        eventually("it", () -> assertThat(suite.serverRules("edited")).hasSize(1));
        String name = suite.serverRules("edited").getFirst().at("/metadata/name").asText();
        JsonNode spec = suite.serverRules("edited").getFirst().path("spec");
        for (String edit : List.of("{'spec':{'taint':{'timeAdded':'2020-01-01T00:00:00Z'}}}",
                "{'spec':{'taint':{'effect':'NoSchedule'}}}", "{'spec':{'deviceSelector':{'device':'good'}}}",
                "{'metadata':{'ownerReferences':null}}")) {
            suite.editServerRule(name, edit);
            eventually(edit, () -> assertThat(suite.serverRules("edited")).singleElement()
                    .satisfies(found -> assertThat(withoutTime(found.path("spec"))).isEqualTo(withoutTime(spec))));
        }
        suite.deleteServerRule(name);
        eventually("another", () -> assertThat(suite.serverRules("edited")).hasSize(1));

        suite.change("edited", "{'taint':{'effect':'NoSchedule'}}");
        eventually("a new one", () -> assertThat(suite.serverRules("edited")).singleElement()
                .satisfies(found -> assertThat(found.at("/spec/taint/effect").asText()).isEqualTo("NoSchedule")));
        suite.delete("edited");
        eventually("no server's rule", () -> assertThat(suite.serverRules("edited")).isEmpty());
    }

    /** The year tells whether the time is late enough. */
    private static String withoutTime(JsonNode spec) {
        return spec.toString().replaceAll("(\"timeAdded\":\"\\d{4})[^\"]*", "$1");
    }
}
