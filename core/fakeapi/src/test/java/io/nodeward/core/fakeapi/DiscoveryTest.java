package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryTest extends ServerTest {
    @Override
    Options options() {
        return Options.defaults().withKind(Kind.custom("example.org", List.of("v1"), "widgets", "Widget")
                .clusterScoped()
                .withShortNames("wi")
                .withStatus(false)
                .withColumns(Column.at("Size", "spec", "size")));
    }

    @Test
    void groups_name_their_versions_preferred_first() {
        JsonNode group = client.get("/apis/cluster.x-k8s.io").json();
        assertThat(group.path("versions").findValuesAsText("version")).containsExactly("v1beta2", "v1beta1");
        assertThat(group.at("/preferredVersion/groupVersion").asText()).isEqualTo("cluster.x-k8s.io/v1beta2");
        assertThat(client.get("/apis").json().path("groups").findValuesAsText("name"))
                .containsExactly("coordination.k8s.io", "policy", "cluster.x-k8s.io", "example.org");
        assertThat(client.get("/api").json().path("versions").get(0).asText()).isEqualTo("v1");
    }

    @Test
    void resources_say_what_can_be_done() {
        JsonNode resources = client.get("/apis/cluster.x-k8s.io/v1beta1").json().path("resources");
        assertThat(resources.findValuesAsText("name"))
                .containsExactly("clusters", "clusters/status", "machines", "machines/status", "machinepools",
                        "machinepools/status");
        assertThat(resources.get(2).path("verbs").toString()).contains("watch", "patch");
        assertThat(client.get("/api/v1").json().path("resources").findValuesAsText("name"))
                .contains("nodes", "nodes/status", "secrets", "events", "namespaces", "pods", "serviceaccounts");
    }

    @Test
    void a_registered_kind_is_served() {
        created(client.post("/apis/example.org/v1/widgets",
                "{'apiVersion':'example.org/v1','kind':'Widget','metadata':{'name':'w'},'spec':{'size':'7'}}"));
        assertThat(client.get("/apis/example.org/v1/widgets/w/status").code()).isEqualTo(404);
        assertThat(client.accepting(Client.TABLE).get("/apis/example.org/v1/widgets").json()
                .at("/rows/0/cells/1").asText()).isEqualTo("7");
        assertThat(client.get("/apis/example.org/v1").json().at("/resources/0/shortNames/0").asText()).isEqualTo("wi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/readyz", "/livez", "/healthz"})
    void health_is_ok(String path) {
        assertThat(new String(client.get(path).http().body())).isEqualTo("ok");
    }

    @Test
    void the_version_is_that_of_the_model() {
        assertThat(client.get("/version").at("/gitVersion")).startsWith("v1.36.3");
    }

    @Test
    void schemas_know_field_validation() {
        String url = client.get("/openapi/v3").json().at("/paths/apis~1cluster.x-k8s.io~1v1beta2/serverRelativeURL")
                .asText();
        JsonNode patch = client.get(url).json().at(
                "/paths/~1apis~1cluster.x-k8s.io~1v1beta2~1namespaces~1{namespace}~1machines~1{name}/patch");
        assertThat(patch.at("/parameters/0/name").asText()).isEqualTo("fieldValidation");
        assertThat(patch.at("/x-kubernetes-group-version-kind/kind").asText()).isEqualTo("Machine");
    }

    @Test
    void an_unknown_object_is_named() {
        Client.Reply reply = client.get(Client.MACHINES + "/x");
        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.at("/message")).isEqualTo("machines.cluster.x-k8s.io \"x\" not found");
        assertThat(reply.json().path("details")).isEqualTo(
                Client.json("{'name':'x','group':'cluster.x-k8s.io','kind':'machines'}"));
    }

    @Test
    void an_unknown_resource_of_a_known_group_is_a_status() {
        Client.Reply reply = client.get("/api/v1/foos/x");
        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.at("/message")).isEqualTo("the server could not find the requested resource");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nope", "/apis/nope.io/v1/foos", "/apis/cluster.x-k8s.io/v9/machines", "/apis/nope.io",
            "/"})
    void an_unknown_path_is_plain_text(String path) {
        Client.Reply reply = client.get(path);
        assertThat(reply.code()).isEqualTo(404);
        assertThat(new String(reply.http().body())).isEqualTo("404 page not found\n");
    }

    @Test
    void a_method_that_is_not_served() {
        assertThat(client.post(Client.NODES + "/a", "{}").at("/reason")).isEqualTo("MethodNotAllowed");
        assertThat(client.merge(Client.NODES, "{}").code()).isEqualTo(405);
        assertThat(client.post("/api/v1/secrets", "{}").code()).isEqualTo(405);
    }
}
