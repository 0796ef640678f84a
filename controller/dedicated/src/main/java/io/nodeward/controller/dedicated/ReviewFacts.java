package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.dedicated.DedicatedConfig.FailurePolicy;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.rules.dedicated.MemberFacts;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What decides about a pod while an API server waits for the answer. */
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
     * Returns what decides about a pod. An affinity that is missed cannot be added later: a namespace that the cache does not have yet, or does not have whole as
     * memory is short, is asked for. One that has more labels than are kept of any would be asked for in vain.
     */
    MemberFacts of(String namespace, Groups groups) {
        MemberFacts facts = scope.declared().members();
        return facts.knows(namespace) || !groups.askForNamespaceLabels() || hasTooManyLabels(namespace)
                ? facts
                : unseen.apply(namespace).map(labels -> facts.ofNamespace(namespace, labels)).orElse(facts);
    }

    private boolean hasTooManyLabels(String namespace) {
        return scope.caches().namespaces().get(ObjectKey.clusterScoped(namespace))
                .filter(LabeledNamespace::hasTooManyLabels)
                .isPresent();
    }

    /**
     * To be called of a pod about which claims that are not known decide. Where the failure policy is {@code Ignore}, the pod
     * gets what is certain: an answer that fails would take that from it, too.
     *
     * @throws IllegalStateException if that is because they were not listed yet, and the failure policy is {@code Fail}
     */
    void requireClaims(ObjectKey pod) {
        if (failurePolicy == FailurePolicy.Fail && !scope.caches().claims().listed()) {
            throw new IllegalStateException("ResourceClaims and ResourceClaimTemplates have not been listed yet: the"
                    + " failure policy refuses pod " + pod);
        }
    }
}
