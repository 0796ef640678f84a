package io.nodeward.controller.dedicated;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.ClaimRefusal;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.List;
import java.util.stream.Stream;

/** Refuses a ResourceClaim that takes the place of one by which a pod has become a member of a group, and lacks its device. */
final class ClaimValidator implements AdmissionHandler {
    static final String PATH = "/dedicated/claims";
    static final String WEBHOOK = "claims.dedicated.nodeward.io";

    private final DedicatedScope scope;
    private final ReviewFacts facts;

    ClaimValidator(DedicatedScope scope, ReviewFacts facts) {
        this.scope = scope;
        this.facts = facts;
    }

    Webhook webhook(ReviewedPods pods) {
        return new Webhook(AdmissionPhase.VALIDATING, WEBHOOK, PATH, ClaimedClasses.WRITTEN, this,
                pods.fieldsOfClaims());
    }

    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        String name = request.object().at(List.of("metadata", "name")).string();
        ObjectKey key = new ObjectKey(request.namespace(), name.isEmpty() ? request.name() : name);
        List<CandidatePod> users = request.operation().equals("CREATE") && request.subresource().isEmpty()
                ? Stream.of(key, PodClaim.any(key.namespace()).key())
                        .flatMap(claim -> scope.pods().find(CachedCluster.OF_CLAIM, claim.toString()).stream())
                        .distinct().toList()
                : List.of();
        if (users.isEmpty()) {
            return AdmissionResponse.allowed();
        }
        facts.requireClaims(key);
        return ClaimRefusal.of(ClaimedClasses.written(key, request.object()), users.stream(), scope.ofNewPods(),
                facts.of(request.namespace(), scope.ofNewPods()))
                .map(AdmissionResponse::forbidden).orElseGet(AdmissionResponse::allowed);
    }
}
