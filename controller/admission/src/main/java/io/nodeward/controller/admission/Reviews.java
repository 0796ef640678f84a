package io.nodeward.controller.admission;

import io.nodeward.api.admission.AdmissionAnswer;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.core.rules.validation.Declarations;
import io.nodeward.core.runtime.https.HttpsEndpoint;
import java.io.IOException;

/** Answers reviews as they come over the wire, and counts them. */
final class Reviews implements HttpsEndpoint.Answering {
    private final Reviewer reviewer;
    private final AdmissionMeters meters;

    Reviews(Reviewer reviewer, AdmissionMeters meters) {
        this.reviewer = reviewer;
        this.meters = meters;
    }

    @Override
    public byte[] answer(byte[] body) throws IOException {
        AdmissionRequest request = AdmissionReviews.read(body, Declarations.SHAPE);
        AdmissionAnswer answer = reviewer.answer(request);
        meters.reviewed(request, answer);
        return AdmissionReviews.written(answer);
    }

    @Override
    public void busy() {
        meters.busy();
    }
}
