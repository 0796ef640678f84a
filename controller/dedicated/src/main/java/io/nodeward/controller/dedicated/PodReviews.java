package io.nodeward.controller.dedicated;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import io.nodeward.controller.dedicated.DedicatedConfig.FailurePolicy;
import io.nodeward.core.rules.dedicated.Author;
import io.nodeward.core.rules.dedicated.ClaimView;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.PodAdmission;
import io.nodeward.core.rules.dedicated.PodRefusals;
import io.nodeward.core.rules.dedicated.PodWrite;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** What API servers are answered that ask about a pod: what it gets, and whether it may be stored. */
final class PodReviews {
    /** The number of claims that a review reads, each by its own request. */
    static final int MOST_CLAIMS = 16;

    private final DedicatedScope scope;
    private final LiveObjects live;
    private final FailurePolicy failurePolicy;
    private final PodMeters meters;

    PodReviews(DedicatedScope scope, LiveObjects live, FailurePolicy failurePolicy, PodMeters meters) {
        this.scope = scope;
        this.live = live;
        this.failurePolicy = failurePolicy;
        this.meters = meters;
    }

    /** Gives a pod that is created what its groups give their members. */
    AdmissionResponse mutate(AdmissionRequest request) {
        Tree spec = request.object().at("spec");
        if (!request.operation().equals("CREATE") || !request.subresource().isEmpty()
                || !(spec instanceof Tree.Fields)) {
            return AdmissionResponse.allowed();
        }
        PodWrite write = write(request);
        if (write.pod().isTruncated() || write.excess().isPresent()) {
            return AdmissionResponse.allowed(); // validate refuses it, unless it shows a static pod
        }
        Declared declared = scope.declared();
        PodAdmission admission =
                admission(write, declared.ofNewPods(), live.members(request.namespace(), declared, scope.caches()));
        if (admission.incomplete()) {
            requireClaims(write);
        }
        Optional<String> fault = admission.additions().fault(spec);
        if (fault.isPresent()) {
            return AdmissionResponse.invalid(fault.get());
        }
        JsonPatch patch = admission.additions().patch(spec);
        if (!request.dryRun()) {
            meters.count(admission, !patch.operations().isEmpty());
        }
        return AdmissionResponse.allowed().withPatch(patch)
                .withWarnings(admission.warnings());
    }

    /**
     * Decides by the caches, and again if claims that they do not have matter: {@link #validate} may know them a moment later, and
     * would refuse a toleration that the pod got without them. What the API server does not say in time stays unknown: a tenant who
     * names claims that do not exist slows down no more than this.
     */
    private PodAdmission admission(PodWrite write, Groups groups, MemberFacts members) {
        Function<ClaimView, PodAdmission> by =
                claims -> PodAdmission.of(write.pod(), write.author(), groups, members.withClaims(claims));
        ClaimView cached = members.claims();
        PodAdmission byCaches = by.apply(cached);
        return byCaches.dependsOnClaims() && scope.caches().claims().listed()
                ? by.apply(cached.with(first(claims(write, claim -> cached.requests(claim).isEmpty())),
                        live.newClaims().get()))
                : byCaches;
    }

    private static List<PodClaim> claims(PodWrite write, Predicate<PodClaim> which) {
        return write.pod().claims().stream().distinct().filter(which).toList();
    }

    private static List<PodClaim> first(List<PodClaim> claims) {
        return claims.stream().limit(MOST_CLAIMS).toList();
    }

    /** Refuses a pod that is no member of a group and could get onto its Nodes, or may have to run on the Nodes of an exclusive group. */
    AdmissionResponse validate(AdmissionRequest request) {
        if (!request.subresource().isEmpty()) {
            return AdmissionResponse.allowed();
        }
        PodWrite write = write(request);
        if (!write.addsTolerations()) {
            return AdmissionResponse.allowed();
        }
        Optional<String> excess = write.excess();
        if (excess.isPresent()) {
            return AdmissionResponse.invalid(excess.get());
        }
        PodRefusals found = refusals(write);
        if (found.isIncomplete()) {
            requireClaims(write);
        }
        PodRefusals refusals = scope.caches().claims().listed() ? found : found.certain();
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

    private void requireClaims(PodWrite write) {
        scope.caches().claims().require(failurePolicy, "pod " + write.pod().key());
    }

    /**
     * Decides by the caches, and again where the answer depends on what a late watch may not have brought yet: on a Node that is
     * unknown, or on claims that alone let the pod in.
     */
    private PodRefusals refusals(PodWrite write) {
        Declared declared = scope.declared();
        Groups groups = declared.ofNewPods();
        MemberFacts members = live.members(write.pod().key().namespace(), declared, scope.caches());
        Optional<Node> cached = scope.caches().nodes().get(ObjectKey.clusterScoped(write.nodeName()));
        PodRefusals byCaches = PodRefusals.of(write, groups, members, cached);
        Optional<Node> node = byCaches.areForUnknownNode() ? live.node().apply(write.nodeName()) : cached;
        Function<ClaimView, PodRefusals> by =
                claims -> PodRefusals.of(write, groups, members.withClaims(claims), node);
        PodRefusals found = node.equals(cached) ? byCaches : by.apply(members.claims());
        return found.message().isPresent() || write.pod().claims().isEmpty()
                || by.apply(ClaimView.NONE).message().isEmpty() ? found : byLiveClaims(write, groups, members, by);
    }

    /** Reads the first claims that make the pod a member. By another, also one of this moment, the pod is no member. */
    private PodRefusals byLiveClaims(
            PodWrite write, Groups groups, MemberFacts members, Function<ClaimView, PodRefusals> by) {
        ClaimView cached = members.claims();
        List<PodClaim> deciding =
                claims(write, claim -> cached.requests(claim).filter(groups::haveMembersBy).isPresent());
        ClaimView others =
                claim -> cached.requests(claim).map(known -> groups.haveMembersBy(known) ? Set.of() : known);
        return by.apply(others.with(first(deciding), live.claims().get()))
                .because(deciding.size() > MOST_CLAIMS
                        ? "Nodeward reads the first " + MOST_CLAIMS + " of its claims, and none makes it a member"
                        : "claims of this pod have changed, try again");
    }
}
