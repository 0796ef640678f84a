package io.nodeward.controller.dedicated;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.Author;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.rules.dedicated.PodAdmission;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives a pod that is created what its groups give their members. */
final class PodMutator implements AdmissionHandler {
    static final String PATH = "/dedicated/new-pods";
    static final String WEBHOOK = "new-pods.dedicated.nodeward.io";
    private static final List<String> SPEC = List.of("spec");

    private final DedicatedScope scope;
    private final ReviewFacts facts;
    private final PodMeters meters;

    PodMutator(DedicatedScope scope, ReviewFacts facts, PodMeters meters) {
        this.scope = scope;
        this.facts = facts;
        this.meters = meters;
    }

    Webhook webhook(ReviewedPods pods) {
        return new Webhook(AdmissionPhase.MUTATING, WEBHOOK, PATH, CandidatePod.WRITTEN, this,
                pods.fields(List.of("CREATE"), Map.of(
                        "reinvocationPolicy", "IfNeeded"))); // one that comes later may add a claim or replace the affinity
    }

    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        Tree object = request.object();
        if (!request.operation().equals("CREATE") || !request.subresource().isEmpty()
                || !(object.at(SPEC) instanceof Tree.Fields)) {
            return AdmissionResponse.allowed();
        }
        CandidatePod pod = CandidatePod.created(new ObjectKey(request.namespace(), request.name()), object);
        if (pod.isTruncated()) {
            return AdmissionResponse.allowed(); // to be refused by PodValidator, unless it shows a static pod
        }
        Declared declared = scope.declared();
        PodAdmission admission = PodAdmission.of(pod, new Author(request.userInfo().username()),
                declared.ofNewPods(), facts.of(request.namespace(), declared));
        if (admission.incomplete()) {
            facts.requireClaims("pod " + pod.key());
        }
        Optional<String> fault = admission.additions().fault(object, SPEC);
        if (fault.isPresent()) {
            return AdmissionResponse.invalid(fault.get());
        }
        if (!request.dryRun()) {
            meters.count(admission);
        }
        return AdmissionResponse.allowed().withPatch(admission.additions().patch(object, SPEC))
                .withWarnings(admission.warnings());
    }
}
