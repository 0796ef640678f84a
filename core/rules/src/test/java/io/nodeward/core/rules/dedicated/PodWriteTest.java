package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.mirror;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Toleration;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PodWriteTest {
    private static final Author JANE = new Author("jane");
    private static final String MESSAGE = " has more than Nodeward keeps of one pod, and could not be looked into:"
            + " spec.tolerations (64 distinct)";

    @Test
    void one_with_more_distinct_tolerations_than_are_kept_is_too_much() {
        assertThat(created(tolerations(65, 0)).excess()).contains("Pod n/p" + MESSAGE);
        assertThat(created(tolerations(64, 0)).excess()).isEmpty();
        assertThat(created(Stream.concat(tolerations(64, 0).stream(), tolerations(64, 0).stream()).toList()).excess())
                .as("each twice").isEmpty();
    }

    @Test
    void one_without_a_name_yet_is_named_as_the_pod() {
        CandidatePod pod = CandidatePod.created(new ObjectKey("n", ""), tree(tolerations(65, 0)));
        assertThat(PodWrite.created(pod, JANE, Tree.ABSENT).excess()).contains("the pod" + MESSAGE);
    }

    @Test
    void an_update_that_adds_none_is_not() {
        assertThat(updated(tolerations(70, 0), tolerations(70, 0)).excess()).isEmpty();
        assertThat(updated(tolerations(70, 0), tolerations(70, 5)).excess()).as("other seconds").isEmpty();
        assertThat(updated(tolerations(70, 0), tolerations(71, 0)).excess()).contains("Pod n/p" + MESSAGE);
        assertThat(updated(tolerations(64, 0), tolerations(65, 0)).excess()).contains("Pod n/p" + MESSAGE);
        assertThat(updated(tolerations(3, 0), tolerations(64, 0)).excess()).isEmpty();
    }

    @Test
    void more_than_1000_tolerations_are_too_many_unless_the_pod_had_them_all_before() {
        List<Map<String, Object>> equal = Collections.nCopies(1000, Map.of("key", "k"));
        List<Map<String, Object>> more = Collections.nCopies(1001, Map.of("key", "k"));
        assertThat(created(equal).excess()).isEmpty();
        assertThat(created(more).excess())
                .contains("Pod n/p has 1001 tolerations, and Nodeward looks into 1000 of one pod: spec.tolerations");
        assertThat(updated(List.of(), more).excess()).isPresent();
        assertThat(updated(more, more).excess()).isEmpty();
        assertThat(updated(more, more).addsTolerations()).isFalse();
        assertThat(updated(more, tolerations(1001, 0)).excess()).isPresent();
    }

    /** A hash table that compared each with each would take minutes. */
    @Test
    void tolerations_of_one_hash_code_are_told_apart_in_time() {
        List<Map<String, Object>> alike = IntStream.range(0, 1 << 16).mapToObj(i -> Map.<String, Object>of("key",
                IntStream.range(0, 16).mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining())))
                .toList();
        assertTimeout(Duration.ofSeconds(20), () -> {
            assertThat(created(alike).excess()).isPresent();
            assertThat(updated(alike, alike).excess()).isEmpty();
            assertThat(updated(alike.subList(1, alike.size()), alike).excess()).isPresent();
        });
    }

    @Test
    void a_static_pod_of_a_kubelet_runs_all_the_same() {
        CandidatePod pod = Make.truncated(mirror("n/p", "foo"));
        assertThat(PodWrite.created(pod, new Author("system:node:foo"), Tree.ABSENT).excess()).isEmpty();
        assertThat(PodWrite.created(pod, JANE, Tree.ABSENT).excess()).isPresent();
    }

    private static PodWrite created(List<Map<String, Object>> tolerations) {
        return PodWrite.created(pod(tolerations), JANE, Tree.ABSENT);
    }

    private static PodWrite updated(List<Map<String, Object>> before, List<Map<String, Object>> after) {
        return PodWrite.updated(pod(after), JANE, before.stream().map(Tree::of).map(Toleration::of).toList());
    }

    private static CandidatePod pod(List<Map<String, Object>> tolerations) {
        return CandidatePod.created(new ObjectKey("n", "p"), tree(tolerations));
    }

    private static Tree tree(List<Map<String, Object>> tolerations) {
        return Tree.of(Map.of("spec", Map.of("tolerations", tolerations)));
    }

    private static List<Map<String, Object>> tolerations(int many, int seconds) {
        return IntStream.range(0, many)
                .mapToObj(i -> Map.<String, Object>of("key", "k" + i, "tolerationSeconds", seconds))
                .toList();
    }
}
