package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import java.util.List;
import java.util.stream.Stream;

/**
 * What becomes of a pod that is created.
 *
 * @param groups whose member it is; those that only count are among them
 * @param additions what it gets of those that do more
 * @param warnings of what it would get besides if all of these were enforced
 * @param awaiting groups whose member it may be besides, by claims that are not known yet
 * @param incomplete whether unknown claims keep an addition of an enforced group from the pod
 */
public record PodAdmission(List<Group> groups, PodAdditions additions, List<String> warnings, List<Group> awaiting,
        boolean incomplete) {
    public PodAdmission {
        groups = List.copyOf(groups);
        warnings = List.copyOf(warnings);
        awaiting = List.copyOf(awaiting);
    }

    /**
     * Decides.
     *
     * @param declared all groups, each as it is in force; one with {@code Audit} as it is declared
     */
    public static PodAdmission of(CandidatePod pod, Author author, Groups declared, MemberFacts facts) {
        if (author.mirrors(pod)) {
            return new PodAdmission(List.of(), PodAdditions.NONE, List.of(), List.of(), false);
        }
        List<Group> groups = declared.of(pod, facts);
        List<Group> acting = groups.stream().filter(Group::acts).toList();
        List<Group> awaiting = declared.all().stream().filter(group -> !groups.contains(group))
                .filter(group -> declared.membership(group, pod, facts).byClaims()).toList();
        boolean daemon = author.runsDaemon(pod);
        PodAdditions additions = additions(pod, acting, daemon);
        PodAdditions possible = additions(pod,
                Stream.concat(acting.stream(), awaiting.stream().filter(Group::isEnforced)).toList(), daemon);
        return new PodAdmission(groups, additions,
                daemon ? List.of() : acting.stream().filter(Group::isWarned).filter(group -> group.spec().exclusive())
                        .map(PodAdmission::warning).toList(),
                awaiting, !possible.equals(additions));
    }

    /** Returns whether claims that are not known yet may change what the pod gets or is warned of. */
    public boolean dependsOnClaims() {
        return awaiting.stream().anyMatch(Group::acts);
    }

    private static PodAdditions additions(CandidatePod pod, List<Group> groups, boolean daemon) {
        PodAdditions additions = PodAdditions.of(pod, groups);
        return daemon ? additions.withoutAffinity() : additions;
    }

    /** Short of the 250 characters that Kubernetes shows, but for the longest names. */
    private static String warning(Group group) {
        return "DedicatedNodes " + group.name() + ": Enforce will let this pod run on Nodes with "
                + group.labelKey() + "=" + group.spec().taint().value() + " alone";
    }
}
