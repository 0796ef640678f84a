package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A rule that selects devices by their names, with the effect None: its status says what NoExecute would do. */
class DevicePreviewTest {
    private static final String TAINT = "'taint':{'key':'example.com/unhealthy','effect':'None'}";
    private static final String FOR_EVER = "[{'key':'example.com/unhealthy','operator':'Exists'}]";
    private static final String A_WHILE =
            "[{'key':'example.com/unhealthy','operator':'Exists','effect':'NoExecute','tolerationSeconds':600}]";

    private static DeviceSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = new DeviceSuite();
        suite.node("node-1");
        suite.slice("slice-1", "node-1", 1, "[{'name':'gpu-0'},{'name':'gpu-1'},{'name':'gpu-2'},{'name':'gpu-3'}]");
        suite.slice("slice-2", "node-2", 1, "[{'name':'gpu-0'}]");
        suite.claim("plain", "[]");
        suite.claim("tolerant", FOR_EVER);
        suite.claim("patient", A_WHILE);
        suite.claim("elsewhere", "[]");
        suite.pod("trains", "node-1", "plain");
        suite.pod("trains-too", "node-1", "plain");
        suite.pod("monitors", "node-1", "tolerant");
        suite.pod("saves", "node-1", "patient");
        suite.pod("away", "node-1", "elsewhere");
        suite.allocate("plain", "node-1", "gpu-0", "[]", "trains");
        suite.allocate("tolerant", "node-1", "gpu-1", FOR_EVER, "monitors");
        suite.allocate("patient", "node-1", "gpu-2", A_WHILE, "saves");
        suite.allocate("elsewhere", "node-2", "gpu-0", "[]", "away");
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        suite.close();
    }

    @Test
    void a_rule_counts_the_devices_of_a_pool_and_the_pods_that_would_go() {
        AuditLog.Mark start = suite.mark();
        suite.declare("pool",
                "{'deviceSelector':{'driver':'" + DeviceSuite.DRIVER + "','pool':'node-1'}," + TAINT + "}");
        suite.awaitCondition("pool", "Ready", "True");
        suite.awaitCounts("pool", 4, 2);
        assertThat(suite.names("pool", "devices")).containsExactly("gpu.example.com/node-1/gpu-0",
                "gpu.example.com/node-1/gpu-1", "gpu.example.com/node-1/gpu-2", "gpu.example.com/node-1/gpu-3");
        assertThat(suite.names("pool", "allocated")).hasSize(3).noneMatch(name -> name.endsWith("gpu-3"));
        assertThat(suite.names("pool", "evicted")).as("at once, and in ten minutes")
                .containsExactly("ml/saves", "ml/trains");
        assertThat(suite.names("pool", "tolerating")).containsExactly("ml/monitors");
        assertThat(suite.status("pool").at("/preview/namespaces").asInt()).isOne();

        // A pod more may use the device of one that is counted; another comes to its end.
        suite.reserve("plain", "trains", "trains-too");
        suite.awaitCounts("pool", 4, 3);
        suite.deletePod("trains");
        suite.podStatus("saves", "{'phase':'Succeeded'}");
        suite.publish("slice-1", "[{'name':'gpu-0'},{'name':'gpu-1'},{'name':'gpu-2'}]");
        suite.awaitCounts("pool", 3, 1);
        assertThat(suite.names("pool", "evicted")).containsExactly("ml/trains-too");
        assertOnlyRulesAreWritten(start, "pool", 3);
    }

    /** @param statuses of the rule that were seen one after the other, so that the log will show a write of each */
    private static void assertOnlyRulesAreWritten(AuditLog.Mark since, String rule, int statuses) {
        nodeward.awaitIdle();
        await("the last status in the audit log").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                suite.writes(since, "devicetaintrules/status")).filteredOn(request -> request.name().equals(rule))
                .hasSizeGreaterThanOrEqualTo(statuses));
        assertThat(suite.writes(since, "")).allMatch(request -> request.resource().startsWith("devicetaintrules"));
    }

    @Test
    void a_pod_counts_if_a_claim_is_reserved_for_it_whether_or_not_its_spec_names_the_claim() {
        suite.slice("uses", "uses", 1, "[{'name':'gpu-0'},{'name':'gpu-1'},{'name':'gpu-2'}]");
        suite.podWithTemplate("templated", "node-1", "templated-gpu");
        suite.allocate("templated-gpu", "uses", "gpu-0", "[]", "templated");
        suite.podWithExtendedResource("extended", "node-1", "extended-gpu");
        suite.allocate("extended-gpu", "uses", "gpu-1", "[]", "extended");
        suite.claim("unpublished", "[]");
        suite.pod("stranded", "node-1", "unpublished");
        suite.allocate("unpublished", "uses", "gpu-9", "[]", "stranded");
        declareUses("uses");
        suite.awaitCounts("uses", 3, 3);
        assertThat(suite.names("uses", "evicted")).containsExactly("ml/extended", "ml/stranded", "ml/templated");
        assertThat(allocated("uses")).as("one is in no slice").containsExactly("gpu-0", "gpu-1", "gpu-9");

        // The claim is still that of the pod before. The other pod comes later: who counts it has seen both.
        suite.deletePod("templated");
        suite.deleteClaim("extended-gpu");
        suite.pod("templated", "node-1", "templated-gpu");
        suite.pod("stranded-too", "node-1", "unpublished");
        suite.reserve("unpublished", "stranded", "stranded-too");
        declareUses("uses-another-pod");
        suite.awaitCounts("uses-another-pod", 3, 2);
        assertThat(suite.names("uses-another-pod", "evicted")).containsExactly("ml/stranded", "ml/stranded-too");

        suite.deleteClaim("templated-gpu");
        suite.deletePod("templated");
        suite.podWithTemplate("templated", "node-1", "templated-gpu");
        suite.allocate("templated-gpu", "uses", "gpu-2", "[]", "templated");
        declareUses("uses-another-claim");
        suite.awaitCounts("uses-another-claim", 3, 3);
        assertThat(suite.names("uses-another-claim", "evicted")).contains("ml/templated");
        assertThat(allocated("uses-another-claim")).containsExactly("gpu-2", "gpu-9");
    }

    /** Of a rule that comes new the counts are shown at once; those of an older one change after a pause. */
    private static void declareUses(String rule) {
        suite.declare(rule, "{'deviceSelector':{'pool':'uses'}," + TAINT + "}");
    }

    private static List<String> allocated(String rule) {
        return suite.names(rule, "allocated").stream().map(name -> name.substring(name.lastIndexOf('/') + 1)).toList();
    }

    @Test
    void a_device_that_only_an_older_generation_of_its_pool_has_is_not_counted() {
        suite.slice("older", "renewed", 1, "[{'name':'gpu-0'},{'name':'gpu-1'},{'name':'gpu-2'}]");
        suite.claim("holds-older", "[]");
        suite.pod("on-older", "node-1", "holds-older");
        suite.allocate("holds-older", "renewed", "gpu-2", "[]", "on-older");
        suite.slice("newer", "renewed", 2, "[{'name':'gpu-0'}]");
        suite.declare("renewed", "{'deviceSelector':{'pool':'renewed'}," + TAINT + "}");
        suite.awaitCounts("renewed", 1, 1);
        assertThat(suite.names("renewed", "devices")).containsExactly("gpu.example.com/renewed/gpu-0");
        assertThat(allocated("renewed")).as("for as long as a claim has it").containsExactly("gpu-2");
        suite.deleteSlice("newer");
        suite.declare("renewed-no-more", "{'deviceSelector':{'pool':'renewed'}," + TAINT + "}");
        suite.awaitCounts("renewed-no-more", 3, 1);
    }

    /** The admission plugin NodeRestriction asks for the Node that a slice names, and not for its pool. */
    @Test
    void a_kubelet_hides_no_device_of_another_node() {
        suite.slice("robbed", "robbed", 1, "[{'name':'gpu-0'},{'name':'gpu-1'}]");
        try (AdminClient kubelet = suite.kubelet("node-1")) {
            DeviceSuite.kubeletSlice(kubelet, "stolen", "node-1", "robbed", 99, "[{'name':'gpu-9'}]");
        }
        suite.declare("robbed", "{'deviceSelector':{'pool':'robbed'}," + TAINT + "}");
        suite.awaitCounts("robbed", 3, 0);
        assertThat(suite.names("robbed", "devices")).containsExactly("gpu.example.com/robbed/gpu-0",
                "gpu.example.com/robbed/gpu-1", "gpu.example.com/robbed/gpu-9");
    }

    @Test
    void the_time_is_set_once_and_nobody_who_applies_a_rule_without_it_is_fought() {
        AuditLog.Mark start = suite.mark();
        suite.declare("timed", "{'deviceSelector':{'pool':'node-2'}," + TAINT + "}");
        suite.awaitCounts("timed", 1, 1);
        String added = added("timed");
        assertThat(added).as("in seconds").matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        suite.apply("timed", "{'deviceSelector':{'pool':'node-1'}," + TAINT + "}");
        suite.awaitCondition("timed", "Ready", "True");
        assertThat(suite.status("timed").path("devices").asInt()).isGreaterThan(1);
        nodeward.awaitIdle();
        assertThat(added("timed")).isEqualTo(added);
        assertThat(suite.writes(start, "").stream().filter(request -> request.name().equals("timed")
                && request.resource().equals("devicetaintrules"))).hasSize(1);
    }

    private static String added(String rule) {
        return suite.admin().get(suite.path(rule)).at("/spec/taint/timeAdded").asText();
    }

    @Test
    void without_a_selector_no_device_is_selected_and_with_an_empty_one_each_is() {
        suite.declare("none", "{" + TAINT + "}");
        suite.declare("all", "{'deviceSelector':{}," + TAINT + "}");
        suite.awaitCondition("none", "Ready", "True");
        suite.awaitCondition("all", "Ready", "True");
        assertThat(suite.status("none").path("devices").asText()).isEqualTo("0");
        assertThat(suite.status("none").path("pods").asText()).isEqualTo("0");
        assertThat(suite.names("all", "devices")).contains("gpu.example.com/node-2/gpu-0");
        assertThat(suite.names("all", "evicted")).contains("ml/away");
    }
}
