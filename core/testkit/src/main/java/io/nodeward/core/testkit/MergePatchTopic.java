package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

abstract class MergePatchTopic extends ServedTopic {
    /** A taint with a field that our projection does not know. */
    private static final String FOREIGN =
            "{\"key\":\"contract.test/foreign\",\"effect\":\"NoExecute\",\"timeAdded\":\"2026-01-02T03:04:05Z\"}";

    private static final String FOREIGN_ALONE = "{\"spec\":{\"taints\":[" + FOREIGN + "]}}";

    @Test
    void the_reply_is_metadata_alone_at_the_new_resource_version() throws IOException {
        Metadata before = node(api, "a");
        byte[] reply = api.patch(NODES, before.key(), change(before, taints("contract.test/a"), Map.of()));
        Metadata after = Replies.metadata(reply);
        assertThat(json(reply).path("kind").asText()).isEqualTo("PartialObjectMetadata");
        assertThat(json(reply).has("spec")).isFalse();
        assertThat(after.uid()).isEqualTo(before.uid());
        assertThat(after.resourceVersion()).isNotEqualTo(before.resourceVersion());
        assertThat(read(api, before.key()).metadata().resourceVersion()).isEqualTo(after.resourceVersion());
    }

    @Test
    void a_stale_resource_version_is_a_conflict_and_changes_nothing() throws IOException {
        Metadata stale = node(api, "a");
        api.patch(NODES, stale.key(), merge("{\"metadata\":{\"labels\":{\"someone\":\"else\"}}}"));
        byte[] before = api.get(NODES, stale.key());
        Patch late = change(stale, taints("contract.test/a"), Map.of("l", Optional.of("v")));
        assertThatThrownBy(() -> api.patch(NODES, stale.key(), late))
                .isInstanceOfSatisfying(ApiFailure.Conflict.class,
                        failure -> assertThat(failure.status().reason()).isEqualTo("Conflict"));
        assertThat(json(api.get(NODES, stale.key()))).isEqualTo(json(before));
    }

    @Test
    void a_patch_that_changes_nothing_is_no_new_version() throws IOException {
        Metadata node = node(api, "a");
        byte[] reply = api.patch(NODES, node.key(), merge("{\"metadata\":{\"labels\":{\"gone\":null}}}"));
        assertThat(Replies.metadata(reply).resourceVersion()).isEqualTo(node.resourceVersion());
    }

    @Test
    void other_actors_taints_survive_with_all_their_fields() throws IOException {
        Metadata created = node(api, "a");
        api.patch(NODES, created.key(), merge(FOREIGN_ALONE));
        Node before = read(api, created.key());
        List<Taint> taints = new ArrayList<>(before.taints());
        taints.add(Taint.of("contract.test/ours", "v", "NoSchedule"));
        api.patch(NODES, created.key(), change(before.metadata(), Optional.of(taints), Map.of()));
        Node after = read(api, created.key());
        assertThat(after.taints()).extracting(Taint::key).contains("contract.test/foreign", "contract.test/ours");
        assertThat(after.taints()).containsAll(before.taints());
        assertThat(json(api.get(NODES, created.key())).path("spec").path("taints").toString()).contains(FOREIGN);
    }

    @Test
    void an_empty_taint_list_takes_all_away() throws IOException {
        Metadata created = node(api, "a");
        api.patch(NODES, created.key(), merge(FOREIGN_ALONE));
        Metadata before = read(api, created.key()).metadata();
        api.patch(NODES, created.key(), change(before, Optional.of(List.of()), Map.of()));
        assertThat(read(api, created.key()).taints()).isEmpty();
    }

    @Test
    void null_removes_a_label_and_an_annotation_and_leaves_the_others() throws IOException {
        Metadata created = created(api, NODES, "", nodeJson(name("a"), "{\"keep\":\"1\",\"drop\":\"2\"}"));
        var labels = new TreeMap<String, Optional<String>>(Map.of("contract-run", Optional.empty()));
        var annotations = new TreeMap<>(Map.of("drop", Optional.<String>empty(), "add", Optional.of("3")));
        NodeChange change = new NodeChange(name("a"), created.resourceVersion(), Optional.empty(), labels, annotations);
        api.patch(NODES, created.key(), Patch.merge(Bodies.mergePatch(change), WRITER));
        Metadata after = read(api, created.key()).metadata();
        assertThat(after.labels()).doesNotContainKey("contract-run");
        assertThat(after.annotations()).containsEntry("keep", "1").containsEntry("add", "3").doesNotContainKey("drop");
    }

    @Test
    void a_taint_no_node_accepts_is_rejected() throws IOException {
        Metadata created = node(api, "a");
        Patch nonsense = merge("{\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"Nonsense\"}]}}");
        assertThatThrownBy(() -> api.patch(NODES, created.key(), nonsense))
                .isInstanceOfSatisfying(ApiFailure.Rejected.class, failure -> {
                    assertThat(failure.status().code()).isEqualTo(422);
                    assertThat(failure.status().reason()).isEqualTo("Invalid");
                    assertThat(failure).hasMessageContaining("Nonsense");
                });
    }

    @Test
    void another_content_type_is_rejected() throws IOException {
        Metadata created = node(api, "a");
        Patch nonsense = new Patch("application/x-nonsense", bytes("{}"), WRITER, false);
        assertThatThrownBy(() -> api.patch(NODES, created.key(), nonsense))
                .isInstanceOfSatisfying(ApiFailure.Rejected.class,
                        failure -> assertThat(failure.status().code()).isEqualTo(415));
    }

    @Test
    void a_node_that_is_gone_is_not_found() {
        assertThatThrownBy(() -> api.patch(NODES, ObjectKey.clusterScoped(name("nobody")), merge("{}")))
                .isInstanceOf(ApiFailure.NotFound.class);
    }

    private static Optional<List<Taint>> taints(String key) {
        return Optional.of(List.of(Taint.of(key, "", "NoSchedule")));
    }

    private static Patch change(Metadata from, Optional<List<Taint>> taints, Map<String, Optional<String>> labels) {
        NodeChange change = new NodeChange(
                from.key().name(), from.resourceVersion(), taints, new TreeMap<>(labels), new TreeMap<>());
        return Patch.merge(Bodies.mergePatch(change), WRITER);
    }

    private static Node read(ApiServer api, ObjectKey key) throws IOException {
        return Projection.NODE.read(api.get(NODES, key));
    }
}
