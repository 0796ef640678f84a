package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Merge patches and JSON patches. */
public class PatchesTest extends ServerTest {
    private static final String NODE = Client.NODES + "/a";

    @BeforeEach
    void create() {
        created(client.post(Client.NODES, """
                {'metadata':{'name':'a','labels':{'l':'1','m':'2'}},
                 'spec':{'providerID':'p','taints':[{'key':'k','value':'v','effect':'NoSchedule'}]},
                 'status':{'conditions':[{'type':'Ready','status':'True'}]}}
                """));
        // kube-apiserver puts one of its own on what is new
        client.patch(NODE, Client.JSON_PATCH,
                "[{'op':'replace','path':'/spec/taints','value':[{'key':'k','value':'v','effect':'NoSchedule'}]}]");
    }

    private JsonNode taints() {
        return client.get(NODE).json().at("/spec/taints");
    }

    @Test
    void a_merge_patch_replaces_lists_and_merges_maps() {
        Client.Reply reply = client.merge(
                NODE,
                "{'metadata':{'labels':{'l':null,'n':'3'}},'spec':{'taints':[{'key':'o','effect':'NoExecute'}]}}");
        assertThat(reply.json().at("/metadata/labels")).isEqualTo(Client.json("{'m':'2','n':'3'}"));
        assertThat(reply.json().at("/spec")).isEqualTo(
                Client.json("{'providerID':'p','taints':[{'key':'o','effect':'NoExecute'}]}"));
    }

    @Test
    void null_taints_are_no_taints() {
        assertThat(client.merge(NODE, "{'spec':{'taints':null}}").json().path("spec").has("taints")).isFalse();
    }

    @Test
    void a_stale_version_conflicts_even_if_nothing_changes() {
        String old = version(client.get(NODE));
        client.merge(NODE, "{'metadata':{'labels':{'x':'y'}}}");
        Client.Reply stale = client.merge(NODE, "{'metadata':{'resourceVersion':'" + old + "'}}");
        assertThat(stale.code()).isEqualTo(409);
        assertThat(stale.at("/reason")).isEqualTo("Conflict");
        assertThat(stale.json().path("details")).isEqualTo(Client.json("{'name':'a','kind':'nodes'}"));
        assertThat(stale.at("/message")).isEqualTo("Operation cannot be fulfilled on nodes \"a\": the object has been "
                + "modified; please apply your changes to the latest version and try again");
    }

    @Test
    void the_current_version_is_accepted() {
        String current = version(client.get(NODE));
        assertThat(client.merge(NODE, "{'metadata':{'resourceVersion':'" + current + "','labels':{'x':'y'}}}").code())
                .isEqualTo(200);
    }

    @Test
    void a_patch_that_changes_nothing_keeps_the_version() {
        String before = version(client.get(NODE));
        assertThat(version(client.merge(NODE + "?fieldManager=other", "{'metadata':{'labels':{'l':'1'}}}")))
                .isEqualTo(before);
        assertThat(version(
                client.merge(NODE, "{'spec':{'taints':[{'key':'k','value':'v','effect':'NoSchedule','x':1}]}}")))
                .isEqualTo(before);
        assertThat(version(client.patch(NODE, Client.JSON_PATCH, "[]"))).isEqualTo(before);
        assertThat(version(client.get(NODE))).isEqualTo(before);
    }

    @Test
    void identity_cannot_be_patched() {
        assertThat(client.merge(NODE, "{'metadata':{'name':'b'}}").code()).isEqualTo(400);
        assertThat(client.merge(NODE, "{'metadata':{'uid':'b'}}").code()).isEqualTo(422);
        assertThat(client.merge(NODE, "{'kind':'Pod'}").code()).isEqualTo(422);
        String created = client.get(NODE).at("/metadata/creationTimestamp");
        assertThat(client.merge(NODE, "{'metadata':{'creationTimestamp':'2000-01-01T00:00:00Z'}}")
                .at("/metadata/creationTimestamp")).isEqualTo(created);
    }

    @Test
    void a_provider_id_is_set_once() {
        assertThat(client.merge(NODE, "{'spec':{'providerID':'q'}}").at("/details/causes/0/field"))
                .isEqualTo("spec.providerID");
    }

    @Test
    void a_json_patch_knows_all_operations() {
        Client.Reply reply = client.patch(NODE, Client.JSON_PATCH, """
                [{'op':'test','path':'/metadata/labels/l','value':'1'},
                 {'op':'test','path':'/metadata/labels/none','value':null},
                 {'op':'add','path':'/spec/taints/-','value':{'key':'z','effect':'NoExecute'}},
                 {'op':'add','path':'/spec/taints/0','value':{'key':'y','effect':'NoExecute'}},
                 {'op':'copy','from':'/metadata/labels/l','path':'/metadata/labels/c'},
                 {'op':'move','from':'/metadata/labels/m','path':'/metadata/labels/d~1e'},
                 {'op':'replace','path':'/metadata/labels/l','value':'9'},
                 {'op':'remove','path':'/spec/taints/1'}]
                """);
        assertThat(reply.json().at("/metadata/labels")).isEqualTo(Client.json("{'l':'9','c':'1','d/e':'2'}"));
        assertThat(reply.json().at("/spec/taints").findValuesAsText("key")).containsExactly("y", "z");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "[{'op':'test','path':'/metadata/labels/l','value':'2'}]",
            "[{'op':'test','path':'/metadata/labels/none','value':'1'}]",
            "[{'op':'test','path':'/metadata/labels/l','value':null}]",
            "[{'op':'test','path':'/metadata/none/x','value':null}]",
            "[{'op':'remove','path':'/metadata/labels/none'}]",
            "[{'op':'add','path':'/metadata/none/x','value':'1'}]",
            "[{'op':'add','path':'/spec/taints/9','value':{}}]",
            "[{'op':'move','from':'/metadata/none','path':'/metadata/labels/x'}]",
            "[{'op':'melt','path':'/spec'}]",
            "[{'op':'remove'}]"
    })
    void a_json_patch_that_does_not_fit_changes_nothing(String patch) {
        String before = version(client.get(NODE));
        Client.Reply reply = client.patch(NODE, Client.JSON_PATCH, patch);
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.at("/message")).isEqualTo("the server rejected our request due to an error in our request");
        assertThat(version(client.get(NODE))).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'a':", "[]", "'x'", ""})
    void a_merge_patch_is_an_object(String patch) {
        assertThat(client.merge(NODE, patch).code()).isEqualTo(400);
    }

    @Test
    void other_patches_are_refused() {
        machine("m");
        assertThat(client.patch(Client.MACHINES + "/m", Client.STRATEGIC, "{}").code()).isEqualTo(415);
        assertThat(client.patch(NODE, "application/apply-patch+cbor", "{}").code()).isEqualTo(415);
        assertThat(client.patch(NODE, "application/json", "{}").at("/reason")).isEqualTo("UnsupportedMediaType");
    }

    @Test
    void concurrent_patches_with_versions_lose_nothing() throws Exception {

        List<Thread> writers = IntStream.range(0, 8)
                .mapToObj(w -> Thread.ofVirtual().start(() -> IntStream.range(0, 25).forEach(i -> addTaint(w, i))))
                .toList();
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(taints()).hasSize(201);
    }

    private void addTaint(int writer, int count) {
        while (true) {
            JsonNode node = client.get(NODE).json();
            String taints = node.at("/spec/taints").toString();
            String patch = "{'metadata':{'resourceVersion':'" + node.at("/metadata/resourceVersion").asText()
                    + "'},'spec':{'taints':" + taints.substring(0, taints.length() - 1)
                    + ",{'key':'w" + writer + "-" + count + "','effect':'NoSchedule'}]}}";
            int code = client.merge(NODE, patch).code();
            if (code == 200) {
                return;
            }
            assertThat(code).isEqualTo(409);
        }
    }
}
