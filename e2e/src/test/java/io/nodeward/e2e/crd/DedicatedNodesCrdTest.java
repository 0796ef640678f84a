package io.nodeward.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema of DedicatedNodes and its rules, in a group of its own: the shared server has no controller of them. */
class DedicatedNodesCrdTest {
    private static final String GROUP = "shipped.nodeward.io";
    private static final String GROUPS = "/apis/" + GROUP + "/v1alpha1/dedicatednodes";
    private static final String TAINT = "'taint':{'key':'dedicated','value':'banana','effects':['NoSchedule']}";
    private static final String NODES = "'nodes':{'names':['foo']}";
    private static final String WHO = "'who':{'namespaces':['banana']}";
    private static final String TOO_LONG = "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop";
    private static final String GOOD = "{" + TAINT + "," + NODES + "," + WHO + "}";

    private static AdminClient admin;

    @BeforeAll
    static void install() {
        admin = ControlPlane.shared().admin();
        ClusterApiCrds.install(admin, List.of(ShippedCrds.own("dedicatednodes", GROUP)));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            GOOD,
            "{" + TAINT + ",'shared':true}",
            "{" + TAINT + "," + WHO + ",'nodes':{'owner':{'kind':'MachineSet','name':'ms'}},'exclusive':true}",
            "{" + TAINT + "," + NODES + ",'who':{'resources':['example.com/gpu'],'deviceClasses':['gpu']}}",
            "{'taint':{'key':'example.com/team','effects':['NoScheduleNoAdmitNoExecute','PreferNoSchedule']}," + WHO
                    + ",'nodes':{'selector':{'matchLabels':{'pool':'a'},'matchExpressions':["
                    + "{'key':'a','operator':'NotIn','values':['b']},{'key':'c','operator':'DoesNotExist'}]}},"
                    + "'enforcement':'Enforce','confirmedPods':0}",
            "{" + TAINT + "," + NODES + "," + WHO + ",'eviction':'Respect','deadlineSeconds':31536000}",
            "{" + TAINT + "," + NODES + "," + WHO + ",'eviction':'Delete'}"
    })
    void a_group_that_can_be_meant_is_stored(String spec) {
        assertThat(dryRun(spec).code()).as("%s", dryRun(spec).body()).isEqualTo(201);
    }

    @Test
    void what_is_not_said_is_the_least() {
        JsonNode spec = dryRun(GOOD).body().path("spec");
        assertThat(spec.path("enforcement").asText()).isEqualTo("Audit");
        assertThat(spec.path("exclusive").isBoolean()).isTrue();
        assertThat(spec.path("exclusive").asBoolean() || spec.path("shared").asBoolean()).isFalse();
        assertThat(spec.has("confirmedPods") || spec.has("eviction")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            TAINT + "," + WHO + " | nodes is required unless shared is true",
            TAINT + "," + NODES + " | who is required unless shared is true",
            TAINT + "," + NODES + ",'shared':true | so it has no nodes and no who",
            TAINT + "," + WHO + ",'shared':true | so it has no nodes and no who",
            TAINT + ",'shared':true,'exclusive':true | the shared group cannot be exclusive",
            "'taint':{'key':'a','effects':['NoSchedule','NoExecute']},'shared':true | the shared group evicts nobody",
            "'taint':{'key':'a','effects':['NoScheduleNoAdmitNoExecute']},'shared':true | the shared group evicts nobody",
            TAINT + "," + WHO + ",'nodes':{} | must select Nodes by selector, names or owner",
            TAINT + "," + NODES + ",'who':{} | must name pods",
            TAINT + "," + WHO + ",'nodes':{'selector':{}} | an empty selector selects everything",
            TAINT + "," + NODES + ",'who':{'podSelector':{}} | an empty selector selects everything",
            TAINT + "," + NODES + ",'who':{'namespaceSelector':{'matchLabels':{}}} | should have at least 1 properties",
            TAINT + "," + WHO + ",'nodes':{'owner':{}} | must name an owner",
            TAINT + "," + WHO + ",'nodes':{'names':[]} | should have at least 1 items",
            TAINT + "," + WHO + ",'nodes':{'selector':{'matchExpressions':[{'key':'a','operator':'In'}]}}"
                    + " | In and NotIn need values",
            TAINT + "," + WHO + ",'nodes':{'selector':{'matchExpressions':[{'key':'a','operator':'Exists',"
                    + "'values':['x']}]}} | In and NotIn need values",
            TAINT + "," + WHO + "," + NODES + ",'enforcement':'Off' | supported values",
            TAINT + "," + WHO + "," + NODES + ",'eviction':'Ask' | supported values",
            TAINT + "," + WHO + "," + NODES + ",'eviction':'Delete','deadlineSeconds':60"
                    + " | deadlineSeconds may only be set together with eviction: Respect",
            TAINT + "," + WHO + "," + NODES + ",'deadlineSeconds':60"
                    + " | deadlineSeconds may only be set together with eviction: Respect",
            TAINT + "," + WHO + "," + NODES + ",'eviction':'Respect','deadlineSeconds':0"
                    + " | greater than or equal to 1",
            TAINT + "," + WHO + "," + NODES + ",'eviction':'Respect','deadlineSeconds':31536001"
                    + " | less than or equal to 31536000",
            TAINT + "," + WHO + "," + NODES + ",'confirmedPods':-1 | greater than or equal to 0",
            "'taint':{'key':'dedicated','effects':[]}," + WHO + "," + NODES + " | should have at least 1 items",
            "'taint':{'key':'dedicated','effects':['NoRun']}," + WHO + "," + NODES + " | supported values",
            "'taint':{'key':'dedicated','effects':['NoExecute','NoExecute']}," + WHO + "," + NODES
                    + " | Duplicate value",
            "'taint':{'key':'a-','effects':['NoExecute']}," + WHO + "," + NODES + " | should match",
            "'taint':{'key':'x/" + TOO_LONG + "','effects':['NoExecute']}," + WHO + "," + NODES + " | should match",
            "'taint':{'key':'a','value':'b-','effects':['NoExecute']}," + WHO + "," + NODES + " | should match",
            "'taint':{'key':'node.kubernetes.io/x','effects':['NoExecute']}," + WHO + "," + NODES
                    + " | Kubernetes and Cluster API set and remove taints with this key",
            "'taint':{'key':'DeletionCandidateOfClusterAutoscaler','effects':['NoExecute']}," + WHO + "," + NODES
                    + " | the cluster-autoscaler sets, removes or ignores taints with this key",
            "'taint':{'key':'startup-taint.cluster-autoscaler.kubernetes.io/x','effects':['NoExecute']}," + WHO + ","
                    + NODES + " | the cluster-autoscaler sets, removes or ignores taints with this key",
            "'taint':{'key':'node-role.kubernetes.io/master','effects':['NoExecute']}," + WHO + "," + NODES
                    + " | Nodes of control planes are recognized by this key",
            "'taint':{'key':'nodeward/dedicated-nodes-digest','effects':['NoSchedule']}," + WHO + "," + NODES
                    + " | Nodeward itself uses the label of this key"
    })
    void what_cannot_be_meant_is_refused_with_a_reason(String spec, String reason) {
        assertRefused("{" + spec + "}", reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'names':['Foo']}                                 | spec.nodes.names[0]",
            "{'names':['foo','foo_bar']}                       | spec.nodes.names[1]",
            "{'names':['foo.']}                                | spec.nodes.names[0]",
            "{'owner':{'machine':'M 1'}}                       | spec.nodes.owner.machine",
            "{'owner':{'name':'-ms'}}                          | spec.nodes.owner.name",
            "{'owner':{'clusterName':'c/d'}}                   | spec.nodes.owner.clusterName",
            "{'owner':{'clusterNamespace':'a.b'}}              | spec.nodes.owner.clusterNamespace",
            "{'selector':{'matchLabels':{'pool':'a b'}}}       | spec.nodes.selector.matchLabels.pool",
            "{'selector':{'matchLabels':{'po ol':'a'}}}        | no object has a label with this key",
            "{'selector':{'matchLabels':{'A/b':'a'}}}          | no object has a label with this key",
            "{'selector':{'matchLabels':{'a':'b','/c':'d'}}}   | no object has a label with this key",
            "{'selector':{'matchExpressions':[{'key':'a/b/c','operator':'Exists'}]}}"
                    + " | spec.nodes.selector.matchExpressions[0].key",
            "{'selector':{'matchExpressions':[{'key':'a','operator':'In','values':['b','-']}]}}"
                    + " | spec.nodes.selector.matchExpressions[0].values[1]"
    })
    void what_no_node_can_be_called_selects_none_and_is_refused(String nodes, String reason) {
        assertRefused("{" + TAINT + "," + WHO + ",'nodes':" + nodes + "}", reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'namespaces':['banana','b.c']}                        | spec.who.namespaces[1]",
            "{'serviceAccounts':[{'namespace':'N','name':'s'}]}     | spec.who.serviceAccounts[0].namespace",
            "{'serviceAccounts':[{'namespace':'n','name':'s s'}]}   | spec.who.serviceAccounts[0].name",
            "{'resources':['example.com/']}                         | spec.who.resources[0]",
            "{'deviceClasses':['GPU']}                              | spec.who.deviceClasses[0]",
            "{'podSelector':{'matchLabels':{'a':'b-'}}}             | spec.who.podSelector.matchLabels.a",
            "{'podSelector':{'matchLabels':{'-a':'b'}}}             | no object has a label with this key",
            "{'podSelector':{'matchExpressions':[{'key':'-','operator':'Exists'}]}}"
                    + " | spec.who.podSelector.matchExpressions[0].key",
            "{'namespaceSelector':{'matchLabels':{'a':'b-'}}}       | spec.who.namespaceSelector.matchLabels.a",
            "{'namespaceSelector':{'matchLabels':{'-a':'b'}}}       | no object has a label with this key",
            "{'namespaceSelector':{'matchExpressions':[{'key':'a','operator':'In','values':['a b']}]}}"
                    + " | spec.who.namespaceSelector.matchExpressions[0].values[0]"
    })
    void what_no_pod_can_be_called_names_none_and_is_refused(String who, String reason) {
        assertRefused("{" + TAINT + "," + NODES + ",'who':" + who + "}", reason);
    }

    @Test
    void the_most_and_the_longest_that_can_be_selected_is_stored() {
        String domain = "a.".repeat(126) + "b";
        String labels = IntStream.range(0, 16)
                .mapToObj(i -> "'%s/%s':'%s'".formatted(domain, "k".repeat(61) + (10 + i), "v".repeat(63)))
                .collect(Collectors.joining(",", "{", "}"));
        String selector = "{'matchLabels':" + labels + "}";
        AdminClient.Reply reply = dryRun("{" + TAINT + ",'nodes':{'selector':" + selector + ",'names':['" + domain
                + "','1']},'who':{'podSelector':" + selector + ",'namespaceSelector':" + selector + "}}");
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(201);
    }

    private static void assertRefused(String spec, String reason) {
        AdminClient.Reply reply = dryRun(spec);
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains(reason);
    }

    @Test
    void the_domain_of_a_key_leaves_room_for_that_of_the_label() {
        String longest = "a.".repeat(110) + "bc";
        String spec = "{" + WHO + "," + NODES + ",'taint':{'key':'%s/x','effects':['NoSchedule']}}";
        assertThat(longest).hasSize(222);
        assertThat(dryRun(spec.formatted(longest)).code()).isEqualTo(201);
        assertThat(dryRun(spec.formatted("d" + longest)).body().path("message").asText())
                .contains("must not be longer than 222 characters");
    }

    @Test
    void a_spec_that_was_applied_is_stored_whole_in_the_status() {
        admin.create(GROUPS, object("whole", GOOD));
        String applied = ("{'taint':{'key':'k','value':'v','effects':['NoSchedule']},'exclusive':true,'shared':false,"
                + "'enforcement':'Enforce','confirmedPods':3,'eviction':'Respect','deadlineSeconds':60,"
                + "'nodes':{'names':['b','a'],'owner':{'machine':'m'},'selector':{'matchLabels':{'x':''}}},"
                + "'who':{'serviceAccounts':[{'namespace':'n','name':'s'}],'resources':['r/x'],'deviceClasses':['d'],"
                + "'podSelector':{'matchExpressions':[{'key':'a','operator':'In','values':['b','']}]}}}")
                .replace('\'', '"');
        admin.mergePatch(GROUPS + "/whole/status", "{\"status\":{\"nodes\":3,\"applied\":" + applied + "}}");
        assertThat(admin.get(GROUPS + "/whole").path("status").path("applied")).isEqualTo(Json.parse(applied));
        admin.delete(GROUPS + "/whole");
    }

    private static AdminClient.Reply dryRun(String spec) {
        return admin.send("POST", GROUPS + "?dryRun=All", AdminClient.JSON, object("banana", spec).toString());
    }

    private static JsonNode object(String name, String spec) {
        return Json.parse("{'apiVersion':'%s/v1alpha1','kind':'DedicatedNodes','metadata':{'name':'%s'},'spec':%s}"
                .formatted(GROUP, name, spec).replace('\'', '"'));
    }
}
