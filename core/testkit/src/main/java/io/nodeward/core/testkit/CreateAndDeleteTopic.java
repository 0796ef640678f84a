package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.DeleteOptions;
import java.io.IOException;
import org.junit.jupiter.api.Test;

abstract class CreateAndDeleteTopic extends ServedTopic {
    @Test
    void a_new_object_is_answered_with_its_metadata() throws IOException {
        Metadata created = created(api(), SECRETS, "default", secretJson(name("a")));
        assertThat(created.key()).isEqualTo(new ObjectKey("default", name("a")));
        assertThat(created.uid()).isNotEmpty();
        assertThat(created.resourceVersion()).isNotEmpty();
    }

    @Test
    void a_name_that_is_taken_already_exists() throws IOException {
        node(api, "a");
        assertThatThrownBy(() -> api.create(NODES, "", nodeJson(name("a"), "{}"), WRITER))
                .isInstanceOfSatisfying(ApiFailure.AlreadyExists.class,
                        failure -> assertThat(failure.status().reason()).isEqualTo("AlreadyExists"));
    }

    @Test
    void an_object_the_server_cannot_read_is_rejected() {
        assertThatThrownBy(() -> api.create(NODES, "", bytes("no json"), WRITER))
                .isInstanceOf(ApiFailure.Rejected.class);
    }

    @Test
    void a_deleted_object_is_gone() throws IOException {
        Metadata node = node(api, "a");
        api.delete(NODES, node.key());
        assertThatThrownBy(() -> api.get(NODES, node.key())).isInstanceOf(ApiFailure.NotFound.class);
        assertThatThrownBy(() -> api.delete(NODES, node.key())).isInstanceOf(ApiFailure.NotFound.class);
    }

    @Test
    void a_deletion_holds_on_the_uid_and_the_resource_version_that_it_names() throws IOException {
        Metadata node = node(api, "a");
        assertRefused(api, node, new DeleteOptions("u", "", ""),
                "the UID in the precondition (u) does not match the UID in record (" + node.uid()
                        + "). The object might have been deleted and then recreated");
        assertRefused(api, node, new DeleteOptions(node.uid(), "1", ""),
                "the ResourceVersion in the precondition (1) does not match the ResourceVersion in record ("
                        + node.resourceVersion() + "). The object might have been modified");
        api.delete(NODES, node.key(), DeleteOptions.only(node));
        assertThatThrownBy(() -> api.get(NODES, node.key())).isInstanceOf(ApiFailure.NotFound.class);
    }

    private static void assertRefused(ApiServer api, Metadata node, DeleteOptions options, String why)
            throws IOException {
        assertThatThrownBy(() -> api.delete(NODES, node.key(), options))
                .isInstanceOfSatisfying(ApiFailure.Conflict.class, failure -> {
                    assertThat(failure.status().reason()).isEqualTo("Conflict");
                    assertThat(failure.status().message()).isEqualTo(
                            "Operation cannot be fulfilled on Node \"" + node.key().name() + "\": " + why);
                });
        assertThat(json(api.get(NODES, node.key())).at("/metadata/uid").asText()).isEqualTo(node.uid());
    }

    @Test
    void an_object_that_was_changed_or_created_anew_is_not_the_one_that_was_seen() throws IOException {
        Metadata seen = node(api, "a");
        api.patch(NODES, seen.key(), merge("{\"metadata\":{\"labels\":{\"someone\":\"else\"}}}"));
        assertThatThrownBy(() -> api.delete(NODES, seen.key(), DeleteOptions.only(seen)))
                .isInstanceOf(ApiFailure.Conflict.class);
        api.delete(NODES, seen.key());
        node(api, "a");
        assertThatThrownBy(() -> api.delete(NODES, seen.key(), DeleteOptions.only(seen)))
                .isInstanceOf(ApiFailure.Conflict.class);
        assertThat(api.get(NODES, seen.key())).isNotEmpty();
    }

    @Test
    void a_propagation_policy_that_no_server_knows_is_refused() throws IOException {
        Metadata node = node(api, "a");
        assertThatThrownBy(() -> api.delete(NODES, node.key(), DeleteOptions.NONE.withPropagationPolicy("Sideways")))
                .isInstanceOf(ApiFailure.Rejected.class)
                .hasMessageContaining("propagationPolicy: Unsupported value: \"Sideways\"");
        api.delete(NODES, node.key(), DeleteOptions.only(node).withPropagationPolicy(DeleteOptions.BACKGROUND));
        assertThatThrownBy(() -> api.get(NODES, node.key())).isInstanceOf(ApiFailure.NotFound.class);
    }
}
