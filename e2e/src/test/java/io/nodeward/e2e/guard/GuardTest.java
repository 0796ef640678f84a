package io.nodeward.e2e.guard;

import static io.nodeward.e2e.guard.GuardSuite.awaitAllowed;
import static io.nodeward.e2e.guard.GuardSuite.awaitRefused;
import static io.nodeward.e2e.guard.GuardSuite.binding;
import static io.nodeward.e2e.guard.GuardSuite.policy;
import static io.nodeward.e2e.guard.GuardSuite.taint;
import static io.nodeward.e2e.guard.GuardSuite.taints;
import static io.nodeward.e2e.guard.GuardSuite.tries;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API server refuses changes of taints by the policies of guards, and Nodeward keeps these policies. */
class GuardTest {
    private static final String NODE = "n";

    private static GuardSuite suite;
    private static LoggedProcess garbageCollector;
    private static AdminClient jane;
    private RunningNodeward nodeward;

    @BeforeAll
    static void startCluster() {
        suite = new GuardSuite();
        garbageCollector = suite.controlPlane().controllerManager(List.of("garbage-collector-controller"));
        jane = suite.user("jane");
        suite.readyNode(NODE);
    }

    @AfterAll
    static void stopCluster() {
        garbageCollector.close();
        suite.close();
    }

    @BeforeEach
    void run() {
        nodeward = suite.run();
    }

    @AfterEach
    void stop() {
        nodeward.close();
    }

    @Test
    void audit_annotates_warn_warns_and_enforce_refuses_what_has_the_prefix_and_nothing_else() {
        declare("modes", "");
        AuditLog.Mark mark = suite.mark();
        await("the annotation").atMost(MachineSuite.PATIENCE).until(() -> {
            assertThat(taints(jane, NODE, "modes.example.com/a").warnings()).isEmpty();
            return suite.audited(mark).anyMatch(request -> request.code() == 200 && request.annotations()
                    .path("validation.policy.admission.k8s.io/validation_failure").asText()
                    .contains("NodeTaintGuard modes does not let this user change"));
        });
        suite.change("modes", "{'enforcement':'Warn'}");
        await("the warning").atMost(MachineSuite.PATIENCE).until(() -> {
            AdminClient.Reply reply = taints(jane, NODE, "modes.example.com/a");
            assertThat(reply.code()).isEqualTo(200);
            return reply.warnings().toString()
                    .contains("NodeTaintGuard modes does not let this user change guarded taints in spec.taints: jane");
        });
        suite.change("modes", "{'enforcement':'Enforce'}");
        awaitRefused(jane, NODE, "modes.example.com/a");
        AdminClient.Reply refused = taints(jane, NODE, "modes.example.com/a");
        assertThat(refused.reason()).isEqualTo("Forbidden");
        assertThat(refused.body().path("message").asText())
                .contains("nodes \"n\"", "guarded taints in spec.taints: jane");
        assertThat(taints(jane, NODE, "example.com/modes").isOk()).isTrue();
        suite.awaitCondition("modes", "Ready", "True");
    }

    @Test
    void a_guarded_taint_can_be_neither_added_nor_changed_nor_removed_and_all_else_of_a_node_can() {
        suite.readyNode("parts");
        suite.admin().mergePatch(Fleet.nodePath("parts"), ("{'spec':{'taints':[" + taint("parts.example.com/a") + ","
                + taint("parts.example.com/b") + "," + taint("free") + "]}}").replace('\'', '"'));
        declare("parts", "'enforcement':'Enforce'");
        awaitRefused(jane, "parts", "parts.example.com/c");
        assertThat(tries(jane, "parts", "{'spec':{'taints':null}}").code()).isEqualTo(403);
        assertThat(tries(jane, "parts", "{'spec':{'taints':[" + taint("parts.example.com/a") + ","
                + taint("parts.example.com/b").replace("NoSchedule", "NoExecute") + "]}}").code()).isEqualTo(403);
        assertThat(tries(jane, "parts", "{'spec':{'taints':[" + taint("parts.example.com/b") + "," + taint("other")
                + "," + taint("parts.example.com/a") + "]}}").code()).as("others, and another order").isEqualTo(200);
        assertThat(tries(jane, "parts", "{'metadata':{'labels':{'a':'b'}},'spec':{'unschedulable':true}}").code())
                .isEqualTo(200);
        AdminClient.Reply status = jane.send("PATCH", Fleet.nodePath("parts") + "/status", AdminClient.MERGE_PATCH,
                "{\"spec\":{\"taints\":null},\"status\":{\"allocatable\":{\"pods\":\"7\"}}}");
        assertThat(status.code()).isEqualTo(200);
        assertThat(status.body().at("/spec/taints")).hasSize(3);
        assertThat(status.body().at("/status/allocatable/pods").asText()).isEqualTo("7");
    }

    @Test
    void all_of_spec_is_guarded_only_if_the_guard_says_so() {
        suite.readyNode("whole");
        suite.declare("whole", "{'scope':'Spec','enforcement':'Enforce','exempt':{'users':['admin']}}");
        await("the refusal").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                tries(jane, "whole", "{'spec':{'unschedulable':true}}").code()).isEqualTo(403));
        assertThat(taints(jane, "whole", "any").code()).isEqualTo(403);
        assertThat(tries(jane, "whole", "{'metadata':{'labels':{'a':'b'}}}").code()).isEqualTo(200);
        assertThat(created(jane, "{'metadata':{'name':'new'}}")).isEqualTo(201);
        assertThat(created(jane, "{'metadata':{'name':'new'},'spec':{'providerID':'p://1'}}")).isEqualTo(403);
        assertThat(tries(suite.admin(), "whole", "{'spec':{'unschedulable':true}}").code()).isEqualTo(200);
        deleteAndAwaitGone("whole");
    }

    @Test
    void without_prefixes_all_taints_are_guarded_but_that_of_the_server_on_a_new_node() {
        suite.declare("all", "{'enforcement':'Enforce','exempt':{'users':['admin']}}");
        awaitRefused(jane, NODE, "any");
        assertThat(created(jane, "{'metadata':{'name':'new'}}")).as("with the taint that the server adds")
                .isEqualTo(201);
        assertThat(created(jane, "{'metadata':{'name':'new'},'spec':{'taints':[" + taint("any") + "]}}"))
                .isEqualTo(403);
        assertThat(tries(jane, NODE, "{'spec':{'unschedulable':true}}").code()).isEqualTo(200);
        deleteAndAwaitGone("all");
    }

    /** NodeRestriction is on, and the kubelet has its own credentials. */
    @Test
    void a_kubelet_registers_its_node_with_guarded_taints_unless_kubelets_are_not_exempt() {
        declare("kubelet", "'enforcement':'Enforce'");
        awaitRefused(jane, NODE, "kubelet.example.com/a");
        AdminClient kubelet = suite.only("system:node:own", "system:nodes");
        String own = "{'metadata':{'name':'own'},'spec':{'taints':[" + taint("kubelet.example.com/a") + "]}}";
        assertThat(created(jane, own)).isEqualTo(403);
        assertThat(created(kubelet, own)).isEqualTo(201);
        assertThat(created(suite.user("system:node:own"), own)).as("no kubelet").isEqualTo(403);
        suite.change("kubelet", "{'exempt':{'components':['Karpenter']}}");
        await("the refusal").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(created(kubelet, own)).isEqualTo(403));
    }

    @Test
    void components_are_exempt_by_their_usual_identities_until_the_guard_lists_others() {
        declare("components", "'enforcement':'Enforce'");
        String key = "components.example.com/a";
        awaitRefused(jane, NODE, key);
        List<AdminClient> exempt = List.of(
                suite.user("system:kube-controller-manager"), account("kube-system:node-controller"),
                suite.user("system:cloud-controller-manager"), account("kube-system:cloud-controller-manager"),
                account("kube-system:cloud-node-controller"), account("kube-system:cloud-node-lifecycle-controller"),
                account("kube-system:cluster-autoscaler"), suite.user("kubernetes-admin"),
                account("capi-system:capi-manager"), account("kube-system:karpenter"), account("karpenter:karpenter"),
                account("kube-system:cilium-operator"), suite.user("kubernetes-super-admin"));
        exempt.forEach(who -> assertThat(taints(who, NODE, key).code()).isEqualTo(200));
        assertThat(taints(account("default:cluster-autoscaler"), NODE, key).code()).isEqualTo(403);
        suite.change("components", "{'exempt':{'components':['Kubeadm']}}");
        awaitRefused(account("kube-system:karpenter"), NODE, key);
        awaitAllowed(suite.editor("kubernetes-admin", "kubeadm:cluster-admins"), NODE, key); // RBAC is known by then
        assertThat(taints(suite.editor("kubernetes-admin", "other"), NODE, key).code()).isEqualTo(403);
        assertThat(taints(suite.editor("jane", "kubeadm:cluster-admins"), NODE, key).code()).isEqualTo(403);
        suite.change("components", "{'exempt':{'components':['ClusterAutoscaler']}}");
        awaitAllowed(account("kube-system:cluster-autoscaler"), NODE, key);
        assertThat(taints(account("kube-system:node-controller"), NODE, key).code()).isEqualTo(403);
        suite.change("components", "{'exempt':{'components':[]}}");
        exempt.forEach(who -> awaitRefused(who, NODE, key));
        assertThat(taints(account("nodeward-system:nodeward-guard"), NODE, key).code()).as("Nodeward itself")
                .isEqualTo(200);
    }

    @Test
    void users_groups_and_service_accounts_are_exempt_by_name_until_they_are_not() {
        declare("names",
                "'enforcement':'Enforce','exempt':{'users':['o\\u0027brien\\\"\\\\'],'groups':['operators'],"
                        + "'serviceAccounts':['tools/tainter']}");
        String key = "names.example.com/a";
        awaitRefused(jane, NODE, key);
        AdminClient operator = suite.user("olga", "operators");
        AdminClient tool = account("tools:tainter");
        AdminClient quoted = suite.user("o'brien\"\\");
        assertThat(List.of(operator, tool, quoted))
                .allSatisfy(who -> assertThat(taints(who, NODE, key).code()).isEqualTo(200));
        suite.change("names", "{'exempt':{'groups':[],'serviceAccounts':[]}}");
        awaitRefused(operator, NODE, key);
        awaitRefused(tool, NODE, key);
        suite.awaitCondition("names", "Ready", "True");
    }

    /** The administrator may edit anything; each of these would take requests from the guard, and none is a field that it sets. */
    @Test
    void what_somebody_adds_to_policy_or_binding_is_taken_away_again() {
        declare("edited", "'enforcement':'Enforce'");
        awaitRefused(jane, NODE, "edited.example.com/a");
        JsonNode ofPolicy = suite.specOf(policy("edited"));
        JsonNode ofBinding = suite.specOf(binding("edited"));
        JsonNode rules = ofPolicy.at("/matchConstraints/resourceRules").deepCopy();
        ((ObjectNode) rules.path(0)).putArray("resourceNames").add("none");
        edit(policy("edited"), ofPolicy, "{\"spec\":{\"matchConstraints\":{\"resourceRules\":" + rules + "}}}");
        edit(policy("edited"), ofPolicy,
                "{\"spec\":{\"matchConstraints\":{\"excludeResourceRules\":" + ofPolicy.at(
                        "/matchConstraints/resourceRules") + "}}}");
        edit(policy("edited"), ofPolicy, "{\"spec\":{\"paramKind\":{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"}}}");
        edit(policy("edited"), ofPolicy, "{\"spec\":{\"failurePolicy\":\"Ignore\"}}");
        edit(policy("edited"), ofPolicy, "{\"spec\":{\"matchConstraints\":{\"objectSelector\":{\"matchLabels\":"
                + "{\"no\":\"node\"}}}}}");
        edit(binding("edited"), ofBinding, "{\"spec\":{\"paramRef\":{\"name\":\"none\",\"namespace\":\"default\","
                + "\"parameterNotFoundAction\":\"Allow\"}}}");
        edit(binding("edited"), ofBinding, "{\"spec\":{\"matchResources\":{\"objectSelector\":{\"matchLabels\":"
                + "{\"no\":\"node\"}}}}}");
        edit(binding("edited"), ofBinding, "{\"spec\":{\"validationActions\":[\"Deny\",\"Audit\"]}}");
        applied(ofBinding);
        suite.admin().delete(binding("edited"));
        awaitSpec(binding("edited"), ofBinding);
        suite.admin().delete(policy("edited"));
        awaitSpec(policy("edited"), ofPolicy);
        awaitRefused(jane, NODE, "edited.example.com/a");
    }

    /** The list of actions is a set: what a manager applies joins what others have applied. */
    private static void applied(JsonNode ofBinding) {
        AdminClient.Reply reply = suite.admin().send("PATCH", binding("edited") + "?fieldManager=stranger&force=true",
                AdminClient.APPLY_PATCH, """
                        {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding",
                         "metadata":{"name":"nodeward-guard.edited","labels":null},
                         "spec":{"validationActions":["Audit"]}}""");
        assertThat(reply.isOk()).as("%s", reply.body()).isTrue();
        assertThat(reply.body().at("/spec/validationActions").toString()).contains("Audit");
        awaitSpec(binding("edited"), ofBinding);
    }

    private static void edit(String path, JsonNode own, String patch) {
        JsonNode edited = suite.admin().mergePatch(path, patch);
        assertThat(edited.path("spec")).as(patch).isNotEqualTo(own);
        awaitSpec(path, own);
    }

    private static void awaitSpec(String path, JsonNode spec) {
        await(path).atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(suite.find(path).orElseThrow().path("spec")).isEqualTo(spec));
    }

    @Test
    void labels_and_owner_are_put_back_and_the_labels_of_others_stay() {
        declare("owned", "");
        suite.awaitCondition("owned", "Ready", "True");
        JsonNode before = suite.admin().get(policy("owned")).path("metadata");
        suite.admin().mergePatch(policy("owned"),
                "{\"metadata\":{\"ownerReferences\":null,\"labels\":{\"nodeward.io/component\":null,\"team\":\"a\"}}}");
        await("the metadata").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode now = suite.admin().get(policy("owned")).path("metadata");
            assertThat(now.path("ownerReferences")).isEqualTo(before.path("ownerReferences")).hasSize(1);
            assertThat(now.at("/labels/nodeward.io~1component").asText()).isEqualTo("guard");
            assertThat(now.at("/labels/team").asText()).isEqualTo("a");
        });
    }

    @Test
    void after_a_restart_what_is_there_is_read_and_what_was_edited_meanwhile_is_put_back() {
        declare("restart", "'enforcement':'Enforce'");
        suite.awaitCondition("restart", "Ready", "True");
        JsonNode ofBinding = suite.specOf(binding("restart"));
        nodeward.close();
        suite.admin().mergePatch(suite.path("restart") + "/status", """
                {"status":{"conditions":[{"type":"Ready","status":"Unknown","reason":"Waiting","message":"m",
                 "lastTransitionTime":"2026-01-01T00:00:00Z","observedGeneration":1}]}}""");
        AuditLog.Mark mark = suite.mark();
        run();
        suite.awaitCondition("restart", "Ready", "True");
        assertThat(suite.writes(mark, "validatingadmission")).as("nothing was to be written").isEmpty();
        nodeward.close();
        suite.admin().mergePatch(binding("restart"), "{\"spec\":{\"validationActions\":[\"Audit\"]}}");
        run();
        awaitSpec(binding("restart"), ofBinding);
    }

    @Test
    void a_guard_holds_while_nodeward_is_down_and_ends_when_it_is_deleted_meanwhile() {
        declare("down", "'enforcement':'Enforce'");
        awaitRefused(jane, NODE, "down.example.com/a");
        nodeward.close();
        awaitRefused(jane, NODE, "down.example.com/a");
        deleteAndAwaitGone("down");
        awaitAllowed(jane, NODE, "down.example.com/a");
    }

    @Test
    void with_the_gate_off_policies_and_bindings_are_removed_and_with_it_on_they_are_back() {
        declare("gate", "'enforcement':'Enforce'");
        awaitRefused(jane, NODE, "gate.example.com/a");
        nodeward.close();
        nodeward = suite.runOff();
        awaitGone("gate");
        nodeward.close();
        run();
        awaitRefused(jane, NODE, "gate.example.com/a");
    }

    /** A change is an error if comparing taints costs the server more than it allows; it has the effect of the enforcement. */
    @Test
    void on_a_node_with_very_many_taints_only_a_change_of_them_is_refused() {
        suite.readyNode("many");
        suite.admin().mergePatch(Fleet.nodePath("many"), "{\"spec\":{\"taints\":"
                + taints("many.example.com/", IntStream.range(0, 1500)).replace('\'', '"') + "}}");
        declare("many", "'enforcement':'Enforce'");
        awaitRefused(jane, NODE, "many.example.com/a");
        assertThat(tries(jane, "many", "{'metadata':{'labels':{'a':'b'}},'spec':{'unschedulable':true}}").code())
                .isEqualTo(200);
        AdminClient.Reply reordered = tries(jane, "many", "{'spec':{'taints':"
                + taints("many.example.com/", IntStream.range(0, 1500).map(i -> 1499 - i)) + "}}");
        assertThat(reordered.isOk()).isFalse();
        assertThat(reordered.body().path("message").asText()).contains("cost");
        assertThat(tries(account("kube-system:karpenter"), "many", "{'spec':{'taints':null}}").code()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "a.b | {} | the name must have at most 63 characters, and no dot",
            "a | {'scope':'Spec','keyPrefixes':['k']} | keyPrefixes may only be set together with scope: Taints",
            "a | {'keyPrefixes':['']} | spec.keyPrefixes[0]",
            "a | {'exempt':{'components':['Kubelet']}} | spec.exempt.components[0]",
            "a | {'exempt':{'serviceAccounts':['name']}} | spec.exempt.serviceAccounts[0]",
            "a | {'enforcement':'Deny'} | spec.enforcement"
    })
    void the_schema_refuses_what_a_guard_cannot_mean(String name, String spec, String reason) {
        AdminClient.Reply reply = suite.admin().send("POST", "/apis/nodeward.io/v1alpha1/nodetaintguards?dryRun=All",
                AdminClient.JSON,
                "{'apiVersion':'nodeward.io/v1alpha1','kind':'NodeTaintGuard','metadata':{'name':'%s'},'spec':%s}"
                        .formatted(name, spec).replace('\'', '"'));
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains(reason);
    }

    private static AdminClient account(String name) {
        return suite.user("system:serviceaccount:" + name);
    }

    /** The code of the answer to a creation that is not stored. */
    private static int created(AdminClient who, String node) {
        return who.send("POST", "/api/v1/nodes?dryRun=All", AdminClient.JSON, node.replace('\'', '"')).code();
    }

    /** A guard of the keys that begin with its name. */
    private static void declare(String name, String more) {
        suite.declare(name, "{'keyPrefixes':['" + name + ".example.com/']" + (more.isEmpty() ? "" : "," + more) + "}");
    }

    private static void deleteAndAwaitGone(String guard) {
        suite.delete(guard);
        awaitGone(guard);
    }

    private static void awaitGone(String guard) {
        await("the end of " + guard).atMost(MachineSuite.PATIENCE).until(
                () -> suite.find(binding(guard)).isEmpty() && suite.find(policy(guard)).isEmpty());
    }
}
