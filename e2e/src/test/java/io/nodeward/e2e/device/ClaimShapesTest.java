package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ways to ask for a device: whatever a claim looks like, the pods that use a device are previewed and evicted, and no others. */
@Tag("deep")
class ClaimShapesTest {
    private static final String CLAIM = "/apis/resource.k8s.io/v1/namespaces/ml/resourceclaim";
    private static final String RULE = """
            {'deviceSelector':{'pool':'%s','device':'%s'},'taint':{'key':'example.com/broken','effect':'%s'}}""";

    private static DeviceSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        suite.deviceClass("none", "false");
        suite.admin().mergePatch("/api/v1/namespaces/ml",
                DeviceSuite.parse("{'metadata':{'labels':{'resource.kubernetes.io/admin-access':'true'}}}").toString());
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() throws Exception {
        nodeward.close();
        suite.stop();
    }

    /** Makes a Node with devices, which are the pool and the class of this name. */
    private static void devices(String shape, String... devices) {
        suite.readyNode(shape);
        suite.deviceClass(shape, "device.attributes['gpu.example.com'].?shape.orValue('') == '" + shape + "'");
        suite.slice(shape, shape, 1, List.of(devices).toString());
    }

    private static String device(String shape, String name, String more) {
        return "{'name':'%s','attributes':{'shape':{'string':'%s'}}%s}".formatted(name, shape, more);
    }

    /** @param request JSON with apostrophes for quotes */
    private static void claim(String name, String request) {
        suite.admin().create(CLAIM + "s", DeviceSuite.parse("""
                {'metadata':{'name':'%s'},'spec':{'devices':{'requests':[%s]}}}""".formatted(name, request)));
    }

    private static String exactly(String shape, String more) {
        return "{'name':'r','exactly':{'deviceClassName':'%s'%s}}".formatted(shape, more);
    }

    /** Creates a pod of this claim, and waits until the scheduler has given it a Node. */
    private static void run(String claim) {
        run(claim, "{}", "[{'name':'gpu','resourceClaimName':'%s'}]".formatted(claim));
    }

    private static void run(String pod, String resources, String claims) {
        suite.createPod(pod, DeviceSuite.specOf("", 0, resources, claims));
        await(pod).atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(suite.pod(pod).at("/spec/nodeName").asText()).as("" + suite.pod(pod)).isNotEmpty());
    }

    /** Rules out the device with {@code None} first, and then with {@code NoExecute}. */
    private static void assertEvicted(String shape, String device, String... pods) {
        suite.declare(shape, RULE.formatted(shape, device, "None"));
        suite.awaitCounts(shape, 1, pods.length);
        assertThat(suite.names(shape, "evicted")).containsExactly(
                Stream.of(pods).map(pod -> "ml/" + pod).toArray(String[]::new));
        AuditLog.Mark mark = suite.mark();
        suite.change(shape, "{'taint':{'effect':'NoExecute'}}");
        await("the end of " + List.of(pods)).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(suite.pods()).doesNotContain(pods));
        suite.awaitCondition(shape, "EvictionInProgress", "False");
        assertThat(suite.audited(mark).filter(request -> request.is("delete", "pods")))
                .extracting(AuditRequest::name).containsExactlyInAnyOrder(pods);
        suite.delete(shape);
    }

    @Test
    void an_administrators_access_counts_beside_the_pod_that_has_the_device() {
        devices("admin", device("admin", "d0", ""));
        claim("uses", exactly("admin", ""));
        claim("looks", exactly("admin", ",'adminAccess':true"));
        run("uses");
        run("looks");
        assertEvicted("admin", "d0", "looks", "uses");
    }

    @Test
    void the_alternative_counts_that_the_scheduler_took_with_its_own_tolerations() {
        devices("list", device("list", "d0", ""), device("list", "d1", ""));
        String alternatives = """
                {'name':'r','firstAvailable':[
                 {'name':'a','deviceClassName':'none','tolerations':[%1$s]},
                 {'name':'b','deviceClassName':'list','tolerations':[%2$s]}]}""";
        String toleration = "{'key':'example.com/broken','operator':'Exists','effect':'NoExecute'}";
        claim("first", alternatives.formatted(toleration, ""));
        run("first");
        claim("second", alternatives.formatted("", toleration));
        run("second");
        assertEvicted("list", suite.devices("first").getFirst(), "first");
        suite.declare("tolerated", RULE.formatted("list", suite.devices("second").getFirst(), "NoExecute"));
        suite.awaitCounts("tolerated", 1, 0);
        assertThat(suite.names("tolerated", "tolerating")).containsExactly("ml/second");
        assertThat(suite.pods()).contains("second");
        suite.delete("tolerated");
    }

    @Test
    void of_a_device_that_is_partitioned_each_part_counts_by_itself() {
        String half = ",'consumesCounters':[{'counterSet':'card','counters':{'memory':{'value':'40Gi'}}}]";
        suite.admin().create("/apis/resource.k8s.io/v1/resourceslices", DeviceSuite.parse("""
                {'metadata':{'name':'parts-counters'},'spec':{'driver':'%s','nodeName':'parts',
                 'pool':{'name':'parts','generation':1,'resourceSliceCount':2},
                 'sharedCounters':[{'name':'card','counters':{'memory':{'value':'80Gi'}}}]}}"""
                .formatted(DeviceSuite.DRIVER)));
        suite.readyNode("parts");
        suite.deviceClass("parts", "device.attributes['gpu.example.com'].?shape.orValue('') == 'parts'");
        suite.slice("parts", "parts", 1, 2,
                List.of(device("parts", "d0", half), device("parts", "d1", half)).toString());
        claim("left", exactly("parts", ""));
        claim("right", exactly("parts", ""));
        run("left");
        run("right");
        assertEvicted("parts", suite.devices("left").getFirst(), "left");
        assertThat(suite.pods()).contains("right");
    }

    @Test
    void all_pods_count_that_share_the_capacity_of_a_device() {
        devices("shared", device("shared", "d0",
                ",'allowMultipleAllocations':true,'capacity':{'memory':{'value':'80Gi'}}"));
        for (String each : List.of("one", "two")) {
            claim(each, exactly("shared", ",'capacity':{'requests':{'memory':'40Gi'}}"));
            run(each);
        }
        assertEvicted("shared", "d0", "one", "two");
    }

    @Test
    void a_pod_counts_that_asks_for_an_extended_resource() {
        devices("extended", device("extended", "d0", ""));
        suite.admin().mergePatch("/apis/resource.k8s.io/v1/deviceclasses/extended",
                DeviceSuite.parse("{'spec':{'extendedResourceName':'example.com/gpu'}}").toString());
        run("extended", "{'limits':{'example.com/gpu':'1'}}", "[]");
        assertEvicted("extended", "d0", "extended");
    }

    @Test
    void a_pod_counts_whose_claim_is_made_from_a_template() {
        devices("template", device("template", "d0", ""));
        suite.admin().create(CLAIM + "templates", DeviceSuite.parse("""
                {'metadata':{'name':'template'},'spec':{'spec':{'devices':{'requests':[%s]}}}}"""
                .formatted(exactly("template", ""))));
        run("templated", "{}", "[{'name':'gpu','resourceClaimTemplateName':'template'}]");
        assertEvicted("template", "d0", "templated");
    }
}
