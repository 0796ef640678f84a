package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.spi.ApiFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A rule of the server whose rule is gone. */
class OrphansTest {
    private static final ObjectKey ORPHAN = ObjectKey.clusterScoped("orphan");

    private final DevicesFixture cluster = DevicesFixture.started();

    @BeforeEach
    void leave() {
        cluster.server.serve();
        cluster.server.write(ObjectChange.create(ServerRules.kind("v1"), ORPHAN, Tree.of(Map.of(
                "metadata", Map.of("ownerReferences", List.of(Map.of("apiVersion", "nodeward.io/v1alpha1", "kind",
                        DeviceTaintRule.DEFINITION.kind(), "name", "r", "uid", "uid-r"))),
                "spec", Map.of("taint", Map.of("key", "k", "effect", "None"))))));
    }

    private Result apply(ObjectWriter writer) {
        return new Orphans(cluster.caches, cluster.serverRules, writer, "manager").apply(ORPHAN);
    }

    @Test
    void it_is_deleted() {
        assertThat(apply((change, manager, again) -> {
            cluster.server.write(change);
            return new Applied.Written();
        })).isEqualTo(Result.done());
        assertThat(cluster.server.cache.all()).isEmpty();
    }

    @Test
    void it_is_tried_again_if_the_server_may_not_have_deleted_it() {
        ApiFailure failure = ApiFailure.of(new Status(503, "", "", 0), "DELETE", Optional.empty());
        for (Applied applied : List.of(new Applied.Unanswered(failure), new Applied.Outdated(failure))) {
            assertThatThrownBy(() -> apply((change, manager, again) -> applied)).as(applied.toString())
                    .isSameAs(failure);
        }
    }
}
