package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What this server does and kube-apiserver does not: it stands in for controllers, and says what it does not know. */
class OursTest extends ServerTest {
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";
    private static final String NODE = Client.NODES + "/a";

    @ParameterizedTest
    @ValueSource(strings = {"Foreground", "Orphan"})
    void what_only_a_garbage_collector_can_do_is_refused_by_name(String policy) {
        node("a");
        for (String path : List.of(Client.NODES + "/a", Client.NODES)) {
            for (Client.Reply reply : List.of(client.delete(path + "?propagationPolicy=" + policy),
                    client.delete(path, "{'propagationPolicy':'" + policy + "'}"))) {
                assertThat(reply.code()).isEqualTo(501);
                assertThat(reply.at("/message")).startsWith("propagationPolicy: " + policy);
            }
        }
        assertThat(client.get(Client.NODES + "/a").code()).isEqualTo(200);
    }

    @Test
    void strict_validation_says_where_it_knows_no_fields() {
        Client.Reply strict = client.post(SECRETS + "?fieldValidation=Strict", "{'metadata':{'name':'s'},'x':1}");
        assertThat(strict.code()).isEqualTo(201);
        assertThat(strict.http().headers().firstValue("Warning").orElse("")).contains("fieldValidation", "secrets");
        Client.Reply refused = client.post(SECRETS + "?fieldValidation=Strict", "{'metadata':{'name':'t','x':1}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.at("/message")).endsWith("strict decoding error: unknown field \"metadata.x\"");
    }

    @Test
    void a_namespace_goes_with_what_is_in_it() {
        client.post("/api/v1/namespaces", "{'metadata':{'name':'n'}}");
        client.post("/api/v1/namespaces/n/secrets", "{'metadata':{'name':'s'}}");
        assertThat(client.delete("/api/v1/namespaces/n").code()).isEqualTo(200);
        assertThat(server.list("secrets")).isEmpty();
        assertThat(client.get("/api/v1/namespaces/n").code()).isEqualTo(404);
    }

    @Test
    void a_strategic_merge_patch_is_refused() {
        node("a");
        assertThat(client.patch(NODE, Client.STRATEGIC, "{}").code()).isEqualTo(415);
    }

    @ParameterizedTest
    @CsvSource({
            "0, 0s", "119, 119s", "120, 2m", "599, 9m59s", "600, 10m", "10799, 179m", "10800, 3h", "28740, 7h59m",
            "28800, 8h", "172800, 2d", "176400, 2d1h", "691200, 8d", "63072000, 2y", "63158400, 2y1d"
    })
    void ages_are_worded_as_kubectl_words_them(long seconds, String words) {
        assertThat(Columns.words(Duration.ofSeconds(seconds))).isEqualTo(words);
    }

    @Test
    void the_server_itself_writes_all_at_once_and_owns_it() {
        client.post(Client.NODES, "{'metadata':{'name':'a','labels':{'l':'1'}}}");
        server.mergePatch("nodes", "", "a",
                Client.json("{'metadata':{'labels':{'l':'2'}},'status':{'phase':'Running'}}"));
        assertThat(entry("fakeapi").path("fieldsV1"))
                .isEqualTo(Client.json("{'f:metadata':{'f:labels':{'f:l':{}}},'f:status':{'f:phase':{}}}"));
    }

    @Test
    void a_kind_of_ones_own_tells_apart_what_it_is_told() {
        Kind widgets = Kind.custom("example.org", List.of("v1"), "widgets", "Widget")
                .withPlaces("spec.parts[name]", "spec.tags[=]", "spec.sizes<>");
        try (FakeApiServer own = FakeApiServer.start(Options.defaults().withKind(widgets));
                Client with = new Client(own)) {
            String path = "/apis/example.org/v1/namespaces/default/widgets/w?fieldManager=";
            String body = "{'apiVersion':'example.org/v1','kind':'Widget','metadata':{'name':'w'},'spec':{"
                    + "'parts':[{'name':'%1$s','box':{'wide':1}}],'tags':['%1$s'],'sizes':{'%1$s':1},'list':['x']}}";
            with.patch(path + "one", "application/apply-patch+yaml", body.formatted("a"));
            JsonNode both = with.patch(path + "two", "application/apply-patch+yaml", body.formatted("b")).json();
            assertThat(both.at("/spec/parts").findValuesAsText("name")).containsExactly("a", "b");
            assertThat(both.at("/spec/tags").toString()).isEqualTo("[\"a\",\"b\"]");
            assertThat(both.at("/spec/list").toString()).isEqualTo("[\"x\"]");
            assertThat(entry(both, "two").path("fieldsV1")).isEqualTo(Client.json(("{'f:spec':{'f:list':{},"
                    + "'f:parts':{'k:{~name~:~b~}':{'.':{},'f:box':{'f:wide':{}},'f:name':{}}},"
                    + "'f:sizes':{'f:b':{}},'f:tags':{'v:~b~':{}}}}").replace("~", "\\\"")));
        }
    }

    @Test
    void yaml_that_is_no_json_is_refused_with_words() {
        Client.Reply reply = client.patch(Client.MACHINES + "/m?fieldManager=one", "application/apply-patch+yaml",
                "kind: Machine\n");
        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.at("/message"))
                .startsWith("error decoding YAML: this server reads YAML only where it is JSON");
    }

    private JsonNode entry(String manager) {
        return entry(client.get(NODE).json(), manager);
    }

    private static JsonNode entry(JsonNode object, String manager) {
        return object.at("/metadata/managedFields").valueStream()
                .filter(e -> e.path("manager").asText().equals(manager))
                .findFirst()
                .orElse(Client.json("{}").path("none"));
    }
}
