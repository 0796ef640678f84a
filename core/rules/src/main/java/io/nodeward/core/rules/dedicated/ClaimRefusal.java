package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.meta.ObjectKey;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Whether a ResourceClaim may be created. A pod that has become a member of a group by a claim keeps the toleration that it got,
 * or was let have, because of that. The spec of a claim cannot be changed, so only another claim of the same name would let the
 * pod onto the Nodes of the group without the device.
 */
public final class ClaimRefusal {
    private ClaimRefusal() {}

    /** Returns whether pods decide: a group has members by devices, and the claim asks for none of its devices. */
    public static boolean dependsOnPods(ClaimedClasses claim, Groups groups) {
        return byClaims(groups).anyMatch(group -> claim.requests().stream()
                .noneMatch(group.spec().who().deviceClasses()::containsAll));
    }

    private static Stream<Group> byClaims(Groups groups) {
        return groups.all().stream()
                .filter(group -> group.isEnforced() && !group.spec().who().deviceClasses().isEmpty());
    }

    /** Returns whether the pod uses the claim, or may use it. */
    public static boolean isUsed(ObjectKey claim, CandidatePod pod) {
        return pod.claims().stream().anyMatch(mayBe(claim));
    }

    /** Returns whether a claim of a pod is this one, or stands for all. */
    private static Predicate<PodClaim> mayBe(ObjectKey claim) {
        return List.of(new PodClaim(false, claim), PodClaim.any(claim.namespace()))::contains;
    }

    /**
     * Decides.
     *
     * @param users pods that are stored and use the claim, or may use it
     * @param groups each as it is in force
     * @return why it may not be created; empty if it may
     */
    public static Optional<String> of(
            ClaimedClasses claim, Stream<CandidatePod> users, Groups groups, MemberFacts facts) {
        Predicate<PodClaim> created = mayBe(claim.key());
        MemberFacts then = facts.withClaims(one -> created.test(one)
                ? Optional.of(claim.requests())
                : facts.claims().requests(one));
        List<Group> byClaims = byClaims(groups).toList();
        return users
                .filter(pod -> pod.pod().nodeName().isEmpty() && !pod.isFinished())
                .filter(pod -> !facts.systemNamespaces().contains(pod.key().namespace()))
                .sorted(Comparator.comparing(CandidatePod::key))
                .flatMap(pod -> byClaims.stream().filter(group -> strays(pod, group, groups, then))
                        .map(group -> message(pod, group)))
                .findFirst();
    }

    /**
     * Returns whether the pod tolerates the taint and would be no member with this claim, whatever other claims come. It has the
     * toleration because it was a member by a claim of this name, or its author gave it one: that was stored because the claim
     * made the pod a member, or while nobody refused it, as before the group was enforced. What a truncated pod tolerates is not
     * known: else a user who may label the pod could hide its toleration.
     */
    private static boolean strays(CandidatePod pod, Group group, Groups groups, MemberFacts then) {
        Membership access = groups.access(group, pod, then);
        return (pod.isTruncated() || group.isToleratedBy(pod.pod().tolerations()))
                && !access.is() && !access.byClaims();
    }

    private static String message(CandidatePod pod, Group group) {
        String why = pod.isTruncated()
                ? " has more than Nodeward keeps of one pod (" + String.join(", ", pod.truncatedFields())
                        + "), and so may tolerate its taint and be no member with this claim"
                : " tolerates its taint and would be no member with this claim";
        return "DedicatedNodes " + group.name() + ": pod " + pod.key().name() + why
                + ", which must ask for a device of "
                + String.join(" or ", new TreeSet<>(group.spec().who().deviceClasses())) + "; or delete the pod first";
    }
}
