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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods of cherry do not get onto the Node foo, which is for those of banana. */
@Tag("deep")
class DedicatedRefusalsTest {
    private static final String BANANA = "{'nodes':{'names':['foo']},'who':{'namespaces':['banana']},"
            + "'taint':{'key':'dedicated','value':'banana','effects':['NoSchedule']}}";
    private static final String REFUSED = "DedicatedNodes banana is for pods of namespace banana: ";
    private static final String TOLERATING = "'tolerations':[{'key':'dedicated','value':'banana'}]";
    private static final String ANYTHING = "'tolerations':[{'operator':'Exists'}]";
    private static final String NOTHING = "'priority':0";

    private static DedicatedSuite suite;
    private RunningNodeward nodeward;

    @BeforeAll
    static void startCluster() {
        suite = new DedicatedSuite();
        suite.grantPods();
        suite.namespace("banana");
        suite.namespace("cherry");
        suite.node("foo");
        suite.node("bar");
        suite.pod("cherry", "before", "foo", "[{\"operator\":\"Exists\"}]");
        suite.declare("banana", BANANA);
    }

    @AfterAll
    static void stopCluster() {
        suite.close();
    }

    @AfterEach
    void stop() {
        nodeward.close();
    }

    /** Waits until its newest spec decides about pods. */
    private void run(String failurePolicy, String enforcement) {
        nodeward = suite.runForPods(failurePolicy);
        suite.change("banana", "{'enforcement':'" + enforcement + "'}");
        suite.awaitCondition("banana", "Ready", "True");
        await("the group in the cache").atMost(MachineSuite.PATIENCE).until(() -> {
            AdminClient.Reply tried = create("cherry", "tried", ANYTHING, "?dryRun=All");
            return switch (enforcement) {
                case "Enforce" -> !tried.isOk();
                case "Warn" -> !tried.warnings().isEmpty();
                default -> tried.isOk() && tried.warnings().isEmpty();
            };
        });
    }

    @Test
    void cherry_gets_neither_toleration_nor_node_and_no_review_costs_a_request() {
        run("Ignore", "Enforce");
        nodeward.awaitIdle();
        AuditLog.Mark start = suite.mark();
        assertRefused(create("cherry", "p", TOLERATING, ""), "spec.tolerations[0] tolerates its taint");
        assertRefused(create("cherry", "p", ANYTHING, ""), "spec.tolerations[0] tolerates its taint");
        assertRefused(create("cherry", "p", "'nodeName':'foo'", ""), "spec.nodeName is its Node foo");
        assertThat(create("cherry", "elsewhere", "'nodeName':'bar'", "").isOk()).isTrue();
        assertThat(create("banana", "member", "'nodeName':'foo'," + ANYTHING, "").isOk()).isTrue();
        assertThat(create("kube-system", "system", "'nodeName':'foo'," + ANYTHING, "").isOk()).isTrue();

        assertThat(create("cherry", "later", NOTHING, "").isOk()).isTrue();
        assertRefused(tolerate("cherry", "later", "{'key':'dedicated','value':'banana'}"), "spec.tolerations[");
        assertThat(tolerate("cherry", "later", "{'key':'other','operator':'Exists'}").isOk()).isTrue();
        assertThat(patch("cherry", "later", "", "{'metadata':{'labels':{'a':'b'}}}").isOk()).isTrue();
        assertThat(patch("cherry", "before", "", "{'metadata':{'labels':{'a':'b'}}}").isOk()).isTrue();
        assertThat(patch("cherry", "before", "/ephemeralcontainers",
                "{'spec':{'ephemeralContainers':[{'name':'e','image':'i','terminationMessagePolicy':'File'}]}}").isOk())
                .isTrue();
        assertThat(nodeward.metric("nodeward_dedicated_refused_pods_total{enforcement=\"Enforce\",group=\"banana\"}"))
                .isEqualTo(4);

        create("cherry", "last", NOTHING, "");
        await("the last review in the audit log").atMost(MachineSuite.PATIENCE).until(() -> suite.audited(start)
                .anyMatch(request -> request.is("create", "pods") && request.name().equals("last")));
        assertThat(suite.requests(start).filter(request -> !request.verb().equals("watch")
                && !request.resource().startsWith("leases") && !request.resource().startsWith("dedicatednodes")))
                .as("reads and writes of the controller").extracting(AuditRequest::toString).isEmpty();
    }

    @Test
    void the_scheduler_the_kubelet_and_the_daemonset_controller_do_their_work() {
        run("Fail", "Enforce");
        assertThat(create("cherry", "bound", NOTHING, "").isOk()).isTrue();
        try (AdminClient scheduler = suite.user("system:kube-scheduler");
                AdminClient kubelet = suite.kubelet("foo");
                AdminClient other = suite.user("system:node:bar");
                AdminClient daemons = suite.user(
                        "system:serviceaccount:kube-system:daemon-set-controller")) {
            AdminClient.Reply bound = bind(scheduler, "bound");
            assertThat(bound.isOk()).as("" + bound.body()).isTrue();

            AdminClient.Reply mirror = post(kubelet, "cherry", mirror("static-foo"), "");
            assertThat(mirror.isOk()).as("" + mirror.body()).isTrue();
            assertRefused(post(other, "cherry", mirror("static-bar"), ""), "spec.nodeName is its Node foo");

            assertThat(post(daemons, "cherry", daemon("bar"), "?dryRun=All").isOk()).isTrue();
            assertRefused(post(daemons, "cherry", daemon("foo"), ""), "its DaemonSet makes it for Node foo");
            assertRefused(post(suite.admin(), "cherry", daemon("bar"), ""), "spec.tolerations[0]");
        }
    }

    @Test
    void warn_warns_of_what_enforce_refuses_and_audit_counts_it() {
        run("Ignore", "Warn");
        AdminClient.Reply warned = create("cherry", "warned", ANYTHING, "");
        assertThat(warned.isOk()).isTrue();
        assertThat(warned.warnings()).singleElement().asString()
                .contains("DedicatedNodes banana: Enforce will refuse this pod: spec.tolerations[0]");
        assertThat(create("banana", "fine", ANYTHING, "?dryRun=All").warnings()).isEmpty();
        nodeward.close();
        run("Ignore", "Audit");
        assertThat(create("cherry", "audited", ANYTHING, "").isOk()).isTrue();
        assertThat(nodeward.metric("nodeward_dedicated_refused_pods_total{enforcement=\"Audit\",group=\"banana\"}"))
                .isEqualTo(1);
    }

    @Test
    void members_of_groups_with_the_same_taint_are_guests_of_each_other() {
        suite.namespace("guest");
        suite.node("baz");
        suite.declare("guest", BANANA.replace("foo", "baz").replace("['banana']", "['guest']")
                .replaceFirst("}$", ",'enforcement':'Enforce'}"));
        run("Ignore", "Enforce");
        suite.awaitCondition("guest", "Ready", "True");
        await("both groups in the cache").atMost(MachineSuite.PATIENCE).until(
                () -> create("guest", "tried", TOLERATING, "?dryRun=All").isOk()
                        && !create("cherry", "tried", "'nodeName':'baz'", "?dryRun=All").isOk());
        assertThat(create("guest", "p", "'nodeName':'foo'," + TOLERATING, "").isOk()).isTrue();
        assertThat(create("banana", "guest", "'nodeName':'baz'," + TOLERATING, "").isOk()).isTrue();
        assertRefused(create("cherry", "neither", TOLERATING, ""),
                "spec.tolerations[0] tolerates its taint; guest refuses it too");
        suite.delete("guest");
    }

    @Test
    void audit_names_whom_their_author_puts_on_its_nodes_and_not_whom_a_scheduler_does() {
        run("Ignore", "Audit");
        create("cherry", "scheduled", NOTHING, "");
        try (AdminClient scheduler = suite.user("system:kube-scheduler")) {
            assertThat(bind(scheduler, "scheduled").isOk()).isTrue();
        }
        create("cherry", "put", "'nodeName':'foo'", "");
        await("the preview").atMost(MachineSuite.PATIENCE).until(() -> previewed("refused").contains("cherry/put"));
        assertThat(previewed("refused")).contains("cherry/before").doesNotContain("cherry/scheduled");
        assertThat(previewed("cutOff")).contains("cherry/put", "cherry/scheduled");
    }

    private static List<String> previewed(String part) {
        return suite.status("banana").path("preview").path(part).path("names").valueStream()
                .map(JsonNode::asText).toList();
    }

    private static AdminClient.Reply bind(AdminClient scheduler, String pod) {
        return scheduler.send("POST", path("cherry", pod) + "/binding", AdminClient.JSON,
                json("{'metadata':{'name':'" + pod + "'},'target':{'kind':'Node','name':'foo'}}").toString());
    }

    @Test
    void while_nobody_answers_the_failure_policy_decides_and_only_about_what_could_be_refused() {
        run("Ignore", "Enforce");
        nodeward.close();
        assertThat(create("cherry", "ignored", ANYTHING, "").isOk()).isTrue();
        run("Fail", "Enforce");
        nodeward.close();
        await("the policy in the API server").atMost(MachineSuite.PATIENCE)
                .until(() -> !create("cherry", "p", NOTHING, "?dryRun=All").isOk());
        assertThat(patch("cherry", "ignored", "", "{'metadata':{'labels':{'a':'b'}}}").isOk()).isTrue();
        AdminClient.Reply added = tolerate("cherry", "ignored", "{'key':'x','operator':'Exists'}");
        assertThat(added.isOk()).isFalse();
        assertThat(added.body().path("message").asText()).contains("pods.dedicated.nodeward.io");
        assertThat(create("kube-system", "p", ANYTHING, "?dryRun=All").isOk()).isTrue();
    }

    /** Of a pod that is gated, so that its claim may be deleted. */
    @Test
    void a_claim_by_which_a_pod_is_a_member_is_not_made_again_without_the_device() {
        run("Fail", "Enforce");
        suite.declare("gpus", "{'nodes':{'names':['bar']},'who':{'deviceClasses':['gpu']},"
                + "'taint':{'key':'dedicated','value':'gpus','effects':['NoSchedule']},'enforcement':'Enforce'}");
        suite.awaitCondition("gpus", "Ready", "True");
        String claims = "/apis/resource.k8s.io/v1/namespaces/cherry/resourceclaims";
        suite.admin().create(claims, claim("gpu"));
        String gated =
                "'schedulingGates':[{'name':'e2e/gate'}],'resourceClaims':[{'name':'d','resourceClaimName':'c'}]";
        await("the toleration").atMost(MachineSuite.PATIENCE).until(() -> {
            AdminClient.Reply created = create("cherry", "gated", gated, "");
            boolean tolerates = created.body().at("/spec/tolerations").findValuesAsText("value").contains("gpus");
            if (created.isOk() && !tolerates) { // the claim had not been seen
                suite.admin().delete("/api/v1/namespaces/cherry/pods/gated?gracePeriodSeconds=0");
            }
            return tolerates;
        });
        assertThat(nodeward.metric("nodeward_dedicated_claim_reads_total")).as("of the pod that was let in")
                .isEqualTo(1);
        suite.admin().create("/apis/resource.k8s.io/v1/namespaces/cherry/resourceclaimtemplates",
                Json.parse("{\"metadata\":{\"name\":\"t\"},\"spec\":{\"spec\":" + claim("gpu").path("spec") + "}}"));
        await("the template in the cache").atMost(MachineSuite.PATIENCE)
                .until(() -> create("cherry", "of-template",
                        "'resourceClaims':[{'name':'d','resourceClaimTemplateName':'t'}]", "?dryRun=All").body()
                        .at("/spec/tolerations").findValuesAsText("value").contains("gpus"));
        assertThat(nodeward.metric("nodeward_dedicated_claim_reads_total")).isEqualTo(2);
        suite.admin().delete(claims + "/c");

        await("the pod in the cache").atMost(MachineSuite.PATIENCE)
                .until(() -> createClaim(claims, "nic", "?dryRun=All").code() == 403);
        AdminClient.Reply refused = createClaim(claims, "nic", "");
        assertThat(refused.body().path("message").asText()).startsWith(
                "admission webhook \"claims.dedicated.nodeward.io\" denied the request: DedicatedNodes gpus: pod gated ");
        assertThat(createClaim(claims, "gpu", "").isOk()).isTrue();
        suite.admin().delete(claims + "/c");
        suite.admin().delete("/api/v1/namespaces/cherry/pods/gated?gracePeriodSeconds=0");
        await("the end of the pod in the cache").atMost(MachineSuite.PATIENCE)
                .until(() -> createClaim(claims, "nic", "?dryRun=All").isOk());
        suite.admin().delete("/apis/nodeward.io/v1alpha1/dedicatednodes/gpus");
        await("the end of the group").atMost(MachineSuite.PATIENCE)
                .until(() -> create("cherry", "elsewhere", "'nodeName':'bar'", "?dryRun=All").isOk());
    }

    @Test
    void labels_that_are_too_many_do_not_let_pods_out_of_an_exclusive_group() {
        run("Fail", "Enforce");
        suite.namespace("large");
        suite.node("own");
        suite.declare("own", "{'nodes':{'names':['own']},'who':{'namespaceSelector':{'matchLabels':{'team':'a'}}},"
                + "'taint':{'key':'dedicated','value':'own','effects':['NoSchedule']},'exclusive':true,"
                + "'enforcement':'Enforce'}");
        suite.awaitCondition("own", "Ready", "True");
        label("large", "{'team':'a'}");
        await("the affinity of a member").atMost(MachineSuite.PATIENCE).until(() -> !create(
                "large", "p", NOTHING, "?dryRun=All").body().at("/spec/affinity/nodeAffinity").isMissingNode());
        label("large", IntStream.range(0, 257).mapToObj(i -> "'l" + i + "':'x'")
                .collect(Collectors.joining(",", "{", "}")));
        await("the labels in the cache").atMost(MachineSuite.PATIENCE)
                .until(() -> create("large", "p", NOTHING, "?dryRun=All").code() == 403);
        assertThat(create("large", "p", NOTHING, "").body().path("message").asText()).endsWith(
                "DedicatedNodes own is for pods of namespaces that spec.who.namespaceSelector selects: the pod may be a"
                        + " member, and members run on the Nodes of the group alone; the labels of namespace large are not known");
        assertThat(create("cherry", "other", NOTHING, "?dryRun=All").isOk()).isTrue();
        suite.delete("own");
    }

    private static void label(String namespace, String labels) {
        suite.admin().send("PATCH", "/api/v1/namespaces/" + namespace, AdminClient.STRATEGIC_MERGE_PATCH,
                json("{'metadata':{'labels':" + labels + "}}").toString());
    }

    private static AdminClient.Reply createClaim(String claims, String deviceClass, String query) {
        return suite.admin().send("POST", claims + query, AdminClient.JSON, claim(deviceClass).toString());
    }

    private static JsonNode claim(String deviceClass) {
        return json(
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'c'},'spec':{'devices':{"
                        + "'requests':[{'name':'r','exactly':{'deviceClassName':'" + deviceClass + "'}}]}}}");
    }

    private static void assertRefused(AdminClient.Reply reply, String found) {
        assertThat(reply.code()).as("" + reply.body()).isEqualTo(403);
        assertThat(reply.body().path("message").asText())
                .startsWith("admission webhook \"pods.dedicated.nodeward.io\" denied the request: " + REFUSED + found);
    }

    private static String mirror(String name) {
        String uid = suite.nodeNow("foo").at("/metadata/uid").asText();
        return "{'metadata':{'name':'" + name
                + "','annotations':{'kubernetes.io/config.mirror':'x'},'ownerReferences':["
                + "{'apiVersion':'v1','kind':'Node','name':'foo','uid':'" + uid + "','controller':true}]},"
                + "'spec':{'nodeName':'foo'," + ANYTHING + ",'containers':[{'name':'c','image':'i'}]}}";
    }

    private static String daemon(String node) {
        return "{'metadata':{'generateName':'d-','ownerReferences':[{'apiVersion':'apps/v1','kind':'DaemonSet','name':'d',"
                + "'uid':'u','controller':true}]},'spec':{" + ANYTHING + ",'containers':[{'name':'c','image':'i'}],"
                + "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':["
                + "{'matchFields':[{'key':'metadata.name','operator':'In','values':['" + node + "']}]}]}}}}}";
    }

    private static AdminClient.Reply create(String namespace, String name, String spec, String query) {
        return post(suite.admin(), namespace, "{'metadata':{'name':'" + name
                + "'},'spec':{'containers':[{'name':'c','image':'i'}]," + spec + "}}", query);
    }

    private static AdminClient.Reply post(AdminClient as, String namespace, String pod, String query) {
        return as.send("POST", "/api/v1/namespaces/" + namespace + "/pods" + query, AdminClient.JSON,
                json(pod).toString());
    }

    private static AdminClient.Reply tolerate(String namespace, String name, String toleration) {
        return suite.admin().send("PATCH", path(namespace, name), AdminClient.JSON_PATCH,
                json("[{'op':'add','path':'/spec/tolerations/-','value':" + toleration + "}]").toString());
    }

    private static AdminClient.Reply patch(String namespace, String name, String subresource, String patch) {
        return suite.admin().send("PATCH", path(namespace, name) + subresource, AdminClient.STRATEGIC_MERGE_PATCH,
                json(patch).toString());
    }

    private static String path(String namespace, String name) {
        return "/api/v1/namespaces/" + namespace + "/pods/" + name;
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }
}
