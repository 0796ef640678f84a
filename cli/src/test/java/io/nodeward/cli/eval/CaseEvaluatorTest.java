package io.nodeward.cli.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every published case of every rule, and what is no case. */
class CaseEvaluatorTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LABELS = "cluster.x-k8s.io/labels-from-machine";
    private static final String ANNOTATIONS = "cluster.x-k8s.io/annotations-from-machine";

    @TestFactory
    Stream<DynamicTest> a_case_has_the_expected_result() {
        return CaseEvaluator.ruleNames().stream().flatMap(rule -> cases(rule).stream()
                .map(c -> dynamicTest(rule + " " + nameOf(c), () -> check(rule, c))));
    }

    @Test
    void every_rule_has_its_cases() {
        assertThat(CaseEvaluator.ruleNames()).containsExactly(
                "propagate", "validate", "capacity", "tolerate", "taint-command", "device");
        assertThat(CaseEvaluator.ruleNames()).extracting(rule -> cases(rule).size())
                .containsExactly(97, 63, 15, 110, 35, 869);
        assertThat(CaseEvaluator.of("tolerate")).contains(CaseEvaluator.TOLERATE);
        assertThat(CaseEvaluator.of("TOLERATE")).isEmpty();
    }

    @Test
    void the_name_or_the_id_comes_back_with_the_result_in_one_line() {
        assertThat(evaluate("tolerate", "{'id':'x-1','kind':'match','taint':{'key':'a'},'toleration':{'key':'b'}}"))
                .isEqualTo(json("{'id':'x-1','result':{'tolerates':false}}"));
        assertThat(evaluate("validate", "{'name':'v','input':{'featureGate':true,'taints':[5]}}"))
                .isEqualTo(json("{'name':'v','result':{'valid':false,'reasons':['type']}}"));
        assertThat(CaseEvaluator.VALIDATE.evaluate(line("{\"name\":\"a\\nb\",\n\"input\":{}}"))).doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "tolerate | {'id':'x','kind':'dance'} | unknown kind: \"dance\"",
            "tolerate | {'id':'x'} | unknown kind: \"\"",
            "tolerate | {'id':'x','kind':'match'} | toleration is not an object",
            "tolerate | {'id':'x','kind':'match','toleration':{},'taint':{'key':5}} | key is not a text",
            "tolerate | {'id':'x','kind':'filter','taints':{}} | taints is not a list",
            "tolerate | {'id':'x','kind':'filter','taints':[[]]} | taints is not a list of objects",
            "tolerate | {'id':'x','kind':'filter','comparisonOperators':1} | comparisonOperators is not true or false",
            "tolerate | {'id':'x','kind':'merge','defaults':[{'tolerationSeconds':1.5}]}"
                    + " | tolerationSeconds is not a whole number of 64 bits",
            "tolerate | {'id':'x','kind':'merge','defaults':[{'tolerationSeconds':9223372036854775808}]}"
                    + " | tolerationSeconds is not a whole number of 64 bits",
            "tolerate | {'id':'x','kind':'score','nodes':[{'name':'a'},{'name':'a'}]} | nodes have one name twice",
            "device | {'id':'x','kind':'merge','slices':[{'metadata':{'name':'a'},'spec':{'driver':'d','pool':{}}},"
                    + "{'metadata':{'name':'a'},'spec':{'driver':'d','pool':{}}}]} | slices have one name twice",
            "device | {'id':'x','kind':'merge','slices':[{'metadata':{'name':'a'},'spec':{'driver':'d','pool':'p'}}]}"
                    + " | pool is not an object",
            "taint-command | {'id':'x','args':[1]} | args is not a list of texts",
            "taint-command | {'id':'x','args':['-h']} | args ask for help alone",
            "taint-command | {'id':'x','args':['no','n1','a-','-ojson']}"
                    + " | args ask for whole objects, which a case does not have",
            "taint-command | {'id':'x','nodes':[{'name':'a'},{'name':'a'}]} | nodes have one name twice",
            "taint-command | {'id':'x','nodes':[{'name':'a','labels':[]}]} | labels is not an object",
            "capacity | {'id':'x','input':{'kind':'Machine'}}"
                    + " | kind is not MachineDeployment, MachineSet or MachinePool: Machine",
            "capacity | {'id':'x','input':{'kind':'MachineSet','onInitialization':'no'}}"
                    + " | onInitialization is not include, exclude or startup: no",
            "capacity | {'id':'x','input':{'kind':'MachineSet','tracked':[1]}} | tracked is not a list of texts",
            "propagate | {'id':'x'} | input is not an object",
            "propagate | {'id':'x','input':{'owner':{'kind':'Cluster'},'node':{}}}"
                    + " | kind is not Machine or MachinePool: Cluster"
    })
    void what_cannot_be_evaluated_is_answered_with_why(String rule, String text, String error) {
        ObjectNode expected = JSON.createObjectNode().put("id", "x").put("name", "x").put("error", error);

        assertThat(evaluate(rule, text)).isEqualTo(expected);
    }

    @Test
    void what_is_no_case_at_all_is_answered_too() {
        for (String text : List.of("", "5", "[]", "null", "{", "{} {}", "{\"a\":}", "\u0000", "[".repeat(5000))) {
            JsonNode answer = json(CaseEvaluator.TOLERATE.evaluate(line(text)));
            assertThat(answer.path("name").isNull()).as(text).isTrue();
            assertThat(answer.get("error").textValue()).as(text).startsWith("not a JSON object");
            assertThat(answer.has("result")).isFalse();
        }
    }

    @Test
    void an_older_generation_of_a_pool_counts_for_nothing() {
        String slice =
                "{'metadata':{'name':'%s'},'spec':{'driver':'d','pool':{'name':'p','generation':%d},'devices':[%s]}}";
        String older = slice.formatted("a", 1, "{'name':'gone'},{'name':'x','taints':[{'key':'old','effect':'None'}]}");
        String newer = slice.formatted("b", 2, "{'name':'x','taints':[{'key':'new','effect':'None'}]}");

        for (String slices : List.of(older + "," + newer, newer + "," + older)) {
            assertThat(evaluate("device", "{'id':'x','kind':'merge','slices':[" + slices + "]}")
                    .at("/result/effectiveTaints"))
                    .isEqualTo(json("{'d/p/x':[{'key':'new','effect':'None'}]}"));
        }
    }

    @Test
    void a_rule_selects_nothing_while_its_class_is_missing() {
        String c = "{'id':'x','kind':'rule','device':{'driver':'d','pool':'p','name':'a'},"
                + "'deviceSelector':{'deviceClassName':'%s'},'deviceClasses':[{'metadata':{'name':'gpu'},"
                + "'spec':{'selectors':[{'cel':{'expression':'device.driver == \\u0022d\\u0022'}}]}},{'metadata':{'name':'odd'},"
                + "'spec':{'selectors':[{'cel':{'expression':'device.attributes[\\u0022x\\u0022].y'}}]}}]}";

        assertThat(matches(c, "gpu")).isEqualTo(json("{'matches':true}"));
        assertThat(matches(c, "none")).isEqualTo(json("{'matches':false,"
                + "'message':'there is no DeviceClass none, so that the rule selects no device'}"));
        assertThat(evaluate("device", "{'id':'x','kind':'merge','slices':[],'rules':[{'spec':{'deviceSelector':"
                + "{'deviceClassName':'none'},'taint':{'key':'a/b','effect':'None'}}}]}").path("result"))
                .isEqualTo(json("{'effectiveTaints':{},"
                        + "'message':'there is no DeviceClass none, so that the rule selects no device'}"));
        assertThat(matches(c, "odd"))
                .isEqualTo(json(
                        "{'result':'error','message':'DeviceClass odd: key \\u0027y\\u0027 is not present in map.'}"));
    }

    @Test
    void a_rule_selects_by_a_taint_that_the_driver_publishes() {
        String c = "{'id':'x','kind':'rule','device':{'driver':'d','pool':'p','name':'a',"
                + "'taints':[{'key':'k','value':'v','effect':'None'}]},'deviceSelector':{'publishedTaint':%s}}";
        assertThat(evaluate("device", c.formatted("{'key':'k','effect':'None'}")).path("result"))
                .isEqualTo(json("{'matches':true}"));
        assertThat(evaluate("device", c.formatted("{'key':'k','value':''}")).path("result"))
                .isEqualTo(json("{'matches':false}"));
        assertThat(evaluate("device", """
                {'id':'x','kind':'merge','slices':[{'metadata':{'name':'s'},'spec':{'driver':'d','pool':{'name':'p'},
                 'devices':[{'name':'x','taints':[{'key':'k','effect':'None'}]},{'name':'y'}]}}],'rules':[{'spec':{
                 'deviceSelector':{'publishedTaint':{'key':'k'}},'taint':{'key':'a/b','effect':'NoSchedule'}}}]}""")
                .path("result")).isEqualTo(json("""
                        {'effectiveTaints':{'d/p/x':[{'key':'k','effect':'None'},{'key':'a/b','effect':'NoSchedule'}],
                         'd/p/y':[]}}"""));
    }

    private static JsonNode matches(String c, String deviceClass) {
        return evaluate("device", c.formatted(deviceClass)).path("result");
    }

    /** In whatever order slices have the devices, and maps the names. */
    @Test
    void of_several_devices_that_a_rule_cannot_be_asked_of_the_first_by_name_is_the_error() {
        String devices = IntStream.range(1, 50).mapToObj(i -> "{'name':'x" + i * 7919 % 90 + "'}")
                .collect(Collectors.joining(","));

        assertThat(evaluate("device",
                "{'id':'x','kind':'merge','slices':[{'metadata':{'name':'s'},'spec':{'driver':'d',"
                        + "'pool':{'name':'p'},'devices':[{'name':'a','attributes':{'y':{'bool':false}}}," + devices
                        + "]}}],"
                        + "'rules':[{'spec':{'deviceSelector':{'selectors':[{'cel':{'expression':'device.attributes[\\u0022d\\u0022].y'}}]},"
                        + "'taint':{'key':'k','effect':'None'}}}]}")
                .path("result"))
                .isEqualTo(json("{'result':'error','message':'d/p/x41: key \\u0027y\\u0027 is not present in map.'}"));
    }

    @Test
    void a_device_is_read_as_the_controller_reads_it() {
        String c = "{'id':'x','kind':'cel','celExpressions':['true'],'device':{'driver':'d',%s}}";

        assertThat(evaluate("device", c.formatted("'capacity':{'m':{'value':1e3}}")).at("/result/result").textValue())
                .isEqualTo("match");
        assertThat(evaluate("device", c.formatted("'capacity':{'m':{'value':'much'}}")).at("/result/message")
                .textValue()).startsWith("capacity m: quantities must match");
        assertThat(evaluate("device", c.formatted("'attributes':{'a':{'int':'1'}}")).at("/result/message").textValue())
                .isEqualTo("attribute a: unsupported attribute value");
    }

    @Test
    void a_field_that_servers_keep_is_kept() {
        JsonNode run = evaluate("taint-command", "{'id':'x','args':['nodes','n1','a:NoExecute'],'nodes':[{'name':'n1',"
                + "'taints':[{'key':'b','value':'','effect':'NoExecute','timeAdded':'2026-01-02T03:04:05Z','x':1}]}]}");

        assertThat(run.at("/result/taints/n1")).isEqualTo(json("[{'key':'a','effect':'NoExecute'},"
                + "{'key':'b','effect':'NoExecute','timeAdded':'2026-01-02T03:04:05Z','x':1}]"));
    }

    @Test
    void a_taint_has_the_time_that_it_says_and_no_other() {
        String slice =
                "{'metadata':{'name':'s'},'spec':{'driver':'d','pool':{'name':'p'},'devices':[{'name':'x','taints':["
                        + "{'key':'k','effect':'None','timeAdded':'1970-01-01T00:00:00Z'},{'key':'l','effect':'None'}]}]}}";

        assertThat(
                evaluate("device", "{'id':'x','kind':'merge','slices':[" + slice + "]}").at("/result/effectiveTaints"))
                .isEqualTo(json("{'d/p/x':[{'key':'k','effect':'None','timeAdded':'1970-01-01T00:00:00Z'},"
                        + "{'key':'l','effect':'None'}]}"));
    }

    private static void check(String rule, JsonNode c) {
        JsonNode expected = c.has("expect") ? c.get("expect") : c.get("expected");

        JsonNode answer = evaluate(rule, c.toString());

        assertThat(answer.get(c.has("name") ? "name" : "id").textValue()).isEqualTo(nameOf(c));
        assertThat(comparable(rule, answer.get("result"))).isEqualTo(comparable(rule, expected));
    }

    /** As the files themselves say that results are to be compared. */
    private static JsonNode comparable(String rule, JsonNode result) {
        ObjectNode comparable = result.deepCopy();
        if (rule.equals("propagate")) {
            ObjectNode annotations = (ObjectNode) comparable.get("annotations");
            for (String tracking : List.of(LABELS, ANNOTATIONS)) {
                if (annotations.path(tracking).asText().isEmpty()) {
                    annotations.remove(tracking);
                }
            }
            List.of("cluster-name", "cluster-namespace", "machine", "owner-kind", "owner-name")
                    .forEach(name -> annotations.remove("cluster.x-k8s.io/" + name));
            comparable.set("taints", asSet(comparable.get("taints")));
        }
        if (rule.equals("device")) {
            comparable.remove("message");
            comparable.path("effectiveTaints").properties()
                    .forEach(taints -> taints.setValue(asList(taints.getValue())));
        }
        for (String set : List.of("errors", "reasons", "effective")) {
            if (comparable.has(set)) {
                comparable.set(set, asSet(comparable.get(set)));
            }
        }
        return comparable;
    }

    private static JsonNode asList(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(element -> texts.add(sorted(element)));
        return JSON.valueToTree(texts.stream().sorted().toList());
    }

    private static JsonNode asSet(JsonNode array) {
        Set<String> texts = new HashSet<>();
        array.forEach(element -> texts.add(element.isObject() ? sorted(element) : element.asText()));
        return JSON.valueToTree(texts.stream().sorted().toList());
    }

    private static String sorted(JsonNode object) {
        List<String> fields = new ArrayList<>();
        object.properties().stream()
                .filter(field -> !field.getValue().asText().isEmpty())
                .forEach(field -> fields.add(field.getKey() + "=" + field.getValue()));
        return String.join(",", fields.stream().sorted().toList());
    }

    private static String nameOf(JsonNode c) {
        return c.get(c.has("name") ? "name" : "id").textValue();
    }

    private static CaseLines.Line line(String text) {
        return new CaseLines.Line(text, "");
    }

    private static JsonNode evaluate(String rule, String text) {
        String quoted = text.contains("\"") ? text : text.replace('\'', '"');
        return json(CaseEvaluator.of(rule).orElseThrow().evaluate(line(quoted)));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text.contains("\"") ? text : text.replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<JsonNode> cases(String rule) {
        String path = "/io/nodeward/core/testkit/vectors/" + rule + ".json";
        try (InputStream in = CaseEvaluatorTest.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not on the class path: build nodeward-core-testkit (-am)");
            }
            List<JsonNode> cases = new ArrayList<>();
            JSON.readTree(in).get("cases").forEach(cases::add);
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
