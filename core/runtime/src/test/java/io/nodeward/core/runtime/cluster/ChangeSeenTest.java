package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a change of an object is through, for those whose cache shows what becomes of it. */
class ChangeSeenTest {
    private static final ObjectKind KIND = new ObjectKind("g", "v1", "Widget", "widgets", true);
    private static final ObjectKey KEY = new ObjectKey("ns", "w");
    private static final Tree CONTENT = Tree.of(Map.of("spec", Map.of("size", 3)));
    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<Request> calls = new ArrayList<>();
    private final ObjectCache<PartialObject> cache = new ObjectCache<>();
    private int status = 200;
    private String reply = "{'metadata':{'namespace':'ns','name':'w','uid':'u','resourceVersion':'8'}}";
    private Runnable meanwhile = () -> {};

    @Test
    void a_change_is_through_when_the_cache_shows_it() throws Exception {
        cache.put(object("u", "7"));
        isThroughWith(ObjectChange.apply(KIND, KEY, CONTENT), () -> cache.put(object("u", "8")));
        isThroughWith(ObjectChange.mergePatch(KIND, metadata("u", "8"), CONTENT), () -> cache.put(object("u", "9")),
                "9");
        isThroughWith(ObjectChange.delete(KIND, metadata("u", "9")), () -> cache.remove(object("u", "10")));
        isThroughWith(ObjectChange.create(KIND, KEY, CONTENT), () -> cache.put(object("v", "11")), "11");
    }

    @Test
    void what_the_cache_holds_at_once_is_not_waited_for_and_a_reply_that_is_none_is_as_no_answer() {
        cache.put(object("u", "7"));
        ObjectChange change = ObjectChange.mergePatch(KIND, metadata("u", "7"), CONTENT)
                .heldIn(cache, answer -> cache.put(new PartialObject(Replies.metadata(answer))));
        assertThat(write(change, LONG)).isEqualTo(new Applied.Written());
        assertThat(cache.get(KEY).orElseThrow().metadata().resourceVersion()).isEqualTo("8");

        reply = "<html>";
        ObjectChange next = change.on(ObjectChange.Preconditions.of(metadata("u", "8")));
        assertThatThrownBy(() -> write(next, LONG)).isInstanceOf(ApiFailure.Unreachable.class);
    }

    @Test
    void a_change_that_somebody_deleted_since_is_waited_for_no_longer() throws Exception {
        cache.put(object("u", "7"));
        isThroughWith(ObjectChange.apply(KIND, KEY, CONTENT), () -> cache.remove(object("u", "9")));
    }

    @Test
    void a_deletion_is_not_through_with_any_other_write() throws Exception {
        cache.put(object("u", "7"));
        meanwhile = () -> cache.put(object("u", "8"));
        isThroughWith(ObjectChange.delete(KIND, metadata("u", "7")), () -> cache.put(deleting("u", "9")));
    }

    @Test
    void what_is_applied_anew_is_not_through_with_the_end_of_an_older_object() throws Exception {
        cache.put(object("t", "7"));
        meanwhile = () -> cache.remove(object("t", "9"));
        isThroughWith(ObjectChange.apply(KIND, KEY, CONTENT), () -> cache.put(object("u", "10")), "10");
    }

    @Test
    void a_change_of_what_is_not_there_as_planned_is_not_sent() {
        cache.put(object("u", "7"));
        assertThat(apply(ObjectChange.delete(KIND, metadata("u", "6")))).isInstanceOf(Applied.Outdated.class);
        assertThat(apply(ObjectChange.mergePatch(KIND, metadata("t", "7"), CONTENT)))
                .isInstanceOf(Applied.Outdated.class);
        assertThat(apply(ObjectChange.create(KIND, KEY, CONTENT))).isInstanceOf(Applied.Outdated.class);
        cache.remove(object("u", "7"));
        assertThat(apply(ObjectChange.delete(KIND, metadata("u", "7")))).isEqualTo(new Applied.Gone());
        assertThat(calls).isEmpty();
    }

    @Test
    void what_is_being_deleted_is_not_deleted_again() {
        cache.put(deleting("u", "7"));
        assertThat(applyUnseen(ObjectChange.delete(KIND, metadata("u", "7")))).isEqualTo(new Applied.Gone());
        assertThat(calls).isEmpty();
        assertThat(applyUnseen(ObjectChange.delete(KIND, metadata("t", "6")))).isInstanceOf(Applied.Outdated.class);
    }

    @Test
    void after_a_conflict_the_newer_object_is_there_to_decide_from() {
        cache.put(object("u", "7"));
        status = 409;
        meanwhile = () -> cache.put(object("u", "9"));
        assertThat(apply(ObjectChange.mergePatch(KIND, metadata("u", "7"), CONTENT)))
                .isInstanceOf(Applied.Outdated.class);
        meanwhile = () -> cache.remove(object("u", "10"));
        assertThat(apply(ObjectChange.mergePatch(KIND, metadata("u", "9"), CONTENT)))
                .isInstanceOf(Applied.Outdated.class);
        reply = "{'kind':'Status','reason':'AlreadyExists','code':409}";
        meanwhile = () -> cache.put(object("v", "11"));
        assertThat(apply(ObjectChange.create(KIND, KEY, CONTENT))).isInstanceOf(Applied.Outdated.class);
    }

    @Test
    void a_conflict_of_which_the_watch_brings_nothing_goes_back_to_the_queue() {
        cache.put(object("u", "7"));
        status = 409;
        assertThatThrownBy(() -> applyUnseen(ObjectChange.mergePatch(KIND, metadata("u", "7"), CONTENT)))
                .isInstanceOf(ApiFailure.Conflict.class);
    }

    @Test
    void a_patch_of_what_is_gone_is_planned_anew_when_the_cache_shows_it_and_never_taken_for_made() {
        cache.put(object("u", "7"));
        status = 404;
        reply = "{'kind':'Status','reason':'NotFound','message':'widgets w not found','code':404}";
        assertThatThrownBy(() -> applyUnseen(ObjectChange.mergePatch(KIND, metadata("u", "7"), CONTENT)))
                .isInstanceOf(ApiFailure.NotFound.class);
        assertThat(applyUnseen(ObjectChange.delete(KIND, metadata("u", "7")))).isEqualTo(new Applied.Gone());
        meanwhile = () -> cache.remove(object("u", "8"));
        for (ObjectChange patch : List.of(ObjectChange.mergePatch(KIND, metadata("u", "7"), CONTENT),
                ObjectChange.jsonPatch(KIND, metadata("u", "7"), JsonPatch.EMPTY))) {
            cache.put(object("u", "7"));
            assertThat(apply(patch)).as(patch.toString()).isInstanceOf(Applied.Outdated.class);
        }
    }

    @Test
    void what_finds_no_namespace_to_be_in_is_refused_whatever_the_cache_shows_since() {
        status = 404;
        reply = "{'kind':'Status','reason':'NotFound','message':'namespaces ns not found','code':404}";
        meanwhile = () -> cache.put(object("v", "9"));
        for (ObjectChange change : List.of(
                ObjectChange.create(KIND, KEY, CONTENT), ObjectChange.apply(KIND, KEY, CONTENT))) {
            cache.remove(object("v", "9"));
            assertThatThrownBy(() -> apply(change)).as(change.done()).isInstanceOf(ApiFailure.NotFound.class);
        }
    }

    @Test
    void a_json_patch_that_does_not_fit_the_version_that_it_was_planned_from_is_refused() {
        cache.put(object("u", "7"));
        status = 422;
        reply = "{'kind':'Status','reason':'Invalid','code':422,"
                + "'message':'the server rejected our request due to an error in our request'}";
        JsonPatch patch = JsonPatch.EMPTY.replace(List.of("spec", "no", "such"), Tree.of(1));
        assertThatThrownBy(() -> applyUnseen(ObjectChange.jsonPatch(KIND, metadata("u", "7"), patch)))
                .isInstanceOf(ApiFailure.Rejected.class)
                .hasMessageContaining("the patch does not fit the object");
        meanwhile = () -> cache.put(object("u", "9"));
        assertThat(apply(ObjectChange.jsonPatch(KIND, metadata("u", "7"), patch)))
                .isInstanceOf(Applied.Outdated.class);
    }

    private void isThroughWith(ObjectChange update, Runnable event) throws Exception {
        isThroughWith(update, event, "8");
    }

    private void isThroughWith(ObjectChange update, Runnable event, String version) throws Exception {
        reply = reply.replaceFirst("'resourceVersion':'[0-9]+'", "'resourceVersion':'" + version + "'");
        CompletableFuture<Applied> applied = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> applied.complete(apply(update)));
        await().atMost(LONG).until(() -> thread.getState() == Thread.State.TIMED_WAITING || applied.isDone());
        assertThat(applied).as(update.done() + ", and not seen").isNotDone();
        event.run();
        thread.join();
        assertThat(applied.get()).isEqualTo(new Applied.Written());
    }

    private Applied apply(ObjectChange update) {
        return apply(update, LONG);
    }

    /** Of what the watch brings nothing of. */
    private Applied applyUnseen(ObjectChange update) {
        return apply(update, Duration.ofMillis(1));
    }

    private Applied apply(ObjectChange update, Duration watchDelay) {
        return write(update.seenIn(cache), watchDelay);
    }

    private Applied write(ObjectChange update, Duration watchDelay) {
        return new ChangeWriter(new ApiServer(new Recording()), new WriteMeters(new SimpleMeterRegistry()),
                (before, after) -> {}, watchDelay)
                .apply(update, "manager", false);
    }

    private static PartialObject object(String uid, String version) {
        return new PartialObject(metadata(uid, version));
    }

    private static PartialObject deleting(String uid, String version) {
        return new PartialObject(new Metadata(KEY, uid, version, Map.of(), Map.of(), List.of(), true));
    }

    private static Metadata metadata(String uid, String version) {
        return new Metadata(KEY, uid, version, Map.of(), Map.of(), List.of(), false);
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
