package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server-side apply where it is of Cluster API's kinds or of no contract; what each server does is in the contract. */
public class ApplyTest extends ServerTest {
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String M = Client.MACHINES + "/m";
    private static final String SPEC = "'spec':" + ServerTest.SPEC;
    private static final String THEN = "2026-01-02T03:04:05Z";

    @BeforeEach
    void create() {
        client.post(Client.MACHINES + "?fieldManager=creator", "{'apiVersion':'cluster.x-k8s.io/v1beta2',"
                + "'kind':'Machine','metadata':{'name':'m'}," + SPEC + "}");
    }

    private Client.Reply apply(String path, String manager, String parts) {
        String version = path.contains("/v1beta1/") ? "v1beta1" : "v1beta2";
        return client.patch(path + (path.contains("?") ? "&" : "?") + "fieldManager=" + manager, APPLY,
                "{'apiVersion':'cluster.x-k8s.io/" + version + "','kind':'Machine','metadata':{'name':'m'}"
                        + (parts.isEmpty() ? "" : "," + parts) + "}");
    }

    private static String condition(String type, String reason) {
        return "{'type':'%s','status':'False','reason':'%s','message':'','lastTransitionTime':'%s'}".formatted(
                type, reason, THEN);
    }

    private static String conditions(String... conditions) {
        return "'status':{'conditions':[" + String.join(",", conditions) + "]}";
    }

    private List<String> types(String at) {
        return types(M, at);
    }

    private List<String> types(String path, String at) {
        return client.get(path).json().at(at).findValuesAsText("type");
    }

    @ParameterizedTest
    @CsvSource({"v1beta2, /status/conditions", "v1beta1, /status/v1beta2/conditions"})
    void conditions_of_a_machine_are_merged_by_type(String version, String place) {
        String status = M.replace("v1beta2", version) + "/status";
        String form = version.equals("v1beta2") ? "'status':{'conditions':[%s]}"
                : "'status':{'v1beta2':{'conditions':[%s]}}";
        client.merge(status, "{" + form.formatted(condition("Foreign", "F")) + "}");
        if (!isOurs() && version.equals("v1beta1")) {
            assertNotConverted(apply(status, "one", form.formatted(condition("A", "One"))), place);
            return;
        }
        assertThat(apply(status, "one", form.formatted(condition("A", "One"))).code()).isEqualTo(200);
        assertThat(apply(status, "two", form.formatted(condition("B", "Two"))).code()).isEqualTo(200);
        assertThat(types(M.replace("v1beta2", version), place)).containsExactly("Foreign", "A", "B");
        assertThat(apply(status, "two", form.formatted(condition("A", "Two"))).at("/message"))
                .contains("conflict with \"one\" with subresource \"status\"");
        apply(status, "one", "");
        assertThat(types(M.replace("v1beta2", version), place)).containsExactly("Foreign", "B");
    }

    /** Without Cluster API's webhook nothing converts, and v1beta2 does not have the field that v1beta1 has. */
    private void assertNotConverted(Client.Reply reply, String place) {
        if (client.get("/version").at("/minor").equals("36")) {
            assertThat(reply.code()).isEqualTo(200);
            assertThat(types(M.replace("v1beta2", "v1beta1"), place)).isEmpty();
        } else {
            assertThat(reply.code()).isEqualTo(500);
            assertThat(reply.at("/message")).contains(".status.v1beta2: field not declared in schema");
        }
    }

    @Test
    void the_last_condition_of_a_list_somebody_else_began_cannot_be_let_go() {
        client.merge(M + "/status", "{" + conditions(condition("Foreign", "F")) + "}");
        apply(M + "/status", "one", conditions(condition("A", "One")));
        client.merge(M + "/status", "{" + conditions(condition("A", "One")) + "}");
        Client.Reply refused = apply(M + "/status", "one", "");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.at("/message")).isEqualTo("Machine.cluster.x-k8s.io \"m\" is invalid: status.conditions: "
                + "Invalid value: \"null\": conditions in body must be of type array: \"null\"");
        assertThat(types("/status/conditions")).containsExactly("A");
    }

    @Test
    void the_last_condition_of_a_list_of_ones_own_takes_the_status_with_it() {
        apply(M + "/status", "one", conditions(condition("A", "One")));
        apply(M + "/status", "one", "");
        assertThat(client.get(M).json().has("status")).isFalse();
    }

    @Test
    void taints_of_a_machine_are_merged_by_key_and_effect() {
        String taints = "'spec':{'taints':[{'key':'%s','effect':'NoSchedule','propagation':'Always'}]}";
        apply(M, "one", taints.formatted("a"));
        Client.Reply reply = apply(M, "two", taints.formatted("b"));
        assertThat(reply.json().at("/spec/taints").findValuesAsText("key")).containsExactly("a", "b");
        assertThat(entry(reply.json(), "two").at("/fieldsV1/f:spec/f:taints").fieldNames()).toIterable()
                .containsExactly("k:{\"effect\":\"NoSchedule\",\"key\":\"b\"}");
        assertThat(apply(M, "one", "").json().at("/spec/taints").findValuesAsText("key")).containsExactly("b");
    }

    @Test
    void the_status_of_a_custom_kind_takes_no_metadata_and_looks_at_no_uid() {
        Client.Reply reply = client.patch(M + "/status?fieldManager=one", APPLY,
                "{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'Machine','metadata':{'name':'m','uid':'other',"
                        + "'labels':{'l':'1'}}," + conditions(condition("A", "One")) + "}");
        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.json().path("metadata").has("labels")).isFalse();
        assertThat(entry(reply.json(), "one").path("fieldsV1").fieldNames()).toIterable().containsExactly("f:status");
    }

    @Test
    void the_generation_counts_changes_of_the_spec_alone() {
        assertThat(apply(M, "one", "'spec':{'version':'v1.30.0'}").at("/metadata/generation")).isEqualTo("2");
        assertThat(apply(M, "two", "'spec':{'version':'v1.30.0'}").at("/metadata/generation")).isEqualTo("2");
        assertThat(apply(M + "/status", "one", conditions(condition("A", "One"))).at("/metadata/generation"))
                .isEqualTo("2");
    }

    @Test
    void an_object_of_a_custom_kind_is_created_by_applying_to_it() {
        String body = "{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'Machine','metadata':{'name':'n',"
                + "'resourceVersion':'1'}," + SPEC + "," + conditions(condition("A", "One")) + "}";
        Client.Reply created = client.patch(Client.MACHINES + "/n?fieldManager=one", APPLY, body);
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.json().has("status")).as("only the status subresource writes it").isFalse();
        assertThat(created.at("/metadata/generation")).isEqualTo("1");
        assertThat(client.patch(Client.MACHINES + "/o?fieldManager=one", APPLY, body).at("/message"))
                .contains("the name of the object (n) does not match the name on the URL (o)");
        assertThat(client.patch("/apis/cluster.x-k8s.io/v1beta2/namespaces/none/machines/n?fieldManager=one", APPLY,
                body).code()).isEqualTo(404);
    }

    @Test
    void a_dry_run_shows_and_stores_nothing() {
        JsonNode before = client.get(M).json();
        Client.Reply shown = apply(M + "?dryRun=All", "one", "'spec':{'version':'v1.30.0'}");
        assertThat(shown.at("/spec/version")).isEqualTo("v1.30.0");
        assertThat(entry(shown.json(), "one").isMissingNode()).isFalse();
        assertThat(client.get(M).json()).isEqualTo(before);
    }

    @Test
    void another_version_of_the_kind_is_refused() {
        assertThat(client.patch(M.replace("v1beta2", "v1beta1") + "?fieldManager=one", APPLY,
                "{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'Machine','metadata':{'name':'m'}}").at("/message"))
                .isEqualTo("invalid object type: cluster.x-k8s.io/v1beta2, Kind=Machine");
    }

    @Test
    void an_applier_is_one_in_all_versions() {
        String older = M.replace("v1beta2", "v1beta1");
        apply(M, "one", "'spec':{'version':'v1.30.0'}");
        Client.Reply reply = apply(older, "one", "'spec':{'version':'v1.31.0'}");
        assertThat(reply.at("/spec/version")).isEqualTo("v1.31.0");
        assertThat(entry(reply.json(), "one").path("apiVersion").asText()).isEqualTo("cluster.x-k8s.io/v1beta1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'spec':{'taints':'x'}                          | .spec.taints: expected list, got &{x}
            'status':{'conditions':[{'status':'True'}]}    | .status.conditions: element 0: associative list with keys has
            'metadata':{'name':'m','labels':{'l':1}}       | .metadata.labels.l: expected string, got
            """)
    void what_does_not_fit_the_schema_fails_as_on_the_real_server(String parts, String why) {
        Client.Reply reply = client.patch(M + "?fieldManager=one", APPLY,
                "{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'Machine'," + parts + "}");
        assertThat(reply.code()).isEqualTo(500);
        assertThat(reply.at("/message")).startsWith("failed to create typed patch object").contains(why);
    }

    @Test
    void null_is_refused_by_a_custom_kind() {
        assertThat(apply(M, "one", "'spec':{'readinessGates':null}").at("/message"))
                .contains("spec.readinessGates in body must be of type array: \"null\"");
    }

    @Test
    void force_and_long_managers_are_for_no_merge_patch() {
        assertThat(client.merge(M + "?force=true", "{}").at("/message")).contains("force: Forbidden");
        assertThat(client.merge(M + "?fieldManager=" + "m".repeat(129), "{}").at("/message"))
                .contains("fieldManager: Too long: may not be more than 128 bytes");
    }

    private static JsonNode entry(JsonNode object, String manager) {
        return object.at("/metadata/managedFields").valueStream()
                .filter(e -> e.path("manager").asText().equals(manager))
                .findFirst()
                .orElse(Client.json("{}").path("none"));
    }
}
