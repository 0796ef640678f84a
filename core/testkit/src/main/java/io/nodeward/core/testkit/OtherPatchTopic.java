package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.Metadata;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON patches, the status, other preconditions than the resourceVersion, and forms nobody speaks. */
abstract class OtherPatchTopic extends ServedTopic {
    @Test
    void a_json_patch_does_its_operations_in_order() throws IOException {
        Metadata node = node(api, "a");
        api.patch(NODES, node.key(), jsonPatch("""
                [{"op":"test","path":"/metadata/resourceVersion","value":"%s"},
                 {"op":"add","path":"/metadata/labels/first","value":"1"},
                 {"op":"move","from":"/metadata/labels/first","path":"/metadata/labels/second"},
                 {"op":"replace","path":"/metadata/labels/second","value":"2"}]
                """.formatted(node.resourceVersion())));
        var labels = json(api.get(NODES, node.key())).path("metadata").path("labels");
        assertThat(labels.path("second").asText()).isEqualTo("2");
        assertThat(labels.has("first")).isFalse();
    }

    @Test
    void a_json_patch_whose_test_fails_is_a_conflict_and_changes_nothing() throws IOException {
        Metadata node = node(api, "a");
        Patch late = jsonPatch("""
                [{"op":"add","path":"/metadata/labels/first","value":"1"},
                 {"op":"test","path":"/metadata/resourceVersion","value":"1"}]
                """);
        assertThatThrownBy(() -> api.patch(NODES, node.key(), late))
                .isInstanceOfSatisfying(ApiFailure.Conflict.class,
                        failure -> assertThat(failure.status().code()).isEqualTo(422));
        assertThat(json(api.get(NODES, node.key())).path("metadata").path("resourceVersion").asText())
                .isEqualTo(node.resourceVersion());
    }

    @Test
    void a_patch_of_the_status_leaves_the_rest_alone() throws IOException {
        Metadata node = node(api, "a");
        api.patchStatus(NODES, node.key(), merge("""
                {"spec":{"unschedulable":true},"status":{"phase":"Running"}}
                """));
        var after = json(api.get(NODES, node.key()));
        assertThat(after.path("status").path("phase").asText()).isEqualTo("Running");
        assertThat(after.path("spec").has("unschedulable")).isFalse();
    }

    @Test
    void a_patch_leaves_the_status_alone() throws IOException {
        Metadata node = node(api, "a");
        api.patch(NODES, node.key(), merge("{\"spec\":{\"unschedulable\":true},\"status\":{\"phase\":\"Running\"}}"));
        var after = json(api.get(NODES, node.key()));
        assertThat(after.path("spec").path("unschedulable").asBoolean()).isTrue();
        assertThat(after.path("status").path("phase").asText()).isNotEqualTo("Running");
    }

    // The name may have been given again, to an object that nobody has looked at yet.
    @Test
    void a_patch_meant_for_an_object_that_is_gone_does_not_change_another_of_its_name() throws IOException {
        Metadata gone = node(api, "a");
        api.delete(NODES, gone.key());
        Metadata other = node(api, "a");
        Patch late = merge("{\"metadata\":{\"uid\":\"%s\",\"labels\":{\"a\":\"b\"}}}".formatted(gone.uid()));
        assertThatThrownBy(() -> api.patch(NODES, gone.key(), late)).isInstanceOf(ApiFailure.Rejected.class);
        assertThat(json(api.get(NODES, gone.key())).path("metadata").path("resourceVersion").asText())
                .isEqualTo(other.resourceVersion());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"application/x-nonsense", "application/json;as=Nonsense;g=meta.k8s.io;v=v1"})
    void an_answer_in_a_form_that_nobody_speaks_is_not_to_be_had(String accept) throws IOException {
        Metadata node = node(api(), "a");
        Request call = new Request("GET", NODES.object(node.key()), Map.of("Accept", accept), Optional.empty(),
                Duration.ofSeconds(30), false);
        try (Response answer = transport(server().kubeconfig()).exchange(call)) {
            assertThat(answer.status()).isEqualTo(406);
            assertThat(json(answer.body().readAllBytes()).path("reason").asText()).isEqualTo("NotAcceptable");
        }
    }

    private static Patch jsonPatch(String operations) {
        return new Patch(Patch.JSON, bytes(operations), WRITER, false);
    }
}
