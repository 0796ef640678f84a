package com.example.nodequota;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.core.runtime.webhook.AdmissionHandler;

/** Answers whether a NodeQuota may be stored. */
final class NodeQuotaValidator implements AdmissionHandler {
    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        NodeQuota quota = NodeQuota.of(request.object().at("spec"));
        if (!quota.label().matches("[^=]+=[^=]*")) {
            return AdmissionResponse
                    .invalid("spec.label: must be a label as key=value, and is '" + quota.label() + "'");
        }
        if (quota.nodes() < 0) {
            return AdmissionResponse.invalid("spec.nodes: must be 0 or more");
        }
        boolean moved = request.operation().equals("UPDATE")
                && !NodeQuota.of(request.oldObject().at("spec")).label().equals(quota.label());
        return moved ? AdmissionResponse.invalid("spec.label: cannot be changed") : AdmissionResponse.allowed();
    }
}
