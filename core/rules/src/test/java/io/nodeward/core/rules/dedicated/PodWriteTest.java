package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.mirror;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Map;
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
