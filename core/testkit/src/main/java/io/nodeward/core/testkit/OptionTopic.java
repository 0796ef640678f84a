package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.PatchOptions;
import io.nodeward.core.spi.PatchOptions.FieldValidation;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters of requests, of which others send more than we do: a server knows them or says that it does not. */
abstract class OptionTopic extends ServedTopic {
    private static final String NODES_PATH = "/api/v1/nodes";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final PatchOptions DRY_RUN = PatchOptions.NONE.withDryRun().withWholeObject();

    private record Reply(int code, JsonNode json) {
        String message() {
            return json.path("message").asText();
        }
    }

    /** @param body JSON with single quotes, or empty */
    private Reply send(String method, String target, String type, String body) throws IOException {
        Map<String, String> headers = Map.of("Accept", "application/json", "Content-Type", type);
        Optional<byte[]> bytes = Optional.of(bytes(body.replace('\'', '"'))).filter(b -> b.length > 0);
        Request call = new Request(method, target, headers, bytes, Duration.ofSeconds(30), false);
        try (Response answer = transport(server().kubeconfig()).exchange(call)) {
            return new Reply(answer.status(), json(answer.body().readAllBytes()));
        }
    }

    private Reply create(String options, String metadata) throws IOException {
        return send("POST", NODES_PATH + options, "application/json",
                "{'apiVersion':'v1','kind':'Node','metadata':{%s}}".formatted(metadata));
    }

    private String path(String suffix) {
        return NODES_PATH + "/" + name(suffix);
    }

    @Test
    void a_dry_run_answers_as_if_it_were_done_and_changes_nothing() throws IOException {
        assertThat(create("?dryRun=All", "'name':'%s'".formatted(name("b"))).code()).isEqualTo(201);
        assertThatThrownBy(() -> api().get(path("b"))).isInstanceOf(ApiFailure.NotFound.class);
        Metadata node = node(api, "a");
        byte[] merged = api.patch(NODES, node.key(), merge("{\"metadata\":{\"labels\":{\"x\":\"y\"}}}"), DRY_RUN);
        assertThat(json(merged).at("/metadata/labels/x").asText()).isEqualTo("y");
        Patch apply = Patch.apply(bytes("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{"x":"z"}}}"""
                .formatted(name("a"))), "one", false);
        assertThat(json(api.patch(NODES, node.key(), apply, DRY_RUN)).at("/metadata/labels/x").asText()).isEqualTo("z");
        assertThat(send("DELETE", path("a") + "?dryRun=All", "application/json", "").code()).isEqualTo(200);
        assertThat(json(api().get(path("a"))).at("/metadata/resourceVersion").asText())
                .isEqualTo(node.resourceVersion());
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"POST, dryRun=Some, dryRun", "PATCH, dryRun=Some, dryRun", "DELETE, dryRun=Some, dryRun",
            "DELETE, propagationPolicy=Sideways, propagationPolicy", "POST, fieldValidation=Loose, fieldValidation",
            "PATCH, fieldValidation=Loose, fieldValidation"})
    void a_value_that_no_server_knows_is_refused_by_the_parameters_name(String method, String query, String name)
            throws IOException {
        Metadata node = node(api(), "a");
        Reply reply = method.equals("POST")
                ? create("?" + query, "'name':'%s'".formatted(name("b")))
                : send(method, path("a") + "?" + query, method.equals("PATCH") ? MERGE : "application/json",
                        method.equals("PATCH") ? "{'metadata':{'labels':{'x':'y'}}}" : "");
        assertThat(reply.code()).as(reply.toString()).isEqualTo(422);
        assertThat(reply.message()).contains(name + ": Unsupported value");
        assertThat(json(api().get(path("a"))).at("/metadata/resourceVersion").asText())
                .isEqualTo(node.resourceVersion());
    }

    @Test
    void fields_select_by_name_and_by_what_nodes_are_selected_by() throws IOException {
        node(api, "a");
        node(api, "b");
        api.patch(NODES, node(api, "c").key(), merge("{\"spec\":{\"unschedulable\":true}}"));
        assertThat(selected("metadata.name=" + name("a"))).containsExactly(name("a"));
        assertThat(selected("metadata.name!=" + name("a"))).containsExactly(name("b"), name("c"));
        assertThat(selected("spec.unschedulable=true")).containsExactly(name("c"));
        assertThat(selected("spec.unschedulable=false,metadata.name!=" + name("b"))).containsExactly(name("a"));
        assertThatThrownBy(() -> selected("spec.foo=x"))
                .isInstanceOfSatisfying(ApiFailure.Rejected.class, failure -> {
                    assertThat(failure.status().code()).isEqualTo(400);
                    assertThat(failure.status().message()).contains("field label not supported: spec.foo");
                });
    }

    private List<String> selected(String fields) throws IOException {
        List<String> names = new ArrayList<>();
        ListOptions options = ListOptions.page(label(), 0, "").withFieldSelector(fields);
        json(api().page(NODES, "", options)).path("items")
                .forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    @Test
    void finalizers_hold_what_is_deleted_and_say_since_when() throws IOException {
        Metadata node = node(api, "a");
        api.patch(NODES, node.key(), merge("{\"metadata\":{\"finalizers\":[\"contract.test/a\"]}}"));
        Reply deleted = send("DELETE", path("a"), "application/json", "");
        assertThat(deleted.code()).isEqualTo(200);
        assertThat(deleted.json().path("kind").asText()).isEqualTo("Node");
        String since = deleted.json().at("/metadata/deletionTimestamp").asText();
        assertThat(since).endsWith("Z");
        api.delete(NODES, node.key());
        assertThat(json(api.get(NODES, node.key())).at("/metadata/deletionTimestamp").asText()).isEqualTo(since);
        assertThatThrownBy(() -> api.patch(NODES, node.key(),
                merge("{\"metadata\":{\"finalizers\":[\"contract.test/a\",\"contract.test/b\"]}}")))
                .isInstanceOf(ApiFailure.Rejected.class)
                .hasMessageContaining("no new finalizers can be added");
        api.patch(NODES, node.key(), merge("{\"metadata\":{\"finalizers\":null}}"));
        assertThatThrownBy(() -> api.get(NODES, node.key())).isInstanceOf(ApiFailure.NotFound.class);
    }

    @Test
    void nobody_sets_the_time_of_a_deletion() throws IOException {
        Metadata node = node(api, "a");
        assertThatThrownBy(() -> api.patch(NODES, node.key(),
                merge("{\"metadata\":{\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"}}")))
                .isInstanceOf(ApiFailure.Rejected.class)
                .hasMessageContaining("metadata.deletionTimestamp");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?propagationPolicy=Background"})
    void in_the_background_an_object_is_gone_at_once(String options) throws IOException {
        node(api(), "a");
        assertThat(send("DELETE", path("a") + options, "application/json", "").json().path("status").asText())
                .isEqualTo("Success");
        assertThatThrownBy(() -> api().get(path("a"))).isInstanceOf(ApiFailure.NotFound.class);
    }

    @Test
    void a_strategic_merge_replaces_taints_and_joins_conditions_and_finalizers() throws IOException {
        Metadata node = node(api, "a");
        api.patch(NODES, node.key(), merge("""
                {"metadata":{"finalizers":["contract.test/a"]},"spec":{"taints":[{"key":"old","effect":"NoExecute"}]}}
                """));
        api.patchStatus(NODES, node.key(), merge("""
                {"status":{"conditions":[{"type":"Ready","status":"True"}]}}"""));
        send("PATCH", path("a"), STRATEGIC, """
                {'metadata':{'labels':{'$patch':'replace','q':'1'},'finalizers':['contract.test/b']},
                 'spec':{'taints':[{'key':'new','effect':'NoExecute'}]}}""");
        send("PATCH", path("a") + "/status", STRATEGIC,
                "{'status':{'conditions':[{'type':'Disk','status':'False'}]}}");
        JsonNode after = json(api.get(NODES, node.key()));
        send("PATCH", path("a"), STRATEGIC, """
                {'metadata':{'$deleteFromPrimitiveList/finalizers':['contract.test/a','contract.test/b']}}""");
        assertThat(after.at("/metadata/labels").toString()).isEqualTo("{\"q\":\"1\"}");
        assertThat(after.at("/metadata/finalizers").toString()).contains("contract.test/a", "contract.test/b");
        assertThat(after.at("/spec/taints").findValuesAsText("key")).containsExactly("new");
        assertThat(after.at("/status/conditions").findValuesAsText("type")).containsExactlyInAnyOrder("Ready", "Disk");
        assertThat(json(api.get(NODES, node.key())).path("metadata").has("finalizers")).isFalse();
    }

    @Test
    void a_generated_name_is_the_given_part_and_five_letters_and_one_that_is_given_stays() throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Metadata made = created(api(), SECRETS, "default", bytes("""
                    {"apiVersion":"v1","kind":"Secret","metadata":{"generateName":"%s"}}""".formatted(name("g-"))));
            names.add(made.key().name());
        }
        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches(name("g-") + "[a-z0-9]{5}"));
        Metadata named = created(api(), SECRETS, "default", bytes("""
                {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s","generateName":"other-"}}"""
                .formatted(name("n"))));
        assertThat(named.key().name()).isEqualTo(name("n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "{'metadata':{'labels':{'x':'y'},'nonsense':'1'}} | metadata.nonsense",
            "{'spec':{'nonsense':'1'}} | spec.nonsense",
            "{'spec':{'taints':[{'key':'k','effect':'NoExecute','nonsense':'1'}]}} | spec.taints[0].nonsense",
            "{'nonsense':'1'} | nonsense"})
    void strict_validation_refuses_fields_of_a_node_that_nobody_knows(String patch, String field) throws IOException {
        Metadata node = node(api, "a");
        Patch unknown = merge(patch.replace('\'', '"'));
        assertThatThrownBy(() -> api.patch(NODES, node.key(), unknown, validated(FieldValidation.STRICT)))
                .isInstanceOf(ApiFailure.Rejected.class)
                .hasMessageContaining("unknown field \"" + field + "\"");
        assertThat(json(api().get(path("a"))).at("/metadata/resourceVersion").asText())
                .isEqualTo(node.resourceVersion());
        for (FieldValidation lenient : List.of(FieldValidation.IGNORE, FieldValidation.WARN)) {
            byte[] after = api.patch(NODES, node.key(), unknown, validated(lenient).withWholeObject());
            assertThat(json(after).toString()).contains(name("a")).doesNotContain("nonsense");
        }
    }

    /** Else a server of an older version would store the object without them. */
    @ParameterizedTest
    @ValueSource(strings = {"metadata.nonsense", "spec.nonsense", "nonsense"})
    void strict_validation_creates_no_node_with_fields_that_nobody_knows(String field) throws IOException {
        ObjectKey key = ObjectKey.clusterScoped(name("a"));
        ObjectNode node = (ObjectNode) json(bytes("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},"spec":{"unschedulable":true}}"""
                .formatted(key.name())));
        byte[] known = bytes(node.toString());
        String[] names = field.split("\\.");
        (names.length == 1 ? node : (ObjectNode) node.path(names[0])).put("nonsense", "1");
        byte[] unknown = bytes(node.toString());
        assertThatThrownBy(() -> api.create(NODES, "", unknown, WRITER, validated(FieldValidation.STRICT)))
                .isInstanceOfSatisfying(ApiFailure.Rejected.class, failure -> {
                    assertThat(failure.status().code()).isEqualTo(400);
                    assertThat(failure.status().message())
                            .contains("strict decoding error: unknown field \"" + field + "\"");
                });
        assertThatThrownBy(() -> api.get(NODES, key)).isInstanceOf(ApiFailure.NotFound.class);
        for (FieldValidation lenient : List.of(FieldValidation.IGNORE, FieldValidation.WARN)) {
            byte[] made = api.create(NODES, "", unknown, WRITER, validated(lenient).withWholeObject());
            assertThat(json(made).at("/spec/unschedulable").asBoolean()).isTrue();
            assertThat(json(made).toString()).doesNotContain("nonsense");
            api.delete(NODES, key);
        }
        api.create(NODES, "", known, WRITER, validated(FieldValidation.STRICT));
        assertThat(json(api.get(NODES, key)).at("/spec/unschedulable").asBoolean()).isTrue();
        api.delete(NODES, key);
    }

    private static PatchOptions validated(FieldValidation validation) {
        return PatchOptions.NONE.withFieldValidation(validation);
    }

    @Test
    void strict_validation_lets_pass_what_nodes_have() throws IOException {
        Metadata node = node(api, "a");
        api.patch(NODES, node.key(), merge("""
                {"metadata":{"annotations":{"x":"y"}},"spec":{"unschedulable":true,
                 "taints":[{"key":"k","value":"v","effect":"NoExecute","timeAdded":"2026-01-02T03:04:05Z"}]}}"""),
                validated(FieldValidation.STRICT));
        assertThat(json(api.get(path("a"))).at("/spec/unschedulable").asBoolean()).isTrue();
    }
}
