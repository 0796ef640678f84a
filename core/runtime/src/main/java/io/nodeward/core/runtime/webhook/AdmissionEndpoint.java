package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.core.runtime.https.HttpsEndpoint;
import java.io.IOException;

/** Answers the AdmissionReviews that come to one path, and counts them. */
final class AdmissionEndpoint implements HttpsEndpoint.Answering {
    private final Webhook webhook;
    private final WebhookMeters meters;

    AdmissionEndpoint(Webhook webhook, WebhookMeters meters) {
        this.webhook = webhook;
        this.meters = meters;
    }

    @Override
    public byte[] answer(byte[] body) throws IOException {
        AdmissionRequest request = read(body);
        AdmissionResponse response = webhook.handler().handle(request);
        if (webhook.phase() == AdmissionPhase.VALIDATING && !response.patch().operations().isEmpty()) {
            throw new IllegalStateException(webhook.name() + " validates, and must not patch");
        }
        meters.reviewed(request, response);
        return AdmissionReviews.written(response);
    }

    private AdmissionRequest read(byte[] body) throws IOException {
        try {
            return AdmissionReviews.read(body, webhook.shape());
        } catch (IOException e) {
            throw new IOException("the AdmissionReview cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void busy() {
        meters.busy();
    }
}
