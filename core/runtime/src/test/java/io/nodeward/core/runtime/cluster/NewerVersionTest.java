package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.spi.ApiFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NewerVersionTest {
    private static final ApiFailure.Conflict CONFLICT = (ApiFailure.Conflict) ApiFailure.of(
            new Status(409, "Conflict", "the object has been modified", 0), "PATCH of a thing", Optional.empty());

    private final ObjectCache<PartialObject> cache = new ObjectCache<>();
    private final PartialObject before = object("7");

    @Test
    void the_change_is_outdated_once_the_newer_version_is_in_the_cache() {
        cache.put(object("8"));

        assertThat(NewerVersion.await(cache, before, CONFLICT)).isEqualTo(new Applied.Outdated(CONFLICT));
    }

    @Test
    void an_object_that_the_watch_shows_to_be_gone_is() {
        assertThat(NewerVersion.await(cache, before, CONFLICT)).isEqualTo(new Applied.Gone());
    }

    @Test
    void an_object_that_is_gone_when_it_is_read_is() {
        cache.put(before);
        ApiFailure gone = ApiFailure.of(new Status(404, "NotFound", "", 0), "GET of a thing", Optional.empty());

        assertThat(NewerVersion.await(cache, before, KubernetesObject::sameVersion, CONFLICT, () -> {
            throw gone;
        })).isEqualTo(new Applied.Gone());
    }

    @Test
    void a_controller_that_is_stopped_neither_waits_nor_reads_and_stays_interrupted() {
        cache.put(before);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> NewerVersion.await(cache, before, KubernetesObject::sameVersion, CONFLICT, () -> {
            throw new AssertionError("read");
        })).isSameAs(CONFLICT);
        assertThat(Thread.interrupted()).isTrue();
    }

    private static PartialObject object(String version) {
        return new PartialObject(
                new Metadata(new ObjectKey("ns", "m"), "u", version, Map.of(), Map.of(), List.of(), false));
    }
}
