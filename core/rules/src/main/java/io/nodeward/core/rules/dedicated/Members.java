package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.selector.LabelSelector;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The pods of a group: those to which anything that it declares applies. */
final class Members {
    private final Set<String> namespaces;
    private final Optional<LabelSelector> namespaceSelector;
    private final Set<ObjectKey> serviceAccounts;
    private final Optional<LabelSelector> podSelector;
    private final Set<String> resources;
    private final Set<String> deviceClasses;

    Members(Who who) {
        namespaces = Set.copyOf(who.namespaces());
        namespaceSelector = who.namespaceSelector().map(Selectors::of);
        serviceAccounts = Set.copyOf(who.serviceAccounts());
        podSelector = who.podSelector().map(Selectors::of);
        resources = Set.copyOf(who.resources());
        deviceClasses = Set.copyOf(who.deviceClasses());
    }

    boolean contain(CandidatePod pod, MemberFacts facts) {
        String namespace = pod.key().namespace();
        return areAllOf(namespace, facts)
                || serviceAccounts.contains(new ObjectKey(namespace, pod.serviceAccount()))
                || podSelector.filter(by -> by.matches(pod.metadata().labels())).isPresent()
                || !Collections.disjoint(resources, pod.resources())
                || claim(pod, facts);
    }

    /** Whether a pod of this namespace may be a member. */
    boolean mayBeIn(String namespace, MemberFacts facts) {
        return isAnywhere() || areAllOf(namespace, facts) || awaitLabels(namespace, facts)
                || serviceAccounts.stream().anyMatch(account -> account.namespace().equals(namespace));
    }

    /** Returns the namespaces of members, and of pods that may be members by unknown labels, unless the group {@link #isAnywhere}. */
    Stream<String> namespaces(MemberFacts facts) {
        Stream<String> byLabel = facts.namespaces().keySet().stream().filter(name -> isSelected(name, facts));
        return Stream
                .of(byLabel, facts.unlabeled().stream().filter(name -> awaitLabels(name, facts)), namespaces.stream(),
                        serviceAccounts.stream().map(ObjectKey::namespace))
                .flatMap(each -> each).distinct();
    }

    /** Whether pods of any namespace may be members. */
    boolean isAnywhere() {
        return podSelector.isPresent() || !resources.isEmpty() || !deviceClasses.isEmpty();
    }

    /** Whether each pod of this namespace is a member, be there any or not. */
    boolean areAllOf(String namespace, MemberFacts facts) {
        return namespaces.contains(namespace) || isSelected(namespace, facts);
    }

    private boolean isSelected(String namespace, MemberFacts facts) {
        return namespaceSelector.flatMap(by -> facts.labels(namespace).filter(by::matches)).isPresent();
    }

    /** Whether the labels of this namespace, which are not known, may make its pods members. */
    private boolean awaitLabels(String namespace, MemberFacts facts) {
        return namespaceSelector.isPresent() && !facts.knows(namespace);
    }

    /** Whether the pod may turn out to be a member when the labels of its namespace are known. */
    boolean awaitLabels(CandidatePod pod, MemberFacts facts) {
        return awaitLabels(pod.key().namespace(), facts) && !contain(pod, facts);
    }

    /** A request counts if each of its alternatives does: else the pod may get another device, and need none of these Nodes. */
    private boolean claim(CandidatePod pod, MemberFacts facts) {
        return !deviceClasses.isEmpty() && pod.claims().stream()
                .flatMap(claim -> facts.claims().requests(claim).stream()).flatMap(Set::stream)
                .anyMatch(deviceClasses::containsAll);
    }

    /** Whether the pod may turn out to be a member when its claims are known. */
    boolean awaitClaims(CandidatePod pod, MemberFacts facts) {
        return !deviceClasses.isEmpty()
                && !contain(pod, facts)
                && pod.claims().stream().anyMatch(claim -> facts.claims().requests(claim).isEmpty());
    }
}
