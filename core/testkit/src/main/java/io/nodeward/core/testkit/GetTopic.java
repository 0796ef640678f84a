package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import org.junit.jupiter.api.Test;

abstract class GetTopic extends ServedTopic {
    @Test
    void an_object_comes_whole() throws IOException {
        byte[] json = nodeJson(name("a"), "{\"contract\":\"snow \u2603 and \\\"quotes\\\"\"}");
        Metadata created = created(api, NODES, "", json);
        var node = json(api.get(NODES, created.key()));
        assertThat(node.path("kind").asText()).isEqualTo("Node");
        assertThat(node.path("metadata").path("uid").asText()).isEqualTo(created.uid());
        assertThat(node.path("metadata").path("annotations").path("contract").asText())
                .isEqualTo("snow \u2603 and \"quotes\"");
    }

    @Test
    void an_object_of_a_namespace_is_found_there_and_nowhere_else() throws IOException {
        created(api, SECRETS, "default", secretJson(name("a")));
        assertThat(json(api.get(SECRETS, new ObjectKey("default", name("a")))).path("data").path("value").asText())
                .isEqualTo("aGVsbG8=");
        assertThatThrownBy(() -> api.get(SECRETS, new ObjectKey("kube-system", name("a"))))
                .isInstanceOf(ApiFailure.NotFound.class);
    }

    @Test
    void an_object_that_is_not_there_is_not_found() {
        assertThatThrownBy(() -> api.get(NODES, ObjectKey.clusterScoped(name("nobody"))))
                .isInstanceOfSatisfying(ApiFailure.NotFound.class, failure -> {
                    assertThat(failure.status().code()).isEqualTo(404);
                    assertThat(failure.status().reason()).isEqualTo("NotFound");
                    assertThat(failure).hasMessageContaining("GET /api/v1/nodes/" + name("nobody"));
                });
    }

    @Test
    void a_kind_a_version_or_a_group_that_nobody_serves_is_not_served() {
        ObjectKey key = ObjectKey.clusterScoped(name("a"));
        assertThatThrownBy(() -> api.get(new Resource("", "v1", "nothings", false), key))
                .isInstanceOf(ApiFailure.NotServed.class);
        assertThatThrownBy(() -> api.get(new Resource("", "v9", "nodes", false), key))
                .isInstanceOf(ApiFailure.NotServed.class);
        assertThatThrownBy(() -> api.get(new Resource("nobody.test", "v1", "nodes", false), key))
                .isInstanceOf(ApiFailure.NotServed.class);
    }

    @Test
    void any_path_can_be_asked_for_discovery() throws IOException {
        var resources = json(api().get("/api/v1"));
        assertThat(resources.path("kind").asText()).isEqualTo("APIResourceList");
        assertThat(resources.path("resources").findValuesAsText("name")).contains("nodes", "secrets");
    }
}
