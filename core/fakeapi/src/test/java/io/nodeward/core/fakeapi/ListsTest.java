package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists, their selectors and pages. */
public class ListsTest extends ServerTest {
    static List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.path("items").forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    private List<String> select(String selector) {
        return names(client.get(Client.NODES + "?labelSelector=" + Client.encoded(selector)).json());
    }

    @Test
    void a_list_has_a_version_and_items_by_name() {
        node("b");
        node("a");
        Client.Reply reply = client.get(Client.NODES);
        assertThat(reply.at("/kind")).isEqualTo("NodeList");
        if (isOurs()) {
            assertThat(Long.parseLong(version(reply))).isEqualTo(server.resourceVersion());
        }
        assertThat(names(reply.json())).containsExactly("a", "b");
        assertThat(reply.json().at("/items/0").has("kind")).isFalse();
    }

    @Test
    void items_of_custom_resources_have_a_kind() {
        machine("m");
        JsonNode item = client.get(Client.MACHINES).json().at("/items/0");
        assertThat(item.path("kind").asText()).isEqualTo("Machine");
        assertThat(item.path("apiVersion").asText()).isEqualTo("cluster.x-k8s.io/v1beta2");
    }

    @Test
    void one_namespace_or_all() {
        machine("m");
        created(client.post(Client.MACHINES.replace("default", "kube-system"), machineJson("k", SPEC)));
        assertThat(names(client.get(Client.MACHINES).json())).containsExactly("m");
        assertThat(names(client.get("/apis/cluster.x-k8s.io/v1beta2/machines").json())).containsExactly("m", "k");
        assertThat(names(client.get(Client.MACHINES.replace("default", "none")).json())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "x=1 | a,b", "x==1 | a,b", "x!=1 | c,d", "x | a,b,c", "!x | d", "x in (1,2),y | b", "x notin (1) | c,d",
            "x in (1, 2),y=3 | b", "y= | ''"
    })
    void label_selectors(String selector, String found) {
        node("a", "x", "1");
        created(client.post(Client.NODES, "{'metadata':{'name':'b','labels':{'x':'1','y':'3'}}}"));
        node("c", "x", "2");
        node("d");
        assertThat(String.join(",", select(selector))).isEqualTo(found);
    }

    @Test
    void selectors_nobody_understands_are_refused() {
        assertThat(client.get(Client.NODES + "?labelSelector=" + Client.encoded("a b c")).code()).isEqualTo(400);
        Client.Reply reply = client.get(Client.NODES + "?fieldSelector=spec.foo%3Dx");
        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.at("/message")).isEqualTo("field label not supported: spec.foo");
    }

    @Test
    void field_selectors_by_name_and_involved_object() {
        node("a");
        node("b");
        assertThat(names(client.get(Client.NODES + "?fieldSelector=metadata.name%3Db").json())).containsExactly("b");
        assertThat(names(client.get(Client.NODES + "?fieldSelector=metadata.name!%3Db").json())).containsExactly("a");
        String events = "/api/v1/namespaces/default/events";
        client.post(events, "{'metadata':{'name':'e'},'involvedObject':{'kind':'Node','name':'a'},'type':'Warning'}");
        client.post(events, "{'metadata':{'name':'f'},'involvedObject':{'kind':'Node','name':'b'},'type':'Normal'}");
        String selector = Client.encoded("involvedObject.name=a,involvedObject.kind=Node,type!=Normal");
        assertThat(names(client.get(events + "?fieldSelector=" + selector).json())).containsExactly("e");
    }

    @Test
    void pages_show_the_state_of_the_first_one() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            node(name);
        }
        Client.Reply first = client.get(Client.NODES + "?limit=2");
        assertThat(first.json().at("/metadata/remainingItemCount").asInt()).isEqualTo(3);
        client.delete(Client.NODES + "/d");
        node("cc");
        client.merge(Client.NODES + "/e", "{'metadata':{'labels':{'x':'y'}}}");
        Client.Reply second = client.get(Client.NODES + "?limit=2&continue=" + first.at("/metadata/continue"));
        Client.Reply third = client.get(Client.NODES + "?limit=2&continue=" + second.at("/metadata/continue"));
        assertThat(names(second.json())).containsExactly("c", "d");
        assertThat(names(third.json())).containsExactly("e");
        assertThat(third.json().at("/items/0/metadata").has("labels")).isFalse();
        assertThat(version(third)).isEqualTo(version(first));
        assertThat(third.json().path("metadata").has("continue")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
            "?resourceVersion=abc, 400",
            "?resourceVersion=99999, 504",
            "?resourceVersionMatch=Exact, 422",
            "?resourceVersionMatch=Exact&resourceVersion=0, 422",
            "?sendInitialEvents=true&resourceVersion=1, 422",
            "?continue=zzz, 400"
    })
    void versions_that_make_no_sense_are_refused(String query, int code) {
        assertThat(client.get(Client.NODES + query).code()).isEqualTo(code);
    }
}
