package io.nodeward.controller.admission;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.core.rules.validation.Admission;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Declarations;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.Review;
import io.nodeward.core.rules.validation.Verdict;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import java.util.Optional;
import java.util.function.Function;

/**
 * Answers one request: what is asked of an object that declares taints, and yes to everything else.
 *
 * @param policies of a kind now
 */
record TaintValidator(Function<DeclaringKind, AdmissionPolicy> policies) implements AdmissionHandler {
    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        Optional<DeclaringKind> kind = DeclaringKind.of(request.kind().group(), request.kind().kind());
        boolean stored = request.operation().equals("CREATE") || request.operation().equals("UPDATE");
        if (kind.isEmpty() || !stored) {
            return AdmissionResponse.allowed();
        }
        Review review = new Declarations(request.oldObject(), request.object()).review(kind.get());
        Verdict verdict = Admission.judge(review, policies.apply(kind.get()));
        AdmissionResponse response = verdict.isAllowed()
                ? AdmissionResponse.allowed()
                : AdmissionResponse.invalid(verdict.message());
        return response.withWarnings(verdict.warnings());
    }
}
