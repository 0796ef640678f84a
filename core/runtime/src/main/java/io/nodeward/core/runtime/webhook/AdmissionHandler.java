package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;

/** Decides about one request. Called by many threads at once; an API server waits for the answer. */
@FunctionalInterface
public interface AdmissionHandler {
    AdmissionResponse handle(AdmissionRequest request);
}
