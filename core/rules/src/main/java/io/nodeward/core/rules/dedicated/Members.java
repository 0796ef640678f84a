package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.selector.LabelSelector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pods of a group: those to which anything that it declares applies. */
final class Members {
    /** The number of names of each kind that a text lists: the DedicatedNodes has all. */
    private static final int NAMED = 3;

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

    /**
     * Returns what the pod is to the group. A request of a claim counts if each of its alternatives does: else the pod may get another
     * device, and need none of these Nodes.
     */
    Membership of(CandidatePod pod, MemberFacts facts) {
        String namespace = pod.key().namespace();
        List<PodClaim> claims = deviceClasses.isEmpty() ? List.of() : pod.claims();
        boolean is = areAllOf(namespace, facts)
                || serviceAccounts.contains(new ObjectKey(namespace, pod.serviceAccount()))
                || podSelector.filter(by -> by.matches(pod.metadata().labels())).isPresent()
                || !Collections.disjoint(resources, pod.resources())
                || claims.stream().flatMap(claim -> facts.claims().requests(claim).stream()).flatMap(Set::stream)
                        .anyMatch(deviceClasses::containsAll);
        return new Membership(is, !is && awaitLabels(namespace, facts),
                !is && claims.stream().anyMatch(claim -> facts.claims().requests(claim).isEmpty()));
    }

    /** Returns who the members of a group are, for the author of a pod. */
    static String text(Group group) {
        if (group.spec().shared()) {
            return "pods of no other group";
        }
        Who who = group.spec().who();
        List<String> ways = new ArrayList<>();
        add(ways, "of namespace ", who.namespaces());
        who.namespaceSelector().ifPresent(by -> ways.add("of namespaces that spec.who.namespaceSelector selects"));
        add(ways, "of ServiceAccount ", who.serviceAccounts().stream().map(Object::toString).toList());
        who.podSelector().ifPresent(by -> ways.add("that spec.who.podSelector selects"));
        add(ways, "that request ", who.resources());
        add(ways, "that claim devices of ", who.deviceClasses());
        return ways.isEmpty() ? "no pod" : "pods " + String.join(", or ", ways);
    }

    private static void add(List<String> ways, String kind, List<String> names) {
        if (!names.isEmpty()) {
            ways.add(kind + some(names));
        }
    }

    /** Returns the first of these names, and how many more there are. */
    static String some(List<String> names) {
        int more = names.size() - NAMED;
        return names.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
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
}
