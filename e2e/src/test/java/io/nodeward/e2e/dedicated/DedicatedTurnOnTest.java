package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A group is turned on, without a webhook, and cuts off none of its pods. Each test has a group of its own. */
@Tag("deep")
class DedicatedTurnOnTest {
    private static final int PODS = 50;
    /** No kubelet is there to take its taint away. */
    private static final String NOT_READY = "{'key':'node.kubernetes.io/not-ready','operator':'Exists'}";
    private static final String DAEMON_SETS = "/apis/apps/v1/namespaces/kube-system/daemonsets";
    private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";

    private static DedicatedSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = new DedicatedSuite();
        suite.grantTolerations();
        nodeward = suite.run("--feature-gates=DedicatedPodTolerations=true");
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        suite.close();
    }

    @Test
    void all_pods_of_the_group_tolerate_its_taint_before_any_node_gets_it() {
        prepare("banana");
        suite.namespace("other");
        suite.pod("other", "stranger", "node-banana", "[]");
        suite.pod("banana", "placed", "node-banana", "[]");
        IntStream.range(0, PODS).forEach(i -> pending("banana", "p" + i));
        nodeward.awaitIdle();
        AuditLog.Mark start = suite.mark();
        declare("banana", "banana", "Enforce", "");
        IntStream.range(0, PODS).forEach(i -> pending("banana", "meanwhile-" + i));
        suite.awaitCondition("banana", "Ready", "True");
        assertThat(suite.taints("node-banana")).containsExactly("dedicated=banana:NoSchedule");
        assertThat(pods("banana")).hasSize(2 * PODS + 1).allSatisfy(
                pod -> assertThat(values(pod)).as("" + pod).containsExactly("banana"));
        assertThat(pods("other")).allSatisfy(pod -> assertThat(values(pod)).isEmpty());

        List<AuditRequest> writes = audited(start);
        int taint = IntStream.range(0, writes.size()).filter(i -> writes.get(i).is("patch", "nodes"))
                .findFirst().orElseThrow();
        List<String> before = writes.subList(0, taint).stream().filter(write -> write.is("patch", "pods"))
                .map(AuditRequest::name).toList();
        assertThat(before).as("those that were there").contains("placed")
                .containsAll(IntStream.range(0, PODS).mapToObj(i -> "p" + i).toList());
        assertThat(writes.stream().filter(write -> write.is("patch", "pods") && write.code() == 200)
                .map(AuditRequest::name)).as("one write for each").doesNotHaveDuplicates().hasSize(2 * PODS + 1);
    }

    /** The log is complete when it has the write that the server answered last. */
    private static List<AuditRequest> audited(AuditLog.Mark since) {
        pending("banana", "canary");
        await("the canary in the audit log").atMost(MachineSuite.PATIENCE).until(() -> suite.writes(since, "pods")
                .stream().anyMatch(write -> write.name().equals("canary")));
        return suite.requests(since).filter(AuditRequest::isWrite)
                .filter(write -> !write.name().equals("canary")).toList();
    }

    @Test
    void what_is_created_later_is_healed_and_what_is_no_member_any_more_is_named() {
        prepare("cherry");
        declare("cherry", "cherry", "Enforce", "");
        suite.awaitCondition("cherry", "Ready", "True");
        pending("cherry", "late");
        awaitTolerates("cherry", "late", "cherry");
        suite.change("cherry", "{'who':{'namespaces':['elsewhere']}}");
        await("named").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                suite.status("cherry").at("/preview/refused/names").valueStream().map(JsonNode::asText))
                .containsExactly("cherry/late"));
        assertThat(values(pods("cherry").getFirst())).as("it can never be taken away").containsExactly("cherry");
    }

    @Test
    void warn_gives_tolerations_without_any_taint_and_the_taint_that_is_edited_waits_for_the_new_ones() {
        prepare("olive");
        pending("olive", "p");
        declare("olive", "olive", "Warn", "");
        awaitTolerates("olive", "p", "olive");
        assertThat(suite.taints("node-olive")).isEmpty();
        suite.change("olive", "{'enforcement':'Enforce'}");
        suite.awaitCondition("olive", "Ready", "True");
        AuditLog.Mark edit = suite.mark();
        suite.change("olive", "{'taint':{'value':'green'}}");
        suite.awaitTaints("node-olive", "dedicated=green:NoSchedule");
        assertThat(values(pods("olive").getFirst())).containsExactly("olive", "green");
        await("the log").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(suite.requests(edit)
                .filter(write -> write.is("patch", "pods") || write.is("patch", "nodes")).map(AuditRequest::resource))
                .containsExactly("pods", "nodes"));
    }

    /** A policy of somebody else refuses the write: the group waits and says for which pod, and goes on by itself. */
    @Test
    void a_pod_that_cannot_get_it_holds_up_its_group_and_no_other_and_is_named() {
        prepare("plum");
        prepare("quince");
        pending("plum", "p");
        pending("quince", "q");
        policy();
        declare("plum", "plum", "Enforce", "");
        declare("quince", "quince", "Enforce", "");
        suite.awaitCondition("quince", "Ready", "True");
        await("the reason").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode ready = suite.condition("plum", "Ready");
            assertThat(ready.path("reason").asText()).as("" + ready).isEqualTo("PodRejected");
            assertThat(ready.path("message").asText()).contains("plum/p", "no more tolerations");
        });
        assertThat(suite.taints("node-plum")).isEmpty();
        suite.admin().delete(POLICIES + "ybindings/keep");
        suite.admin().mergePatch("/api/v1/namespaces/plum/pods/p", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        suite.awaitCondition("plum", "Ready", "True");
    }

    @Test
    void the_shared_group_taints_what_is_left_when_all_pods_of_no_other_group_tolerate_it() {
        prepare("fig");
        suite.namespace("anyone");
        suite.node("left");
        declare("fig", "fig", "Enforce", "");
        suite.awaitCondition("fig", "Ready", "True");
        suite.pod("anyone", "placed", "left", "[]");
        suite.pod("kube-system", "system", "left", "[]");
        pending("anyone", "waits");
        pending("fig", "member");
        suite.declare("all", "{'shared':true,'enforcement':'Enforce',"
                + "'taint':{'key':'pool','value':'shared','effects':['NoSchedule']}}");
        suite.awaitCondition("all", "Ready", "True");
        assertThat(suite.taints("left")).containsExactly("pool=shared:NoSchedule");
        assertThat(suite.taints("node-fig")).containsExactly("dedicated=fig:NoSchedule");
        assertThat(pods("anyone")).hasSize(2).allMatch(DedicatedTurnOnTest::toleratesPool);
        assertThat(pods("kube-system").stream().filter(pod -> pod.at("/metadata/name").asText().equals("system")))
                .singleElement().matches(DedicatedTurnOnTest::toleratesPool);
        assertThat(pods("fig")).noneMatch(DedicatedTurnOnTest::toleratesPool);
        suite.delete("fig");
        await("what falls to the shared group").atMost(MachineSuite.PATIENCE)
                .until(() -> pods("fig").stream().allMatch(DedicatedTurnOnTest::toleratesPool)
                        && suite.taints("node-fig").equals(List.of("pool=shared:NoSchedule")));
        suite.delete("all");
        suite.awaitTaints("left");
    }

    private static boolean toleratesPool(JsonNode pod) {
        return pod.at("/spec/tolerations").valueStream()
                .anyMatch(toleration -> toleration.path("key").asText().equals("pool"));
    }

    /** What its controller does with a template that does not tolerate the taint is what the group waits for. */
    @Test
    void a_daemonset_of_the_system_that_would_lose_its_pods_is_named_and_blocks_enforce_until_it_tolerates() {
        prepare("rowan");
        try (LoggedProcess daemons = suite.daemonSets()) {
            suite.admin().create(DAEMON_SETS, daemonSet());
            await("a pod of the DaemonSet").atMost(MachineSuite.PATIENCE).until(() -> !daemonPods().isEmpty());
            declare("rowan", "rowan", "Audit", "");
            awaitNamed("kube-system/proxy");
            suite.change("rowan", "{'enforcement':'Enforce'}");
            await("the reason").atMost(MachineSuite.PATIENCE).until(() -> suite.condition("rowan", "Ready")
                    .path("reason").asText().equals("DaemonSetsNotTolerating"));
            assertThat(suite.taints("node-rowan")).isEmpty();
            suite.admin().mergePatch(DAEMON_SETS + "/proxy", json("{'spec':{'template':{'spec':{"
                    + "'tolerations':[" + NOT_READY + ",{'key':'dedicated','value':'rowan'}]}}}}").toString());
            suite.awaitCondition("rowan", "Ready", "True");
            awaitNamed();
            assertThat(suite.taints("node-rowan")).containsExactly("dedicated=rowan:NoSchedule");
            assertThat(daemonPods()).isNotEmpty();
        }
    }

    private static void awaitNamed(String... names) {
        await("preview.daemonSets").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                suite.status("rowan").at("/preview/daemonSets/names").valueStream().map(JsonNode::asText))
                .containsExactly(names));
    }

    private static List<JsonNode> daemonPods() {
        return pods("kube-system").stream()
                .filter(pod -> pod.at("/metadata/labels/app").asText().equals("proxy")).toList();
    }

    private static JsonNode daemonSet() {
        return json("""
                {'metadata':{'name':'proxy'},'spec':{'selector':{'matchLabels':{'app':'proxy'}},'template':{
                 'metadata':{'labels':{'app':'proxy'}},'spec':{'nodeSelector':{'rowan':'yes'},
                  'tolerations':[%s],'containers':[{'name':'c','image':'i'}]}}}}""".formatted(NOT_READY));
    }

    private static void policy() {
        suite.admin().create(POLICIES + "ies", json("""
                {'metadata':{'name':'keep'},'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':[''],
                 'apiVersions':['v1'],'operations':['UPDATE'],'resources':['pods']}]},
                 'validations':[{'expression':'size(object.spec.tolerations) == size(oldObject.spec.tolerations)',
                 'message':'no more tolerations'}]}}"""));
        suite.admin().create(POLICIES + "ybindings", json("""
                {'metadata':{'name':'keep'},'spec':{'policyName':'keep','validationActions':['Deny'],
                 'matchResources':{'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'plum'}}}}}"""));
        await("the policy").atMost(MachineSuite.PATIENCE).until(() -> !suite.admin().send("PATCH",
                "/api/v1/namespaces/plum/pods/p?dryRun=All", AdminClient.JSON_PATCH,
                json("[{'op':'add','path':'/spec/tolerations/-','value':{'key':'more','operator':'Exists'}}]")
                        .toString())
                .isOk());
    }

    private static void prepare(String name) {
        suite.namespace(name);
        suite.node("node-" + name, name + "=yes");
    }

    private static void declare(String name, String namespace, String mode, String more) {
        suite.declare(name, "{'nodes':{'names':['node-" + name + "']},'who':{'namespaces':['" + namespace
                + "']},'enforcement':'" + mode + "','taint':{'key':'dedicated','value':'" + name
                + "','effects':['NoSchedule']}" + more + "}");
    }

    private static void pending(String namespace, String name) {
        suite.admin().create("/api/v1/namespaces/" + namespace + "/pods", json("{'metadata':{'name':'" + name
                + "'},'spec':{'containers':[{'name':'c','image':'i'}]}}"));
    }

    private static void awaitTolerates(String namespace, String name, String value) {
        await(namespace + "/" + name).atMost(MachineSuite.PATIENCE).until(() -> values(
                suite.admin().get("/api/v1/namespaces/" + namespace + "/pods/" + name)).contains(value));
    }

    private static List<JsonNode> pods(String namespace) {
        return suite.admin().get("/api/v1/namespaces/" + namespace + "/pods").path("items").valueStream().toList();
    }

    /** That it tolerates of the groups' key. */
    private static List<String> values(JsonNode pod) {
        return pod.at("/spec/tolerations").valueStream()
                .filter(toleration -> toleration.path("key").asText().equals("dedicated"))
                .map(toleration -> toleration.path("value").asText()).toList();
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }
}
