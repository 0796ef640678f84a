package io.nodeward.controller.dedicated;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.ClaimRefusal;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Refuses a ResourceClaim that takes the place of one by which a pod has become a member of a group, and lacks its device. */
final class ClaimValidator implements AdmissionHandler {
    static final String PATH = "/dedicated/claims";
    static final String WEBHOOK = "claims.dedicated.nodeward.io";

    /** They make claims of templates, whose names no pod could know before. */
    private static final Set<String> MAKERS =
            Set.of("system:serviceaccount:kube-system:resource-claim-controller", "system:kube-controller-manager");

    private final DedicatedScope scope;
    private final ReviewFacts facts;
    private final Function<String, List<CandidatePod>> stored;

    /** @param stored reads the pods of a namespace that use claims and are on no Node: the cache may lack the newest */
    ClaimValidator(DedicatedScope scope, ReviewFacts facts, Function<String, List<CandidatePod>> stored) {
        this.scope = scope;
        this.facts = facts;
        this.stored = stored;
    }

    Webhook webhook(ReviewedPods pods) {
        return new Webhook(AdmissionPhase.VALIDATING, WEBHOOK, PATH, ClaimedClasses.WRITTEN, this,
                pods.fieldsOfClaims());
    }

    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        String name = request.object().at(List.of("metadata", "name")).string();
        ObjectKey key = new ObjectKey(request.namespace(), name.isEmpty() ? request.name() : name);
        ClaimedClasses claim = ClaimedClasses.written(key, request.object());
        Declared declared = scope.declared();
        if (!request.operation().equals("CREATE") || !request.subresource().isEmpty()
                || !ClaimRefusal.dependsOnPods(claim, declared.ofNewPods())) {
            return AdmissionResponse.allowed();
        }
        // The cache decides first: where it proves a refusal, no list that fails can take that back.
        return refusal(claim, cached(key), declared)
                .or(() -> MAKERS.contains(request.userInfo().username())
                        ? Optional.empty()
                        : refusal(claim, stored.apply(key.namespace()).stream(), declared))
                .map(AdmissionResponse::forbidden).orElseGet(AdmissionResponse::allowed);
    }

    private Stream<CandidatePod> cached(ObjectKey claim) {
        return Stream.of(claim, PodClaim.any(claim.namespace()).key())
                .flatMap(key -> scope.caches().pods().find(DedicatedCaches.OF_CLAIM, key.toString()).stream())
                .distinct();
    }

    private Optional<String> refusal(ClaimedClasses claim, Stream<CandidatePod> pods, Declared declared) {
        List<CandidatePod> users = pods.filter(pod -> ClaimRefusal.isUsed(claim.key(), pod)).toList();
        if (users.isEmpty()) {
            return Optional.empty();
        }
        facts.requireClaims("claim " + claim.key());
        return ClaimRefusal.of(claim, users.stream(), declared.ofNewPods(),
                facts.of(claim.key().namespace(), declared));
    }
}
