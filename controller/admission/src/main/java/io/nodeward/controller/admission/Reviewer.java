package io.nodeward.controller.admission;

import io.nodeward.api.admission.AdmissionAnswer;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.core.rules.validation.Admission;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Declarations;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.Review;
import io.nodeward.core.rules.validation.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Answers one request: what is asked of an object that declares taints, and yes to everything else. */
final class Reviewer {
    private final Function<DeclaringKind, AdmissionPolicy> policies;

    /** @param policies of a kind now */
    Reviewer(Function<DeclaringKind, AdmissionPolicy> policies) {
        this.policies = policies;
    }

    AdmissionAnswer answer(AdmissionRequest request) {
        Optional<DeclaringKind> kind = DeclaringKind.of(request.group(), request.kind());
        boolean stored = request.operation().equals("CREATE") || request.operation().equals("UPDATE");
        if (kind.isEmpty() || !stored) {
            return new AdmissionAnswer(request.uid(), true, "", List.of());
        }
        Review review = new Declarations(request.before(), request.object()).review(kind.get());
        Verdict verdict = Admission.judge(review, policies.apply(kind.get()));
        return new AdmissionAnswer(request.uid(), verdict.isAllowed(), verdict.message(), verdict.warnings());
    }
}
