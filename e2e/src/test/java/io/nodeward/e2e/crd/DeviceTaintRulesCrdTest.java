package io.nodeward.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.json.Trees;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.DriverTaint;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.preview.Sample;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema of DeviceTaintRule and its rules, in a group of its own: the shared server has no controller of them. */
class DeviceTaintRulesCrdTest {
    private static final String GROUP = "shipped.nodeward.io";
    private static final String RULES = "/apis/" + GROUP + "/v1alpha1/devicetaintrules";
    private static final String TAINT = "'taint':{'key':'example.com/hot','effect':'None'}";
    private static final String DOMAIN = "a.".repeat(126) + "b";

    private static AdminClient admin;

    @BeforeAll
    static void install() {
        admin = ControlPlane.shared().admin();
        ClusterApiCrds.install(admin, List.of(ShippedCrds.own("devicetaintrules", GROUP)));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{" + TAINT + "}",
            "{" + TAINT + ",'deviceSelector':{}}",
            "{" + TAINT + ",'deviceSelector':{'driver':'gpu.example.com','pool':'rack.a/node-1','device':'gpu-0'}}",
            "{" + TAINT + ",'deviceSelector':{'deviceClassName':'gpu.example.com','selectors':["
                    + "{'cel':{'expression':'device.driver == \\\"gpu.example.com\\\"'}},{'cel':{'expression':'true'}}]}}",
            "{" + TAINT + ",'deviceSelector':{'publishedTaint':{'key':'dra.kubernetes.io/x'}}}",
            "{" + TAINT + ",'deviceSelector':{'publishedTaint':{'key':'a','value':'','effect':'None'}}}",
            "{" + TAINT + ",'eviction':'Delete'}",
            "{" + TAINT + ",'eviction':'Respect'}",
            "{" + TAINT + ",'eviction':'Respect','deadlineSeconds':1}",
            "{" + TAINT + ",'eviction':'Respect','deadlineSeconds':31536000}",
            "{" + TAINT + ",'untaintAfter':'1s'}",
            "{" + TAINT + ",'untaintAfter':'1h30m5s'}",
            "{" + TAINT + ",'untaintAfter':'8760h'}",
            "{'taint':{'key':'hot','value':'very','effect':'None','timeAdded':'2026-01-02T03:04:05Z','description':'90 C',"
                    + "'evictionsPerSecond':1,'data':{'celsius':90,'fans':[{'rpm':0}],'since':null}}}"
    })
    void a_rule_that_can_be_meant_is_stored(String spec) {
        AdminClient.Reply reply = dryRun(spec);
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(201);
        assertThat(faults(spec)).isEmpty();
    }

    @Test
    void what_is_not_said_is_the_default_and_a_selector_that_is_empty_stays_one() {
        JsonNode stored = dryRun("{" + TAINT + ",'deviceSelector':{}}").body().path("spec");
        assertThat(stored.at("/taint/evictionsPerSecond").asInt()).isEqualTo(10);
        assertThat(stored.path("deviceSelector").isObject()).isTrue();
        assertThat(stored.at("/taint").properties()).hasSize(3);
        for (String spec : List.of("{" + TAINT + "}", "{" + TAINT + ",'deviceSelector':null}")) {
            assertThat(dryRun(spec).body().path("spec").has("deviceSelector")).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'deviceSelector':{}}                                     | 422",
            "{'deviceSelector':{'selectors':[]}}                       | 422",
            "{'deviceSelector':{},'confirmedPods':0}                   | 201",
            "{'deviceSelector':{},'confirmedPods':-1}                  | 422",
            "{'deviceSelector':{'driver':'gpu.example.com'}}           | 422",
            "{'deviceSelector':{'driver':'gpu.example.com'},'confirmedPods':0} | 201",
            "{'deviceSelector':{'driver':'gpu.example.com','pool':'node-1'}}   | 201",
            "{'deviceSelector':{'pool':'node-1'}}                      | 201",
            "{'deviceSelector':{'device':'gpu-0'}}                     | 201",
            "{'deviceSelector':{'publishedTaint':{'key':'a'}}}         | 201",
            "{'deviceSelector':{'deviceClassName':'gpu.example.com'}}  | 201",
            "{'deviceSelector':{'selectors':[{'cel':{'expression':'true'}}]}} | 201",
            "{}                                                        | 201"
    })
    void who_evicts_from_every_device_confirms_how_many_pods(String spec, int code) {
        String rest = spec.equals("{}") ? "}" : "," + spec.substring(1);
        assertThat(dryRun("{'taint':{'key':'example.com/hot','effect':'NoExecute'}" + rest).code()).isEqualTo(code);
        assertThat(dryRun("{" + TAINT + rest).code()).as("no effect").isEqualTo(spec.contains(":-1") ? 422 : 201);
    }

    /** The rules of the controller, which look at objects that are older than the schema, find the same. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'effect':'None'} | key: Required value",
            "{'key':'a'} | effect: Required value",
            "{'key':'','effect':'None'} | should be at least 1 chars long",
            "{'key':'a-','effect':'None'} | should match",
            "{'key':'A.com/x','effect':'None'} | should match",
            "{'key':'a/b/c','effect':'None'} | should match",
            "{'key':'kubernetes.io/x','effect':'None'} | keys under kubernetes.io are reserved for Kubernetes",
            "{'key':'a.b.kubernetes.io/x','effect':'None'} | keys under kubernetes.io are reserved for Kubernetes",
            "{'key':'a','value':'b c','effect':'None'} | should match",
            "{'key':'a','effect':'PreferNoSchedule'} | supported values",
            "{'key':'a','effect':'None','evictionsPerSecond':0} | greater than or equal to 1",
            "{'key':'a','effect':'None','evictionsPerSecond':1001} | less than or equal to 1000"
    })
    void a_taint_that_no_device_can_have_is_refused(String taint, String reason) {
        assertRefused("{'taint':" + taint + "}", "spec.taint", reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'deviceClassName':''}                     | spec.deviceSelector.deviceClassName",
            "{'deviceClassName':'Gpu'}                  | spec.deviceSelector.deviceClassName",
            "{'driver':''}                              | spec.deviceSelector.driver",
            "{'driver':'gpu/example'}                   | spec.deviceSelector.driver",
            "{'pool':''}                                | spec.deviceSelector.pool",
            "{'pool':'a//b'}                            | spec.deviceSelector.pool",
            "{'pool':'/a'}                              | spec.deviceSelector.pool",
            "{'device':''}                              | spec.deviceSelector.device",
            "{'device':'gpu.0'}                         | spec.deviceSelector.device",
            "{'publishedTaint':{}}                      | spec.deviceSelector.publishedTaint.key",
            "{'publishedTaint':{'key':'a/b/c'}}         | spec.deviceSelector.publishedTaint.key",
            "{'publishedTaint':{'key':'a','value':'b c'}}      | spec.deviceSelector.publishedTaint.value",
            "{'publishedTaint':{'key':'a','effect':'Later'}}   | spec.deviceSelector.publishedTaint.effect",
            "{'selectors':[{}]}                         | spec.deviceSelector.selectors[0].cel",
            "{'selectors':[{'cel':{}}]}                 | spec.deviceSelector.selectors[0].cel.expression",
            "{'selectors':[{'cel':{'expression':''}}]}  | spec.deviceSelector.selectors[0].cel.expression"
    })
    void a_selector_that_can_select_nothing_is_refused(String selector, String field) {
        assertRefused("{" + TAINT + ",'deviceSelector':" + selector + "}", field, field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'all'", "{'driver':7}", "{'selectors':{}}", "{'selectors':['true']}"})
    void a_selector_of_another_type_is_refused(String selector) {
        AdminClient.Reply reply = dryRun("{" + TAINT + ",'deviceSelector':" + selector + "}");
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains("spec.deviceSelector", "must be of type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'timeAdded':'yesterday'",
            "'timeAdded':'2026-01-02T03:04:05.1234567890Z'", "'timeAdded':'2026-01-02T03:04:05,5Z'",
            "'timeAdded':'2026-01-02T03:04:05+99:00'", "'data':'x'", "'data':[1]"})
    void a_part_of_a_taint_of_another_type_is_refused(String part) {
        AdminClient.Reply reply = dryRun("{'taint':{'key':'a','effect':'None'," + part + "}}");
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains("spec.taint.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "'eviction':'Evict'                             | spec.eviction | Unsupported value",
            "'eviction':'Respect','deadlineSeconds':0       | spec.deadlineSeconds | greater than or equal to 1",
            "'eviction':'Respect','deadlineSeconds':-1      | spec.deadlineSeconds | greater than or equal to 1",
            "'eviction':'Respect','deadlineSeconds':31536001| spec.deadlineSeconds | less than or equal to 31536000",
            "'eviction':'Delete','deadlineSeconds':60       | spec | only be set together with eviction: Respect",
            "'deadlineSeconds':60                           | spec | only be set together with eviction: Respect"
    })
    void a_deadline_that_no_eviction_can_have_is_refused(String eviction, String field, String reason) {
        assertRefused("{" + TAINT + "," + eviction + "}", field, reason);
    }

    @ParameterizedTest
    @CsvSource({"10 m, should match", "1.5h, should match", "-5m, should match", "5m1h, should match",
            "0s, must be from 1s to 8760h", "8761h, must be from 1s to 8760h", "8760h1s, must be from 1s to 8760h",
            "'', should be at least 2 chars long"})
    void a_time_that_no_device_can_recover_for_is_refused(String time, String reason) {
        String spec = "{" + TAINT + ",'untaintAfter':'" + time + "'}";
        AdminClient.Reply reply = dryRun(spec);
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains("spec.untaintAfter", reason);
        assertThat(faults(spec)).hasSize(time.isEmpty() ? 0 : 1);
    }

    @Test
    void the_longest_rule_is_stored_whole() {
        String longest = longest();
        assertThat(faults(longest)).isEmpty();
        ObjectNode object = (ObjectNode) object("l".repeat(253), longest);
        admin.create(RULES, object);
        JsonNode stored = admin.get(RULES + "/" + "l".repeat(253));
        assertThat(stored.path("spec")).isEqualTo(object.path("spec"));
        admin.delete(RULES + "/" + "l".repeat(253));
    }

    @Test
    void what_is_longer_is_refused() {
        assertRefused(longest().replace("'deviceClassName':'", "'deviceClassName':'a"),
                "spec.deviceSelector.deviceClassName", "may not be more than 253 bytes");
        assertRefused(longest().replace("'driver':'", "'driver':'a"),
                "spec.deviceSelector.driver", "may not be more than 63 bytes");
        assertRefused(longest().replace("'pool':'", "'pool':'a"),
                "spec.deviceSelector.pool", "may not be more than 253 bytes");
        assertRefused(longest().replace("'device':'", "'device':'a"),
                "spec.deviceSelector.device", "may not be more than 63 bytes");
        assertRefused(longest().replace("'selectors':[", "'selectors':[{'cel':{'expression':'true'}},"),
                "spec.deviceSelector.selectors", "must have at most 32 items");
        assertRefused(longest().replace("'key':'a", "'key':'aa"), "spec.taint.key", "may not be more than 317 bytes");
        assertRefused("{'taint':{'key':'a" + DOMAIN + "/x','effect':'None'}}",
                "spec.taint", "the domain of the key must not be longer than 253 characters");
        assertRefused(longest().replace("'value':'", "'value':'a"), "spec.taint.value",
                "may not be more than 63 bytes");
        assertRefused(longest().replace("'description':'", "'description':'a"),
                "spec.taint.description", "may not be more than 1024 bytes");
        assertThat(dryRun(longest().replace("'true", "' true")).body().path("message").asText())
                .contains("selectors[31].cel.expression", "may not be more than 10240 bytes");
    }

    /** No schema can say how long an object is in JSON: the controller and the webhook do. */
    @Test
    void data_that_is_too_long_is_found_by_the_rules_alone() {
        String spec = longest().replace("'data':{'", "'data':{'a");
        assertThat(dryRun(spec).code()).isEqualTo(201);
        assertThat(faults(spec)).singleElement().asString().startsWith("spec.taint.data: ");
    }

    @Test
    void a_preview_is_stored_whole_and_shown() {
        admin.create(RULES, object("previewed", "{" + TAINT + "}"));
        List<String> names = IntStream.range(0, 12)
                .mapToObj(i -> "d".repeat(63) + "/" + "p".repeat(253) + "/" + "n".repeat(61) + (10 + i)).toList();
        Sample devices = Sample.of(names);
        Sample pods = Sample.of(List.of("n".repeat(63) + "/" + "p".repeat(253), "n/p"));
        String status =
                Trees.text(new DevicePreview(devices, devices, pods, 2, pods,
                        new DevicePreview.Unanswered(devices, "why"), DevicePreview.Unanswered.NONE,
                        List.of(new DriverTaint("k".repeat(253) + "/" + "n".repeat(63), "v".repeat(63), "NoExecute", 1),
                                new DriverTaint("k", "", "None", 12)),
                        pods).tree());
        admin.mergePatch(RULES + "/previewed/status", "{\"status\":" + status + "}");

        assertThat(admin.get(RULES + "/previewed").path("status")).isEqualTo(Json.parse(status));
        String[] table = ControlPlane.shared().kubectl().run("get", "devicetaintrules.v1alpha1." + GROUP, "previewed")
                .orThrow("kubectl get").out().split("\n", -1);
        assertThat(table[0].trim().split("\\s+")).containsExactly("NAME", "EFFECT", "DEVICES", "PODS", "AGE");
        assertThat(table[1].trim().split("\\s+")).startsWith("previewed", "None", "12", "2");
        admin.delete(RULES + "/previewed");
    }

    @Test
    void a_status_has_eight_conditions_each_of_a_generation() {
        admin.create(RULES, object("conditions", "{" + TAINT + "}"));
        assertThat(conditions(8, ",'observedGeneration':1").code()).isEqualTo(200);
        assertThat(conditions(9, ",'observedGeneration':1").body().path("message").asText())
                .contains("must have at most 8 items");
        assertThat(conditions(1, "").body().path("message").asText())
                .contains("observedGeneration", "Required value");
        admin.delete(RULES + "/conditions");
    }

    /** The command asks to be refused: the rule would ask no budget. */
    @Test
    void a_server_with_an_older_schema_drops_how_a_rule_evicts_unless_it_is_asked_to_refuse() {
        String older = "older.nodeward.io";
        String rules = RULES.replace(GROUP, older);
        JsonNode crd = ShippedCrds.own("devicetaintrules", older);
        ObjectNode schema = (ObjectNode) crd.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
        schema.remove("x-kubernetes-validations");
        ((ObjectNode) schema.path("properties")).remove(List.of("eviction", "deadlineSeconds"));
        ClusterApiCrds.install(admin, List.of(crd));
        String rule = object("dropped", "{" + TAINT + ",'eviction':'Respect','deadlineSeconds':60}").toString()
                .replace(GROUP, older);

        assertThat(admin.send("POST", rules, AdminClient.JSON, rule).body().path("spec").has("eviction")).isFalse();
        AdminClient.Reply created = admin.send("POST", rules + "?dryRun=All&fieldValidation=Strict", AdminClient.JSON,
                rule.replace("dropped", "refused"));
        assertThat(created.code()).as("%s", created.body()).isEqualTo(400);
        AdminClient.Reply patched = admin.send("PATCH", rules + "/dropped?fieldValidation=Strict",
                AdminClient.MERGE_PATCH, "{\"spec\":{\"eviction\":\"Respect\",\"deadlineSeconds\":60}}");
        assertThat(patched.code()).as("%s", patched.body()).isEqualTo(422);
        for (AdminClient.Reply reply : List.of(created, patched)) {
            assertThat(reply.body().path("message").asText()).contains("strict decoding error: unknown field "
                    + "\"spec.deadlineSeconds\", unknown field \"spec.eviction\"");
        }
        admin.delete(rules + "/dropped");
    }

    /** The server has a kind of the same name. */
    @Test
    void the_short_name_means_nothing_else() {
        List<String> own = ShippedCrds.own("devicetaintrules")
                .at("/spec/names/shortNames").valueStream().map(JsonNode::asText).toList();
        assertThat(own).hasSize(1);
        List<JsonNode> resources = admin.get("/apis").path("groups").valueStream()
                .filter(group -> !group.path("name").asText().endsWith("nodeward.io"))
                .map(group -> "/apis/" + group.at("/preferredVersion/groupVersion").asText())
                .flatMap(version -> admin.get(version).path("resources").valueStream()).toList();
        assertThat(resources).extracting(resource -> resource.path("name").asText()).contains("resourceslices");
        assertThat(resources).allSatisfy(resource -> assertThat(resource.path("shortNames").valueStream()
                .map(JsonNode::asText).toList()).doesNotContainAnyElementsOf(own));
    }

    private static AdminClient.Reply conditions(int count, String generation) {
        String conditions = IntStream.range(0, count)
                .mapToObj(i -> "{'type':'T" + i + "','status':'True','reason':'R','message':'"
                        + "m".repeat(32768) + "','lastTransitionTime':'2026-01-02T03:04:05Z'" + generation + "}")
                .collect(Collectors.joining(",", "{'status':{'conditions':[", "]}}"));
        return admin.send("PATCH", RULES + "/conditions/status", AdminClient.MERGE_PATCH,
                conditions.replace('\'', '"'));
    }

    private static String longest() {
        String expressions = String.join(",", Collections.nCopies(32,
                "{'cel':{'expression':'true" + " ".repeat(10_240 - "true".length()) + "'}}"));
        return "{'deviceSelector':{'deviceClassName':'" + DOMAIN + "','driver':'" + "d".repeat(63) + "','pool':'"
                + DOMAIN
                + "','device':'" + "n".repeat(63) + "','selectors':[" + expressions + "]},'taint':{'key':'" + DOMAIN
                + "/"
                + "k".repeat(63) + "','value':'" + "v".repeat(63)
                + "','effect':'None','timeAdded':'2026-01-02T03:04:05Z',"
                + "'description':'" + "\uD83D\uDE00".repeat(1024) + "','evictionsPerSecond':1000"
                + ",'data':{'" + "x".repeat(10_240 - "{\"\":1}".length()) + "':1}}}";
    }

    private static void assertRefused(String spec, String field, String reason) {
        AdminClient.Reply reply = dryRun(spec);
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains(field, reason);
        assertThat(faults(spec)).as(spec).isNotEmpty();
    }

    /** As the controller finds them, with a language that has one sentence. */
    private static List<String> faults(String spec) {
        return RuleFaults.of(DeviceTaintRule.of(Trees.read(spec.replace('\'', '"'))),
                expression -> expression.isEmpty() ? Optional.of("empty") : Optional.empty())
                .stream().map(FieldFault::text).toList();
    }

    private static AdminClient.Reply dryRun(String spec) {
        return admin.send("POST", RULES + "?dryRun=All", AdminClient.JSON, object("hot", spec).toString());
    }

    private static JsonNode object(String name, String spec) {
        return Json.parse("{'apiVersion':'%s/v1alpha1','kind':'DeviceTaintRule','metadata':{'name':'%s'},'spec':%s}"
                .formatted(GROUP, name, spec).replace('\'', '"'));
    }
}
