package io.nodeward.controller.dedicated;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.Author;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.rules.dedicated.PodRefusals;
import io.nodeward.core.rules.dedicated.PodWrite;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    /** @param spared namespaces whose pods are stored whether anybody answers or not */
    Webhook webhook(DedicatedConfig.FailurePolicy failurePolicy, Set<String> spared) {
        return new Webhook(AdmissionPhase.VALIDATING, WEBHOOK, PATH, CandidatePod.WRITTEN, this, Map.of(
                "failurePolicy", failurePolicy.name(),
                "objectSelector", Map.of(),
                "namespaceSelector", PodMutator.without(spared),
                "matchConditions", List.of(MORE_TOLERATIONS),
                // Subresources, as ephemeralcontainers and binding, are others.
                "rules", List.of(Map.of(
                        "apiGroups", List.of(""), "apiVersions", List.of("v1"),
                        "operations", List.of("CREATE", "UPDATE"), "resources", List.of("pods"),
                        "scope", "Namespaced"))));
    }

    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        if (!List.of("CREATE", "UPDATE").contains(request.operation()) || !request.subresource().isEmpty()
                || !(request.object().at("spec") instanceof Tree.Fields)) {
            return AdmissionResponse.allowed();
        }
        PodWrite write = write(request);
        Groups groups = scope.ofNewPods();
        PodRefusals refusals = PodRefusals.of(write, groups, facts.of(request.namespace(), groups),
                node -> scope.nodes().get(ObjectKey.clusterScoped(node)));
        if (refusals.isIncomplete()) {
            facts.requireClaims(write.pod().key());
        }
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
                CandidatePod.updated(key, stored, stored));
    }
}
