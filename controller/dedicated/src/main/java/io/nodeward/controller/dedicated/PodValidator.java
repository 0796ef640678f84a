package io.nodeward.controller.dedicated;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.dedicated.Author;
import io.nodeward.core.rules.dedicated.ClaimView;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.PodRefusals;
import io.nodeward.core.rules.dedicated.PodWrite;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Refuses a pod that is no member of a group and could get onto its Nodes, or may have to run on the Nodes of an exclusive group. */
final class PodValidator implements AdmissionHandler {
    static final String PATH = "/dedicated/pods";
    static final String WEBHOOK = "pods.dedicated.nodeward.io";
    /** The number of claims that a review reads, each by its own request. */
    static final int MOST_CLAIMS = 16;
    /** Updates of finalizers and labels of pods pass without a review, so that they go on while Nodeward is down. */
    private static final Map<String, String> MORE_TOLERATIONS = Map.of("name", "tolerations-change", "expression",
            "request.operation != 'UPDATE' || object.spec.?tolerations != oldObject.spec.?tolerations");

    private final DedicatedScope scope;
    private final ReviewFacts facts;
    private final Function<String, Optional<Node>> liveNode;
    private final Supplier<ClaimView> liveClaims;
    private final PodMeters meters;

    /**
     * @param liveNode asks the API server for the Node of this name; empty if it does not exist, or that cannot be known
     * @param liveClaims asks the API server for the claims of one pod
     */
    PodValidator(DedicatedScope scope, ReviewFacts facts, Function<String, Optional<Node>> liveNode,
            Supplier<ClaimView> liveClaims, PodMeters meters) {
        this.scope = scope;
        this.facts = facts;
        this.liveNode = liveNode;
        this.liveClaims = liveClaims;
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
        PodRefusals refusals = facts.certain(found(write), write.pod().key());
        if (!request.dryRun()) {
            meters.count(refusals);
        }
        return refusals.message().map(AdmissionResponse::forbidden).orElseGet(AdmissionResponse::allowed)
                .withWarnings(refusals.warnings());
    }

    /** Decides by the caches. As the watch of Nodes may be late or cut, no pod is refused for a Node that is missing in the cache alone. */
    private PodRefusals found(PodWrite write) {
        Declared declared = scope.declared();
        Groups groups = declared.ofNewPods();
        MemberFacts members = facts.of(write.pod().key().namespace(), declared);
        Optional<Node> cached = scope.caches().nodes().get(node(write));
        PodRefusals found = PodRefusals.of(write, groups, members, cached);
        Optional<Node> live = found.areForUnknownNode() ? liveNode.apply(write.nodeName()) : Optional.empty();
        return live.isPresent()
                ? checked(PodRefusals.of(write, groups, members, live), write, groups, members, live)
                : checked(found, write, groups, members, cached);
    }

    /** Decides again by the claims as they are now, where these let the pod in: the watch of claims may be late too. */
    private PodRefusals checked(
            PodRefusals found, PodWrite write, Groups groups, MemberFacts members, Optional<Node> node) {
        boolean letInByClaims = found.message().isEmpty() && !write.pod().claims().isEmpty() && PodRefusals
                .of(write, groups, members.withClaims(ClaimView.NONE), node).message().isPresent();
        if (!letInByClaims) {
            return found;
        }
        List<PodClaim> deciding = write.pod().claims().stream().distinct()
                .filter(claim -> decides(members.claims().requests(claim), groups)).toList();
        return PodRefusals.of(write, groups, members.withClaims(live(deciding, members.claims(), groups)), node)
                .addedTo(found, deciding.size() > MOST_CLAIMS
                        ? "Nodeward reads the first " + MOST_CLAIMS + " of its claims, and none makes it a member"
                        : "claims of this pod have changed, try again");
    }

    private static boolean decides(Optional<Set<Set<String>>> requests, Groups groups) {
        return requests.filter(groups::haveMembersBy).isPresent();
    }

    /** Returns the first claims that decide as they are now. By another, also one of this moment, the pod is no member. */
    private ClaimView live(List<PodClaim> deciding, ClaimView cached, Groups groups) {
        List<PodClaim> few = deciding.subList(0, Math.min(MOST_CLAIMS, deciding.size()));
        ClaimView live = liveClaims.get();
        return claim -> {
            Optional<Set<Set<String>>> known = cached.requests(claim);
            if (!decides(known, groups)) {
                return known;
            }
            return few.contains(claim) ? live.requests(claim) : Optional.of(Set.of());
        };
    }

    private static ObjectKey node(PodWrite write) {
        return ObjectKey.clusterScoped(write.nodeName());
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
