package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.json.TestedPatch;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
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
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of Nodes that hold on what they were planned from, and on nothing else. */
abstract class TestedPatchTopic extends ServedTopic {
    private static final String TRACKED = ClusterApi.TAINTS_FROM_MACHINE;
    private static final String THEIRS =
            "{\"key\":\"contract.test/theirs\",\"effect\":\"NoExecute\",\"timeAdded\":\"2026-01-02T03:04:05Z\"}";
    private static final Taint OURS = Taint.of("contract.test/ours", "v", "NoSchedule");

    /** Without taints, as some servers put one on what is new. */
    private Node bare(ApiServer api, String annotations) throws IOException {
        Metadata created = created(api, NODES, "", nodeJson(name("a"), annotations));
        api.patch(NODES, created.key(), merge("{\"spec\":{\"taints\":null}}"));
        return read(api, created.key());
    }

    private static Node read(ApiServer api, ObjectKey key) throws IOException {
        return Projection.NODE.read(api.get(NODES, key));
    }

    /** Adds our taint and tracks it. */
    private static Metadata add(ApiServer api, Node before) throws IOException {
        List<Taint> taints = new ArrayList<>(before.taints());
        taints.add(OURS);
        return send(api, before, Optional.of(taints), Map.of(TRACKED, Optional.of("contract.test/ours:NoSchedule")));
    }

    private static Metadata send(
            ApiServer api, Node before, Optional<List<Taint>> taints, Map<String, Optional<String>> annotations)
            throws IOException {
        NodeChange change = new NodeChange(before.key().name(), before.metadata().resourceVersion(), taints,
                new TreeMap<>(), new TreeMap<>(annotations));
        byte[] body = TestedPatch.of(before, change).orElseThrow();
        return Replies.metadata(api.patch(NODES, before.key(), Patch.json(body, WRITER)));
    }

    private static void assertRefused(ApiServer api, Node before) throws IOException {
        JsonNode there = json(api.get(NODES, before.key()));
        assertThatThrownBy(() -> add(api, before)).isInstanceOfSatisfying(ApiFailure.Conflict.class,
                failure -> assertThat(failure.status().code()).isEqualTo(422));
        assertThat(json(api.get(NODES, before.key()))).isEqualTo(there);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{\"other\":\"1\"}",
            "{\"" + TRACKED + "\":\"\",\"" + TaintAnnotations.TRACKING + "\":\"a:NoSchedule\"}"})
    void what_is_as_read_is_changed_and_the_reply_says_how_it_is_now(String annotations) throws IOException {
        Node before = bare(api, annotations);
        Metadata reply = add(api, before);
        Node after = read(api, before.key());
        assertThat(after.taints()).containsExactly(OURS);
        assertThat(after.metadata()).isEqualTo(reply);
        assertThat(after.metadata().annotations()).containsAllEntriesOf(before.metadata().annotations().entrySet()
                .stream().filter(a -> !a.getKey().equals(TRACKED))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    @Test
    void all_can_be_taken_away_again() throws IOException {
        Node before = bare(api, "null");
        add(api, before);
        send(api, read(api, before.key()), Optional.of(List.of()), Map.of(TRACKED, Optional.empty()));
        JsonNode after = json(api.get(NODES, before.key()));
        assertThat(after.path("spec").has("taints")).isFalse();
        assertThat(after.path("metadata").has("annotations")).isFalse();
        add(api, read(api, before.key()));
    }

    @Test
    void other_actors_taints_survive_with_all_their_fields() throws IOException {
        Node bare = bare(api, "null");
        api.patch(NODES, bare.key(), merge("{\"spec\":{\"taints\":[" + THEIRS + "]}}"));
        add(api, read(api, bare.key()));
        assertThat(json(api.get(NODES, bare.key())).path("spec").path("taints").path(0).toString()).isEqualTo(THEIRS);
    }

    @Test
    void a_heartbeat_and_what_nobody_has_read_are_no_conflict() throws IOException {
        Node before = bare(api, "{\"other\":\"1\"}");
        api.patchStatus(NODES, before.key(), merge("""
                {"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-02T03:04:05Z"}]}}
                """));
        api.patch(NODES, before.key(),
                merge("{\"metadata\":{\"labels\":{\"l\":\"1\"},\"annotations\":{\"other\":\"2\"}}}"));
        Metadata reply = add(api, before);
        Node after = read(api, before.key());
        assertThat(after.taints()).containsExactly(OURS);
        assertThat(after.metadata()).isEqualTo(reply);
        assertThat(reply.labels()).containsEntry("l", "1");
        assertThat(reply.annotations()).containsEntry("other", "2");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"spec\":{\"taints\":[" + THEIRS + "]}}",
            "{\"spec\":{\"providerID\":\"contract://a\"}}",
            "{\"metadata\":{\"annotations\":{\"" + TRACKED + "\":\"\"}}}",
            "{\"metadata\":{\"annotations\":{\"" + TaintAnnotations.TRACKING + "\":\"\"}}}",
            "{\"metadata\":{\"annotations\":{\"" + ClusterApi.LABELS_FROM_MACHINE + "\":\"l\"}}}",
            "{\"metadata\":{\"annotations\":{\"" + ClusterApi.ANNOTATIONS_FROM_MACHINE + "\":\"l\"}}}",
            "{\"metadata\":{\"annotations\":{\"other\":null}}}"
    })
    void what_comes_to_a_bare_node_or_goes_is_a_conflict_and_nothing_is_changed(String theirs) throws IOException {
        Node before = bare(api, "{\"other\":\"1\"}");
        api.patch(NODES, before.key(), merge(theirs));
        assertRefused(api, before);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"spec\":{\"taints\":null}}",
            "{\"spec\":{\"taints\":[{\"key\":\"contract.test/theirs\",\"effect\":\"NoExecute\"}]}}",
            "{\"metadata\":{\"annotations\":{\"" + TRACKED + "\":null}}}",
            "{\"metadata\":{\"annotations\":{\"" + TRACKED + "\":\"b:NoSchedule\"}}}"
    })
    void what_is_changed_or_taken_away_is_a_conflict_and_nothing_is_changed(String theirs) throws IOException {
        Node bare = bare(api, "{\"" + TRACKED + "\":\"a:NoSchedule\"}");
        api.patch(NODES, bare.key(), merge("{\"spec\":{\"taints\":[" + THEIRS + "]}}"));
        Node before = read(api, bare.key());
        api.patch(NODES, before.key(), merge(theirs));
        assertRefused(api, before);
    }

    @Test
    void another_node_of_the_same_name_is_a_conflict() throws IOException {
        Node gone = bare(api, "null");
        api.delete(NODES, gone.key());
        bare(api, "null");
        assertRefused(api, gone);
    }

    @Test
    void what_no_node_accepts_is_rejected() throws IOException {
        Node before = bare(api, "null");
        assertThatThrownBy(() -> send(api, before, Optional.of(List.of(Taint.of("a", "", "Nonsense"))), Map.of()))
                .isInstanceOfSatisfying(ApiFailure.Rejected.class, failure -> {
                    assertThat(failure.status().code()).isEqualTo(422);
                    assertThat(failure).hasMessageContaining("Nonsense");
                });
    }
}
