package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.json.Projection;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.HeapBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptStateTest {
    private static final int LARGEST = 100_000;

    private final HeapBudget budget = HeapBudget.ofProcess(new SimpleMeterRegistry());
    private int exceeded;
    private final KeptState state = new KeptState(LARGEST, budget, "default/large", () -> exceeded++);

    @ParameterizedTest
    @ValueSource(strings = {
            "'metadata':{'name':'%s'}",
            "'metadata':{'namespace':'%s'}",
            "'metadata':{'uid':'%s'}",
            "'metadata':{'creationTimestamp':'%s'}",
            "'metadata':{'labels':{'%s':''}}",
            "'metadata':{'annotations':{'a':'%s'}}",
            "'metadata':{'ownerReferences':[{'uid':'%s'}]}",
            "'spec':{'providerID':'%s'}",
            "'spec':{'taints':[{'effect':'%s'}]}"})
    void every_text_of_a_node_that_is_kept_counts(String place) throws IOException {
        state.changed(null, node(place.formatted("x".repeat(LARGEST / 2))));
        assertThat(exceeded).isZero();
        state.changed(null, node(place.formatted("x".repeat(LARGEST / 2))));
        assertThat(state.tooLarge()).isTrue();
        assertThat(exceeded).isOne();
    }

    /** Strings, and what holds them, take many times as much as the characters of small ones. */
    @ParameterizedTest
    @ValueSource(strings = {
            "'metadata':{'labels':{%s}}|'k%d':''",
            "'metadata':{'annotations':{%s}}|'k%d':''",
            "'metadata':{'ownerReferences':[%s]}|{'uid':'%d'}",
            "'spec':{'taints':[%s]}|{'key':'%d'}"})
    void many_small_texts_count_for_more_than_their_characters(String place) throws IOException {
        String[] parts = place.split("\\|", 2);
        String many = IntStream.range(0, LARGEST / 32).mapToObj(parts[1]::formatted).collect(Collectors.joining(","));

        state.changed(null, node(parts[0].formatted(many)));

        assertThat(state.tooLarge()).isTrue();
    }

    @Test
    void a_name_and_an_owner_count_as_long_as_their_texts() throws IOException {
        Node node =
                node("'metadata':{'name':'node','ownerReferences':[{'apiVersion':'apps/v1','kind':'Kind','name':'own',"
                        + "'uid':'1234'},{'apiVersion':'v1','kind':'K','name':'o','uid':'u'}]}");
        long characters = 300 + node.key().toString().length()
                + node.metadata().owners().stream().mapToLong(owner -> 32 + owner.toString().length()).sum();
        KeptState large = new KeptState(characters, budget, "default/large", () -> exceeded++);
        KeptState small = new KeptState(characters - 1, budget, "default/small", () -> exceeded++);

        large.changed(null, node);
        assertThat(large.tooLarge()).isFalse();
        small.changed(null, node);
        assertThat(small.tooLarge()).isTrue();
    }

    @Test
    void what_is_gone_counts_no_more() throws IOException {
        Node node = node("'metadata':{'annotations':{'a':'" + "x".repeat(LARGEST / 2) + "'}}");
        for (int i = 0; i < 5; i++) {
            state.changed(null, node);
            state.changed(node, node);
            state.changed(node, null);
        }
        assertThat(exceeded).isZero();
    }

    @Test
    void of_clusters_in_a_heap_that_is_almost_full_a_large_one_is_let_go_and_leaves_its_part() throws IOException {
        HeapBudget small = new HeapBudget(LARGEST, () -> LARGEST, System::nanoTime, new SimpleMeterRegistry());
        List<KeptState> clusters = Stream.of("a", "b")
                .map(name -> new KeptState(LARGEST, small, "default/" + name, () -> exceeded++)).toList();
        Node node = node("'metadata':{'annotations':{'a':'" + "x".repeat(LARGEST / 10 * 7) + "'}}");
        clusters.get(0).changed(null, node);
        clusters.get(1).changed(null, node("'metadata':{'name':'n'}"));
        assertThat(clusters).extracting(KeptState::tooLarge).containsExactly(false, false);
        clusters.get(0).changed(node,
                node("'metadata':{'annotations':{'a':'" + "x".repeat(LARGEST / 10 * 7 + 1) + "'}}"));
        clusters.get(1).changed(null, node("'metadata':{'name':'m'}"));
        assertThat(clusters).extracting(KeptState::tooLarge).containsExactly(true, false);
        clusters.get(0).release();
        assertThat(small.fitsCluster("default/a", 100)).as("nothing is left of it").isTrue();
    }

    private static Node node(String parts) throws IOException {
        return Projection.NODE.read(("{" + parts.replace('\'', '"') + "}").getBytes(StandardCharsets.UTF_8));
    }
}
