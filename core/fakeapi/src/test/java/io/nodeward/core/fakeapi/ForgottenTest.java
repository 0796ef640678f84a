package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** Lists of which somebody can tell the server to forget how they were, and one that is long. */
class ForgottenTest extends ServerTest {
    @Test
    void a_page_of_a_forgotten_version_is_expired_and_offers_to_go_on() {
        node("a");
        node("b");
        Client.Reply first = client.get(Client.NODES + "?limit=1");
        node("c");
        server.expire();
        Client.Reply second = client.get(Client.NODES + "?limit=1&continue=" + first.at("/metadata/continue"));
        assertThat(second.code()).isEqualTo(410);
        assertThat(second.at("/reason")).isEqualTo("Expired");
        Client.Reply rest = client.get(Client.NODES + "?continue=" + second.at("/metadata/continue"));
        assertThat(ListsTest.names(rest.json())).containsExactly("b", "c");
    }

    @Test
    void an_exact_version_shows_what_was_there() {
        String then = version(node("a"));
        node("b");
        String exact = Client.NODES + "?resourceVersionMatch=Exact&resourceVersion=";
        assertThat(ListsTest.names(client.get(exact + then).json())).containsExactly("a");
        assertThat(ListsTest.names(client.get(Client.NODES + "?resourceVersion=" + then).json())).containsExactly("a",
                "b");
        server.expire();
        assertThat(client.get(exact + then).code()).isEqualTo(410);
    }

    @Test
    void fifty_thousand_nodes_are_listed_in_pages() {
        JsonNode node = Client.json("{'metadata':{'name':'x'}}");
        for (int i = 0; i < 50_000; i++) {
            ((ObjectNode) node.path("metadata")).put("name", "n" + i);
            server.create("nodes", node);
        }
        int seen = 0;
        String token = "";
        do {
            Client.Reply page = client.get(Client.NODES + "?limit=5000&continue=" + token);
            seen += page.json().path("items").size();
            token = page.at("/metadata/continue");
        } while (!token.isEmpty());
        assertThat(seen).isEqualTo(50_000);
    }
}
