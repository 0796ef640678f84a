package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.core.runtime.https.Answering;
import io.nodeward.core.runtime.metrics.WebhookRequestMeters;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Answers the AdmissionReviews that come to one path, and counts them. */
record AdmissionEndpoint(Webhook webhook, WebhookMeters meters, WebhookRequestMeters requests) implements Answering {
    @Override
    public byte[] answer(byte[] body) throws IOException {
        AdmissionRequest request = read(body);
        AdmissionResponse response = webhook.handler().handle(request);
        if (webhook.phase() == AdmissionPhase.VALIDATING && !response.patch().operations().isEmpty()) {
            throw new IllegalStateException(webhook.name() + " validates, and must not patch");
        }
        if (!(webhook.handler() instanceof AdmissionProbe)) { // of what users send nothing may come for hours
            meters.reviewed(request, response);
        }
        return AdmissionReviews.written(request.uid(), response);
    }

    private AdmissionRequest read(byte[] body) throws IOException {
        try {
            return AdmissionReviews.read(body, webhook.shape());
        } catch (IOException e) {
            throw new IOException("the AdmissionReview cannot be read: " + e.getMessage(), e);
        }
    }

    /** With {@code failurePolicy: Ignore} a Status would let an object pass that nobody has checked. */
    @Override
    public Optional<byte[]> refusal(byte[] start, Refusal refusal) {
        return AdmissionReviews.uid(start).map(uid -> {
            meters.refusedUnread();
            return AdmissionReviews.written(uid, AdmissionResponse.refused(
                    new AdmissionResponse.Refusal(refusal.code(), refusal.reason(), refusal.message())));
        });
    }

    @Override
    public void began() {
        requests.began();
    }

    @Override
    public void ended(Optional<Integer> code, Duration took) {
        requests.ended(code, took);
    }
}
