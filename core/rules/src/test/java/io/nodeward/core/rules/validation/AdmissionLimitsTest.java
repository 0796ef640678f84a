package io.nodeward.core.rules.validation;

import static io.nodeward.core.rules.Fleet.always;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.core.rules.Fleet;
import io.nodeward.core.rules.validation.Violation.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whoever reaches the port may send whatever fits into a request: none of it may cost more than it has signs. */
class AdmissionLimitsTest {
    /** As many as are read of one list. */
    private static final int VALUES = 100_000;

    @Test
    void a_list_that_is_too_long_has_that_one_fault() {
        assertThat(judge("[]", ones(65)).refused()).extracting(Violation::reason).containsExactly(Reason.MAX_ITEMS);
        assertThat(judge("[]", ones(64)).refused()).extracting(Violation::reason).containsOnly(Reason.TYPE)
                .hasSize(64);
    }

    @Test
    void a_review_full_of_taints_is_answered_with_few_faults() {
        assertThat(judge("[]", ones(VALUES)).refused()).extracting(Violation::reason)
                .containsExactly(Reason.MAX_ITEMS);
        assertThat(judge(ones(VALUES), "[true," + ones(VALUES - 1).substring(1)).refused())
                .extracting(Violation::reason).containsExactly(Reason.MAX_ITEMS);
        assertThat(judge(ones(VALUES), ones(VALUES)).isAllowed()).isTrue();
        assertThat(judge(ones(VALUES), ones(64)).refused()).hasSize(64);
    }

    /** One that was stored is compared with one of its name, not each of many that claim it. */
    @Test
    void many_workers_of_one_name_are_not_all_compared_with_the_list_that_was_stored() throws IOException {
        String before = "{\"name\":\"w\",\"taints\":" + ones(VALUES) + "}";
        String now = IntStream.range(0, VALUES / 4).mapToObj(i -> "{\"name\":\"w\",\"taints\":[1]}")
                .collect(Collectors.joining(","));
        AdmissionRequest request = request("Cluster", workers(before), workers(now));

        Verdict verdict = Admission.judge(new Declarations(request.oldObject(), request.object())
                .review(DeclaringKind.CLUSTER), AdmissionTest.STANDARD);
        assertThat(verdict.refused()).hasSize(Admission.MOST);
    }

    private static String workers(String elements) {
        return "{\"spec\":{\"topology\":{\"workers\":{\"machineDeployments\":[" + elements + "]}}}}";
    }

    @Test
    void of_many_faults_the_first_are_said() {
        Map<String, String> now = IntStream.range(0, 1_000).boxed()
                .collect(Collectors.toMap(i -> "taint.nodeward.io/n" + (1_000 + i), i -> "?"));
        Map<String, String> risky = IntStream.range(0, 1_000).boxed().collect(Collectors.toMap(
                i -> "taint.nodeward.io/n" + (1_000 + i), i -> "node.kubernetes.io/x" + i + ":NoSchedule"));

        assertThat(annotated(now).refused()).hasSize(Admission.MOST).first()
                .extracting(Violation::field).isEqualTo("metadata.annotations[taint.nodeward.io/n1000]");
        assertThat(annotated(risky).warnings()).hasSize(Admission.MOST);
        assertThat(annotated(risky).isAllowed()).isTrue();
    }

    private static Verdict annotated(Map<String, String> now) {
        return Admission.judge(new Review(Review.Occasion.WRITTEN, List.of(),
                List.of(new Review.Annotations("metadata.annotations", Map.of(), now))), AdmissionTest.STANDARD);
    }

    @Test
    void the_gate_is_said_of_a_list_that_is_too_long_too() {
        AdmissionPolicy off = new AdmissionPolicy(false, Enforcement.Off, Enforcement.Enforce);
        Given<List<Given<DeclaredTaint>>> many =
                Given.of(Collections.nCopies(65, Given.of(Fleet.declared(always("a", "", "NoSchedule")))));
        Review set = new Review(
                Review.Occasion.WRITTEN, List.of(new Review.Taints("spec.taints", Given.absent(), many)), List.of());
        Review kept = new Review(
                Review.Occasion.WRITTEN, List.of(new Review.Taints("spec.taints", many, many)), List.of());

        assertThat(Admission.judge(set, off).refused()).extracting(Violation::reason)
                .containsExactly(Reason.FEATURE_GATE);
        assertThat(Admission.judge(kept, off)).isEqualTo(Verdict.ALLOWED);
    }

    private static Verdict judge(String before, String now) {
        try {
            AdmissionRequest request = request("Machine",
                    "{\"spec\":{\"taints\":" + before + "}}", "{\"spec\":{\"taints\":" + now + "}}");
            return Admission.judge(new Declarations(request.oldObject(), request.object())
                    .review(DeclaringKind.MACHINE), AdmissionTest.STANDARD);
        } catch (IOException e) {
            throw new IllegalArgumentException("no review", e);
        }
    }

    /** Blanks make it as long as a review may be, so that all of its values are read. */
    private static AdmissionRequest request(String kind, String before, String now) throws IOException {
        String review =
                "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"u\","
                        + "\"kind\":{\"group\":\"cluster.x-k8s.io\",\"kind\":\"" + kind
                        + "\"},\"operation\":\"UPDATE\","
                        + "\"object\":" + now + ",\"oldObject\":" + before + "}}";
        return AdmissionReviews.read((review + " ".repeat(Math.max(0, (4 << 20) - review.length())))
                .getBytes(StandardCharsets.UTF_8), AdmissionReviews.shape(Declarations.SHAPE));
    }

    private static String ones(int count) {
        return "[" + "1,".repeat(count - 1) + "1]";
    }
}
