package io.nodeward.controller.dedicated;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.dedicated.Author;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.rules.dedicated.PodRefusals;
import io.nodeward.core.rules.dedicated.PodWrite;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Refuses a pod what would let it onto the Nodes of groups whose member it is not. */
final class PodValidator implements AdmissionHandler {
    static final String PATH = "/dedicated/pods";
    static final String WEBHOOK = "pods.dedicated.nodeward.io";
    /** Finalizers and labels of pods go on changing while nobody answers. */
    private static final Map<String, String> MORE_TOLERATIONS = Map.of("name", "tolerations-change", "expression",
            "request.operation != 'UPDATE' || object.spec.?tolerations != oldObject.spec.?tolerations");

    private final DedicatedScope scope;
    private final ReviewFacts facts;
    private final PodMeters meters;

    PodValidator(DedicatedScope scope, ReviewFacts facts, PodMeters meters) {
        this.scope = scope;
        this.facts = facts;
        this.meters = meters;
    }

    Webhook webhook(ReviewedPods pods) {
        return new Webhook(AdmissionPhase.VALIDATING, WEBHOOK, PATH, CandidatePod.WRITTEN, this,
                pods.fields(List.of("CREATE", "UPDATE"), Map.of("matchConditions", List.of(MORE_TOLERATIONS))));
    }

    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        if (!request.subresource().isEmpty()) {
            return AdmissionResponse.allowed();
        }
        PodWrite write = write(request);
        Optional<String> excess = write.excess();
        if (excess.isPresent()) {
            return AdmissionResponse.invalid(excess.get());
        }
        Groups groups = scope.ofNewPods();
        PodRefusals found = PodRefusals.of(write, groups, facts.of(request.namespace(), groups),
                node -> scope.nodes().get(ObjectKey.clusterScoped(node)));
        if (found.isIncomplete()) {
            facts.requireClaims(write.pod().key());
        }
        PodRefusals refusals = scope.claims().listed() ? found : found.certain();
        if (!request.dryRun()) {
            meters.count(refusals);
        }
        return refusals.message().map(AdmissionResponse::forbidden).orElseGet(AdmissionResponse::allowed)
                .withWarnings(refusals.warnings());
    }

    private static PodWrite write(AdmissionRequest request) {
        ObjectKey key = new ObjectKey(request.namespace(), request.name());
        Author author = new Author(request.userInfo().username());
        if (request.operation().equals("CREATE")) {
            return PodWrite.created(CandidatePod.created(key, request.object()), author, request.object());
        }
        Tree stored = request.oldObject();
        return PodWrite.updated(CandidatePod.updated(key, request.object(), stored), author,
                stored.at(List.of("spec", "tolerations")).elements().stream().map(Toleration::of).toList());
    }
}
