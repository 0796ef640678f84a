package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.dedicated.DedicatedConfig.FailurePolicy;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.PodRefusals;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The facts that decide about a pod while an API server waits for the answer. */
final class ReviewFacts {
    private final DedicatedScope scope;
    private final Function<String, Optional<Map<String, String>>> unseen;
    private final FailurePolicy failurePolicy;

    /** @param unseen the labels of a namespace that the cache does not have; empty if it does not exist, or has too many */
    ReviewFacts(DedicatedScope scope, Function<String, Optional<Map<String, String>>> unseen,
            FailurePolicy failurePolicy) {
        this.scope = scope;
        this.unseen = unseen;
        this.failurePolicy = failurePolicy;
    }

    /**
     * Returns who is a member, for one pod. The webhook could not add an affinity later, so this asks the API server for the labels of a
     * namespace that the cache does not have yet, or does not have whole as memory is short. Of a namespace with more labels than the
     * cache keeps of any, the answer would not be kept either.
     *
     * @param declared at the moment of the review: its groups and members belong together
     */
    MemberFacts of(String namespace, Declared declared) {
        MemberFacts facts = declared.members();
        return facts.knows(namespace) || !declared.ofNewPods().askForNamespaceLabels() || hasTooManyLabels(namespace)
                ? facts
                : unseen.apply(namespace).map(labels -> facts.ofNamespace(namespace, labels)).orElse(facts);
    }

    private boolean hasTooManyLabels(String namespace) {
        return scope.caches().namespaces().get(ObjectKey.clusterScoped(namespace))
                .filter(LabeledNamespace::hasTooManyLabels)
                .isPresent();
    }

    /**
     * Fails a review that depends on claims while they are not known. Where the failure policy is {@code Ignore}, a pod
     * gets what is certain: an answer that fails would take that from it, too.
     *
     * @param reviewed the kind and the key of the object under review, for the error
     * @throws IllegalStateException if the claims were not listed yet, and the failure policy is {@code Fail}
     */
    void requireClaims(String reviewed) {
        if (failurePolicy == FailurePolicy.Fail && !scope.caches().claims().listed()) {
            throw new IllegalStateException("ResourceClaims and ResourceClaimTemplates have not been listed yet: the"
                    + " failure policy refuses " + reviewed);
        }
    }

    /** Returns the refusals that are certain, of a pod whose review does not fail for want of claims. */
    PodRefusals certain(PodRefusals found, ObjectKey pod) {
        if (found.isIncomplete()) {
            requireClaims("pod " + pod);
        }
        return scope.caches().claims().listed() ? found : found.certain();
    }
}
