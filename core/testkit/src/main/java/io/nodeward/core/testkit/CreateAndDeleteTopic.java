package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;

abstract class CreateAndDeleteTopic extends ServedTopic {
    CreateAndDeleteTopic(ServedContract contract) {
        super(contract);
    }

    @Test
    void a_new_object_is_answered_with_its_metadata() throws IOException {
        Metadata created = created(api(), SECRETS, "default", secretJson(name("a")));
        assertThat(created.key()).isEqualTo(new ObjectKey("default", name("a")));
        assertThat(created.uid()).isNotEmpty();
        assertThat(created.resourceVersion()).isNotEmpty();
    }

    @Test
    void a_name_that_is_taken_already_exists() throws IOException {
        ApiServer api = api();
        node(api, "a");
        assertThatThrownBy(() -> api.create(NODES, "", nodeJson(name("a"), "{}"), WRITER))
                .isInstanceOfSatisfying(ApiFailure.AlreadyExists.class,
                        failure -> assertThat(failure.status().reason()).isEqualTo("AlreadyExists"));
    }

    @Test
    void an_object_the_server_cannot_read_is_rejected() {
        ApiServer api = api();
        assertThatThrownBy(() -> api.create(NODES, "", bytes("no json"), WRITER))
                .isInstanceOf(ApiFailure.Rejected.class);
    }

    @Test
    void a_deleted_object_is_gone() throws IOException {
        ApiServer api = api();
        Metadata node = node(api, "a");
        api.delete(NODES, node.key());
        assertThatThrownBy(() -> api.get(NODES, node.key())).isInstanceOf(ApiFailure.NotFound.class);
        assertThatThrownBy(() -> api.delete(NODES, node.key())).isInstanceOf(ApiFailure.NotFound.class);
    }
}
