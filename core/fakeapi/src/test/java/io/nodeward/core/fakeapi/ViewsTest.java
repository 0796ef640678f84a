package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The forms an answer can be asked for in. */
public class ViewsTest extends ServerTest {
    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(e -> texts.add(e.isTextual() ? e.asText() : e.path("name").asText(e.asText())));
        return texts;
    }

    @Test
    void metadata_alone_of_get_create_and_patch() {
        Client metadata = client.accepting(Client.METADATA + ",application/json");
        for (Client.Reply reply : List.of(
                metadata.post(Client.NODES, "{'metadata':{'name':'a'}}"),
                metadata.get(Client.NODES + "/a"),
                metadata.merge(Client.NODES + "/a", "{'spec':{'unschedulable':true}}"))) {
            assertThat(reply.at("/kind")).isEqualTo("PartialObjectMetadata");
            assertThat(reply.at("/apiVersion")).isEqualTo("meta.k8s.io/v1");
            assertThat(reply.at("/metadata/name")).isEqualTo("a");
            assertThat(reply.json()).hasSize(3);
        }
    }

    @Test
    void a_list_of_metadata() {
        node("a");
        Client.Reply reply = client.accepting(Client.METADATA_LIST).get(Client.NODES);
        assertThat(reply.at("/kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(reply.json().at("/items/0")).hasSize(3);
        assertThat(client.accepting(Client.METADATA).get(Client.NODES).code()).isEqualTo(406);
        assertThat(client.accepting(Client.METADATA_LIST).get(Client.NODES + "/a").code()).isEqualTo(406);
    }

    @Test
    void nothing_else_is_acceptable() {
        assertThat(client.accepting("text/html").get(Client.NODES).at("/reason")).isEqualTo("NotAcceptable");
        assertThat(client.accepting("application/vnd.kubernetes.protobuf,*/*").get(Client.NODES).code())
                .isEqualTo(200);
    }

    @Test
    void nodes_as_a_table() {
        created(client.post(Client.NODES, """
                {'metadata':{'name':'a','labels':{'node-role.kubernetes.io/worker':'','node-role.kubernetes.io/db':''}},
                 'spec':{'unschedulable':true},
                 'status':{'conditions':[{'type':'Ready','status':'True'}],'nodeInfo':{'kubeletVersion':'v1.36.3'},
                           'addresses':[{'type':'InternalIP','address':'10.0.0.1'}]}}
                """));
        JsonNode table = client.accepting(Client.TABLE).get(Client.NODES).json();
        assertThat(texts(table.path("columnDefinitions"))).startsWith("Name", "Status", "Roles", "Age", "Version");
        JsonNode cells = table.at("/rows/0/cells");
        assertThat(cells.get(1).asText()).isEqualTo("Ready,SchedulingDisabled");
        assertThat(cells.get(2).asText()).isEqualTo("db,worker");
        assertThat(cells.get(4).asText()).isEqualTo("v1.36.3");
        assertThat(cells.get(5).asText()).isEqualTo("10.0.0.1");
        assertThat(table.at("/rows/0/object/kind").asText()).isEqualTo("PartialObjectMetadata");
    }

    @Test
    void a_row_carries_what_was_asked_for() {
        node("a");
        Client table = client.accepting(Client.TABLE);
        assertThat(table.get(Client.NODES + "?includeObject=None").json().at("/rows/0/object").isNull()).isTrue();
        assertThat(table.get(Client.NODES + "/a?includeObject=Object").json().at("/rows/0/object").has("spec"))
                .isTrue();
    }

    @Test
    void machines_show_cluster_node_and_taints() {
        machine("m");
        client.merge(Client.MACHINES + "/m",
                "{'spec':{'taints':[{'key':'k','effect':'NoExecute','propagation':'Always'}]}}");
        client.merge(Client.MACHINES + "/m/status", "{'status':{'nodeRef':{'name':'n'}}}");
        JsonNode cells = client.accepting(Client.TABLE).get(Client.MACHINES).json().at("/rows/0/cells");
        assertThat(texts(cells)).startsWith("m", "c", "n");
        assertThat(cells.get(3).asText()).as("only ours shows taints").isEqualTo(isOurs() ? "1" : "null");
    }

    @Test
    void events_begin_with_their_time() {
        JsonNode table = client.accepting(Client.TABLE).get("/api/v1/events").json();
        assertThat(texts(table.path("columnDefinitions")))
                .containsExactlyElementsOf(isOurs()
                        ? List.of("Last Seen", "Type", "Reason", "Object", "Message", "Name")
                        : List.of("Last Seen", "Type", "Reason", "Object", "Subobject", "Source", "Message",
                                "First Seen", "Count", "Name"));
    }

    @Test
    void a_large_answer_is_compressed_for_who_asks() throws IOException {
        for (int i = 0; i < 700; i++) {
            created(client.post(Client.NODES, "{'metadata':{'name':'n" + i + "','annotations':{'a':'" + "x".repeat(200)
                    + "'}}}"));
        }
        Client.Reply small =
                client.send(client.request(Client.NODES + "?limit=5").header("Accept-Encoding", "gzip").GET());
        assertThat(small.http().headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(client.get(Client.NODES).json().path("items")).hasSize(700);
        Client.Reply large = client.send(client.request(Client.NODES).header("Accept-Encoding", "gzip").GET());
        assertThat(large.http().headers().firstValue("Content-Encoding")).contains("gzip");
        try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(large.http().body()))) {
            assertThat(Json.MAPPER.readTree(plain).path("items")).hasSize(700);
        }
    }
}
