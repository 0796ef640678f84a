package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What pods get when they are created. Each test has groups and namespaces of its own. */
@Tag("deep")
class NewPodsTest {
    private static final String LABEL = "node-restriction.kubernetes.io/dedicated";

    private static DedicatedSuite suite;
    private RunningNodeward nodeward;

    @BeforeAll
    static void startCluster() {
        suite = new DedicatedSuite();
        suite.grantPods();
    }

    @AfterAll
    static void stopCluster() {
        suite.close();
    }

    @BeforeEach
    void run() {
        start("Ignore");
    }

    @AfterEach
    void stop() {
        nodeward.close();
    }

    private void start(String failurePolicy) {
        nodeward = suite.runForPods(failurePolicy);
    }

    @Test
    void members_get_toleration_and_affinity_without_a_request_for_any_review() {
        suite.namespace("kiwi");
        suite.namespace("lemon");
        enforce("kiwi", "'exclusive':true,'who':{'namespaces':['kiwi']}");
        await("the status in the cache").atMost(MachineSuite.PATIENCE)
                .until(() -> tolerations(tried("kiwi", "{}")).contains("kiwi"));
        nodeward.awaitIdle();
        AuditLog.Mark start = suite.mark();

        JsonNode plain = created("kiwi", "plain", "{}");
        assertThat(tolerations(plain)).containsOnlyOnce("kiwi");
        assertThat(terms(plain)).isEqualTo(Json.parse(
                "[{'matchExpressions':[{'key':'%s','operator':'In','values':['kiwi']}]}]".formatted(LABEL)
                        .replace('\'', '"')));
        JsonNode choosing = created("kiwi", "choosing", """
                {'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[
                  {'matchExpressions':[{'key':'zone','operator':'In','values':['a']}]},
                  {'matchFields':[{'key':'metadata.name','operator':'In','values':['n']}]}]}}}}""");
        assertThat(terms(choosing).valueStream()).hasSize(2).allSatisfy(term -> assertThat(
                term.path("matchExpressions").valueStream().map(asks -> asks.path("key").asText())).contains(LABEL));
        JsonNode other = created("lemon", "other", "{}");
        assertThat(tolerations(other)).doesNotContain("kiwi");
        assertThat(other.at("/spec/affinity").isMissingNode()).isTrue();

        assertThat(nodeward.metric("nodeward_dedicated_new_pods_total{enforcement=\"Enforce\",group=\"kiwi\"}"))
                .isEqualTo(2);
        await("the last review in the audit log").atMost(MachineSuite.PATIENCE).until(() -> suite.audited(start)
                .anyMatch(request -> request.is("create", "pods") && request.namespace().equals("lemon")));
        assertThat(suite.requests(start).filter(request -> !request.verb().equals("watch")
                && !request.resource().startsWith("leases") && !request.resource().startsWith("dedicatednodes")))
                .as("reads and writes of the controller").extracting(AuditRequest::toString).isEmpty();
    }

    @Test
    void warn_tolerates_and_warns_and_audit_does_nothing() {
        suite.namespace("mango");
        suite.namespace("melon");
        declare("mango", "Warn", "'exclusive':true,'who':{'namespaces':['mango']}");
        declare("melon", "Audit", "'exclusive':true,'who':{'namespaces':['melon']}");
        suite.awaitCondition("mango", "Ready", "True");
        suite.awaitCondition("melon", "Ready", "True");
        AdminClient.Reply warned = send("mango", "p", "{}", "");
        assertThat(tolerations(warned.body())).contains("mango");
        assertThat(warned.body().at("/spec/affinity").isMissingNode()).isTrue();
        assertThat(warned.warnings()).singleElement().asString().contains("DedicatedNodes mango", LABEL + "=mango");
        AdminClient.Reply audited = send("melon", "p", "{}", "");
        assertThat(tolerations(audited.body())).doesNotContain("melon");
        assertThat(audited.warnings()).isEmpty();
        assertThat(nodeward.metric("nodeward_dedicated_new_pods_total{enforcement=\"Audit\",group=\"melon\"}"))
                .isEqualTo(1);
    }

    @Test
    void labels_of_a_namespace_requests_of_init_containers_and_device_classes_make_members() {
        suite.admin().create("/api/v1/namespaces",
                Json.parse("{\"metadata\":{\"name\":\"papaya\",\"labels\":{\"team\":\"papaya\"}}}"));
        suite.admin().create("/api/v1/namespaces/papaya/serviceaccounts",
                Json.parse("{\"metadata\":{\"name\":\"default\"}}"));
        suite.namespace("any");
        enforce("papaya", "'who':{'namespaceSelector':{'matchLabels':{'team':'papaya'}}}");
        enforce("gpu", "'who':{'resources':['example.com/gpu']}");
        enforce("dra", "'who':{'deviceClasses':['dra.example.com']}");
        String claim = """
                {'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'dra.example.com'}}]}}""";
        String at = "/apis/resource.k8s.io/v1/namespaces/any/";
        suite.admin().create(at + "resourceclaims", json("{'metadata':{'name':'c'},'spec':" + claim + "}"));
        suite.admin().create(at + "resourceclaimtemplates",
                json("{'metadata':{'name':'t'},'spec':{'spec':" + claim + "}}"));
        awaitTolerated("papaya", "{}", "papaya");
        awaitTolerated("any", "{'initContainers':[{'name':'i','image':'i','resources':{"
                + "'limits':{'example.com/gpu':'1'}}}]}", "gpu");
        awaitTolerated("any", "{'resourceClaims':[{'name':'r','resourceClaimName':'c'}]}", "dra");
        awaitTolerated("any", "{'resourceClaims':[{'name':'r','resourceClaimTemplateName':'t'}]}", "dra");
        assertThat(tolerations(tried("any", "{}"))).doesNotContain("papaya", "gpu", "dra");
    }

    private static void awaitTolerated(String namespace, String spec, String group) {
        await(group).atMost(MachineSuite.PATIENCE).until(() -> tolerations(tried(namespace, spec)).contains(group));
    }

    @Test
    void while_the_webhook_is_down_the_failure_policy_decides_but_for_the_system() {
        suite.namespace("olive");
        enforce("olive", "'who':{'namespaces':['olive','kube-system']}");
        awaitTolerated("olive", "{}", "olive");
        assertThat(tolerations(tried("kube-system", "{}"))).as("left out").doesNotContain("olive");
        nodeward.close();
        AdminClient.Reply ignored = send("olive", "p", "{}", "?dryRun=All");
        assertThat(ignored.isOk()).isTrue();
        assertThat(tolerations(ignored.body())).doesNotContain("olive");

        start("Fail");
        nodeward.close();
        await("the policy in the API server").atMost(MachineSuite.PATIENCE)
                .until(() -> !send("olive", "p", "{}", "?dryRun=All").isOk());
        assertThat(send("olive", "p", "{}", "?dryRun=All").body().path("message").asText())
                .contains("new-pods.dedicated.nodeward.io");
        assertThat(send("kube-system", "p", "{}", "?dryRun=All").isOk()).isTrue();
        start("Ignore");
    }

    @Test
    void a_pod_that_was_created_while_the_webhook_was_down_gets_its_toleration_later() {
        suite.grantTolerations();
        suite.namespace("peach");
        enforce("peach", "'who':{'namespaces':['peach']}");
        awaitTolerated("peach", "{}", "peach");
        nodeward.close();
        assertThat(tolerations(created("peach", "missed", "{}"))).doesNotContain("peach");

        nodeward = suite.runForPods("Ignore", "--feature-gates=DedicatedPodTolerations=true");
        await("the toleration").atMost(MachineSuite.PATIENCE)
                .until(() -> tolerations(suite.find("peach", "missed").orElseThrow()).contains("peach"));
    }

    @Test
    void with_the_gate_off_the_webhook_goes() {
        nodeward.close();
        List<String> webhooks = List.of(DedicatedSuite.MUTATING, DedicatedSuite.VALIDATING);
        assertThat(webhooks).allMatch(webhook -> suite.admin().find(webhook).isPresent());
        nodeward = suite.run();
        await("clean-up").atMost(MachineSuite.PATIENCE)
                .until(() -> webhooks.stream().allMatch(webhook -> suite.admin().find(webhook).isEmpty()));
    }

    private static void enforce(String name, String more) {
        declare(name, "Enforce", more);
        suite.awaitCondition(name, "Ready", "True");
    }

    private static void declare(String name, String mode, String more) {
        suite.node("node-" + name);
        suite.declare(name, "{'nodes':{'names':['node-" + name + "']},'enforcement':'" + mode
                + "','taint':{'key':'dedicated','value':'" + name + "','effects':['NoSchedule']}," + more + "}");
    }

    private static JsonNode created(String namespace, String name, String spec) {
        AdminClient.Reply reply = send(namespace, name, spec, "");
        assertThat(reply.isOk()).as("" + reply.body()).isTrue();
        return reply.body();
    }

    /** As it would be stored. */
    private static JsonNode tried(String namespace, String spec) {
        return send(namespace, "tried", spec, "?dryRun=All").body();
    }

    private static AdminClient.Reply send(String namespace, String name, String spec, String query) {
        JsonNode pod = json("{'metadata':{'name':'" + name + "'},'spec':{'containers':[{'name':'c','image':'i'}]"
                + (spec.equals("{}") ? "" : "," + spec.strip().substring(1, spec.strip().length() - 1)) + "}}");
        return suite.admin().send("POST", "/api/v1/namespaces/" + namespace + "/pods" + query, AdminClient.JSON,
                pod.toString());
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }

    /** Values of the group's key. */
    private static List<String> tolerations(JsonNode pod) {
        return pod.at("/spec/tolerations").valueStream()
                .filter(toleration -> toleration.path("key").asText().equals("dedicated"))
                .map(toleration -> toleration.path("value").asText()).toList();
    }

    private static JsonNode terms(JsonNode pod) {
        return pod.at("/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms");
    }
}
