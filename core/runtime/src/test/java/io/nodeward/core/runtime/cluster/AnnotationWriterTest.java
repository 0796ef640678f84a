package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.AnnotatedObjects;
import io.nodeward.core.runtime.controller.AnnotationUpdate;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AnnotationWriterTest {
    private static final ObjectKey KEY = new ObjectKey("ns", "m");
    private static final String PATH = "PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinesets/m?fieldManager=";
    private static final String WRITTEN = "{'metadata':{'namespace':'ns','name':'m','uid':'u','resourceVersion':'8',"
            + "'annotations':{'a':'1'}}}";

    private final List<Request> calls = new ArrayList<>();
    private final ObjectCache<PartialObject> cache = new ObjectCache<>();
    private final List<String> heard = new ArrayList<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private int status = 200;
    private String reply = WRITTEN;
    private Runnable meanwhile = () -> {};

    @BeforeEach
    void isSeen() {
        cache.put(object("7"));
        cache.subscribeToChanges(
                (before, after) -> heard.add(after == null ? "gone" : after.metadata().resourceVersion()));
    }

    @Test
    void what_was_written_is_in_the_cache_and_no_listener_hears_of_it() {
        assertThat(apply("7", Optional.of("1"))).isEqualTo(new Applied.Written());

        assertThat(cache.get(KEY).orElseThrow().metadata().annotations()).isEqualTo(Map.of("a", "1"));
        assertThat(heard).isEmpty();
    }

    @Test
    void what_is_applied_holds_on_the_version_and_takes_over() {
        apply("7", Optional.of("1"));

        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.method() + " " + call.path()).isEqualTo(PATH + "manager&force=true");
            assertThat(call.headers()).containsEntry("Content-Type", "application/apply-patch+yaml");
            assertThat(new String(call.body().orElseThrow()))
                    .contains("\"resourceVersion\":\"7\"", "\"annotations\":{\"a\":\"1\"}");
        });
    }

    @Test
    void what_is_removed_goes_by_merge_patch_on_the_version() {
        apply("7", Optional.empty());

        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.method() + " " + call.path()).isEqualTo(PATH + "manager");
            assertThat(call.headers()).containsEntry("Content-Type", "application/merge-patch+json");
            assertThat(new String(call.body().orElseThrow())).isEqualTo(
                    "{\"metadata\":{\"resourceVersion\":\"7\",\"annotations\":{\"a\":null}}}");
        });
    }

    @Test
    void a_change_of_an_older_version_is_not_sent() {
        assertThat(apply("6", Optional.of("1"))).isInstanceOf(Applied.Outdated.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void after_a_conflict_the_newer_object_is_there_to_plan_from() {
        status = 409;
        meanwhile = () -> cache.put(object("9"));
        assertThat(apply("7", Optional.of("1"))).isInstanceOf(Applied.Outdated.class);
    }

    @Test
    void a_conflict_of_which_the_watch_brings_nothing_goes_back_to_the_queue() {
        status = 409;
        assertThatThrownBy(() -> apply("7", Optional.of("1"))).isInstanceOf(ApiFailure.Conflict.class);
    }

    @Test
    void what_is_gone_is_not_written() {
        status = 404;
        reply = "{'kind':'Status','reason':'NotFound','code':404}";
        assertThat(apply("7", Optional.of("1"))).isEqualTo(new Applied.Gone());
        cache.remove(object("10"));
        assertThat(apply("7", Optional.of("1"))).isEqualTo(new Applied.Gone());
        assertThat(calls).hasSize(1);
    }

    @Test
    void writes_are_counted_by_what_became_of_them() {
        apply("7", Optional.of("1"));
        status = 409;
        meanwhile = () -> cache.put(object("9"));
        apply("8", Optional.of("2"));
        status = 422;
        reply = "{'kind':'Status','reason':'Invalid','code':422}";
        assertThatThrownBy(() -> apply("9", Optional.of("3"))).isInstanceOf(ApiFailure.Rejected.class);
        status = 403;
        reply = "{'kind':'Status','reason':'Forbidden','code':403}";
        assertThatThrownBy(() -> apply("9", Optional.of("3"))).isInstanceOf(ApiFailure.Forbidden.class);

        assertThat(written("written")).isEqualTo(1);
        assertThat(written("conflict")).isEqualTo(1);
        assertThat(written("rejected")).isEqualTo(2);
    }

    private double written(String result) {
        return registry.get("nodeward.annotation.writes").tag("result", result).counter().count();
    }

    @Test
    void a_reply_that_cannot_be_read_is_tried_again_as_if_none_had_come() {
        reply = "<html>";
        assertThatThrownBy(() -> apply("7", Optional.of("1"))).isInstanceOf(ApiFailure.Unreachable.class);
    }

    private Applied apply(String version, Optional<String> text) {
        Target target = new Target(Resources.clusterApi("v1beta2", "machinesets"),
                new Event.Regarding("cluster.x-k8s.io/v1beta2", "MachineSet", KEY, "u", version), List.of(), false);
        Map<String, String> applied = text.map(to -> Map.of("a", to)).orElse(Map.of());
        AnnotatedObjects<PartialObject> objects =
                new AnnotatedObjects<>(cache, Projection.METADATA, (before, after) -> after);
        AnnotationUpdate update = new AnnotationUpdate(
                target, objects, Map.of("a", text), applied, new AnnotationUpdate.Wording("done", "Refused"));
        return new AnnotationWriter(new ApiServer(new Recording()), registry).apply(update, "manager", false);
    }

    private static PartialObject object(String version) {
        return new PartialObject(new Metadata(KEY, "u", version, Map.of(), Map.of(), List.of(), false));
    }

    private final class Recording implements Transport {
        @Override
        public Response exchange(Request call) {
            calls.add(call);
            meanwhile.run();
            return new Response(status, Optional.empty(),
                    new ByteArrayInputStream(reply.replace('\'', '"').getBytes()));
        }

        @Override
        public void close() {}
    }
}
