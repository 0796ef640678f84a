package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a log and {@code /readyz} advise about a watch that fails. */
class ListWatchTest {
    private static final ApiFailure FORBIDDEN = failure(403, "Forbidden");

    private final ListWatch<PartialObject> machines = watch(Resources.clusterApi("v1beta2", "machines"));
    private final ListWatch<PartialObject> secrets = watch(Resources.SECRETS);

    @Test
    void a_missing_right_is_named_with_the_namespace_where_it_is_missing() {
        assertThat(machines.remedy(FORBIDDEN))
                .isEqualTo("grant the controller list and watch of machines.cluster.x-k8s.io");
        assertThat(machines.in("team-a").remedy(FORBIDDEN))
                .isEqualTo("grant the controller list and watch of machines.cluster.x-k8s.io in namespace team-a");
        assertThat(secrets.in("team-a").with(Projection.METADATA).remedy(FORBIDDEN))
                .isEqualTo("grant the controller list and watch of secrets in namespace team-a");
        assertThat(secrets.in("").remedy(FORBIDDEN)).isEqualTo("grant the controller list and watch of secrets");
    }

    /** The name of the one object has its namespace. */
    @Test
    void of_one_object_the_namespace_is_not_said_twice() {
        ListWatch<PartialObject> one =
                new ListWatch<>("configmaps a/b", secrets.server(), Resources.CONFIG_MAPS, "a", "b",
                        "", false, Projection.METADATA);
        assertThat(one.remedy(FORBIDDEN)).isEqualTo("grant the controller list and watch of configmaps");
    }

    @Test
    void a_kind_that_is_not_served_and_credentials_that_have_ended_are_named_and_no_failure_that_passes() {
        assertThat(machines.in("team-a").remedy(failure(404, "")))
                .isEqualTo("install machines.cluster.x-k8s.io in version v1beta2");
        assertThat(machines.remedy(failure(401, "Unauthorized"))).isEqualTo("renew the controller's credentials");
        for (int passing : new int[]{410, 429, 500, 503}) {
            assertThat(machines.in("team-a").remedy(failure(passing, ""))).as("%s", passing).isEmpty();
        }
    }

    private static ListWatch<PartialObject> watch(Resource resource) {
        return new ListWatch<>(resource.plural(), new ApiServer(new ScriptedTransport()), resource, "", false,
                Projection.METADATA);
    }

    private static ApiFailure failure(int code, String reason) {
        return ApiFailure.of(new Status(code, reason, "of the test", 0), "GET", Optional.empty());
    }
}
