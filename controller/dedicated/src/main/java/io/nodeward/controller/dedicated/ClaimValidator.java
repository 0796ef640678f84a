package io.nodeward.controller.dedicated;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.dedicated.DedicatedConfig.FailurePolicy;
import io.nodeward.core.rules.dedicated.ClaimRefusal;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Refuses a ResourceClaim that takes the place of one by which a pod has become a member of a group, and lacks its device. */
final class ClaimValidator implements AdmissionHandler {
    /** They make claims of templates, whose names no pod could know before. */
    private static final Set<String> MAKERS =
            Set.of("system:serviceaccount:kube-system:resource-claim-controller", "system:kube-controller-manager");

    private final DedicatedScope scope;
    private final LiveObjects live;
    private final FailurePolicy failurePolicy;

    ClaimValidator(DedicatedScope scope, LiveObjects live, FailurePolicy failurePolicy) {
        this.scope = scope;
        this.live = live;
        this.failurePolicy = failurePolicy;
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
        // The cache, which may lack the newest pods, decides first: where it proves a refusal, no list that fails can take that back.
        return refusal(claim, cached(key), declared)
                .or(() -> MAKERS.contains(request.userInfo().username())
                        ? Optional.empty()
                        : refusal(claim, live.waitingPods().apply(key.namespace()).stream(), declared))
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
        scope.caches().claims().require(failurePolicy, "claim " + claim.key());
        return ClaimRefusal.of(claim, users.stream(), declared.ofNewPods(),
                live.members(claim.key().namespace(), declared, scope.caches()));
    }
}
