package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A gang whose claim the scheduler reserves for its PodGroup: the pods that use it are previewed and evicted, and no others. */
@Tag("deep")
class DevicePodGroupTest {
    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/ml/resourceclaims";
    private static final String TEMPLATES = "/apis/resource.k8s.io/v1/namespaces/ml/resourceclaimtemplates";
    private static final String GROUPS = "/apis/scheduling.k8s.io/v1beta1/namespaces/ml/podgroups";
    private static final String RULE = """
            {'deviceSelector':{'pool':'%s','device':'d0'},'taint':{'key':'example.com/broken','effect':'None'}}""";

    private static DeviceSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.withPodGroups();
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() throws Exception {
        nodeward.close();
        suite.stop();
    }

    /** Creates a PodGroup with a claim, which two of its three pods use. */
    private static void gang(String name, String claim) {
        suite.readyNode(name);
        suite.slice(name, name, 1, "[{'name':'d0'}]");
        suite.admin().create(GROUPS, DeviceSuite.parse("""
                {'metadata':{'name':'%s'},'spec':{'schedulingPolicy':{'gang':{'minCount':3}},
                 'resourceClaims':[{'name':'gpu',%s}]}}""".formatted(name, claim)));
        pod(name, name + "-0", "[{'name':'gpu',%s}]".formatted(claim));
        pod(name, name + "-1", "[{'name':'gpu',%s}]".formatted(claim));
        pod(name, name + "-idle", "[]");
    }

    private static void pod(String group, String name, String claims) {
        String spec = DeviceSuite.specOf("", 0, "{}", claims);
        suite.createPod(name, "{'schedulingGroup':{'podGroupName':'%s'},".formatted(group)
                + spec.substring(spec.indexOf('{') + 1));
    }

    private static void awaitScheduled(String... pods) {
        for (String pod : pods) {
            await(pod).atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                    suite.pod(pod).at("/spec/nodeName").asText()).as("" + suite.pod(pod)).isNotEmpty());
        }
    }

    private static void assertEvicted(String name) {
        suite.declare(name, RULE.formatted(name));
        suite.awaitCounts(name, 1, 2);
        assertThat(suite.names(name, "evicted")).containsExactly("ml/" + name + "-0", "ml/" + name + "-1");
        assertThat(suite.typed().run("explain", "device", name + "/d0").out())
                .contains("ml/" + name + "-0", "ml/" + name + "-1").doesNotContain("idle");
        assertThat(suite.typed().run("device", "list", "-o", "json").out()).contains("\"ml/" + name + "\"");
        AuditLog.Mark mark = suite.mark();
        suite.change(name, "{'taint':{'effect':'NoExecute'}}");
        await("the end of " + name).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(suite.pods()).doesNotContain(name + "-0", name + "-1"));
        suite.awaitCondition(name, "EvictionInProgress", "False");
        assertThat(suite.audited(mark).filter(request -> request.is("delete", "pods")))
                .extracting(AuditRequest::name).containsExactlyInAnyOrder(name + "-0", name + "-1");
        assertThat(suite.pods()).contains(name + "-idle");
        suite.delete(name);
    }

    private static List<JsonNode> reserved(String group) {
        return suite.admin().get(CLAIMS).path("items").valueStream()
                .filter(claim -> claim.at("/status/reservedFor/0/name").asText().equals(group)).toList();
    }

    @Test
    void a_claim_that_was_made_of_the_template_of_a_group_is_used_by_its_pods() {
        suite.admin().create(TEMPLATES, DeviceSuite.parse("""
                {'metadata':{'name':'gpu'},'spec':{'spec':{'devices':{'requests':[
                 {'name':'r','exactly':{'deviceClassName':'any'}}]}}}}"""));
        gang("made", "'resourceClaimTemplateName':'gpu'");
        awaitScheduled("made-0", "made-1", "made-idle");
        assertThat(reserved("made")).singleElement().satisfies(claim -> {
            assertThat(claim.at("/status/reservedFor/0/resource").asText()).isEqualTo("podgroups");
            assertThat(claim.at("/status/reservedFor")).hasSize(1);
        });
        assertEvicted("made");
    }

    @Test
    void a_claim_that_the_group_and_its_pods_name_is_used_by_them() {
        suite.claim("shared", "[]");
        gang("named", "'resourceClaimName':'shared'");
        awaitScheduled("named-0", "named-1", "named-idle");
        assertThat(reserved("named")).hasSize(1);
        assertEvicted("named");
    }
}
