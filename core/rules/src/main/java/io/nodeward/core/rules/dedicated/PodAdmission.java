package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import java.util.List;

/**
 * What becomes of a pod that is created.
 *
 * @param groups whose member it is; those that only count are among them
 * @param additions what it gets of those that do more
 * @param warnings of what it would get besides if all of these were enforced
 * @param awaiting groups whose member it may be besides, by claims that are not known yet
 */
public record PodAdmission(
        List<Group> groups, PodAdditions additions, List<String> warnings, List<Group> awaiting) {
    public PodAdmission {
        groups = List.copyOf(groups);
        warnings = List.copyOf(warnings);
        awaiting = List.copyOf(awaiting);
    }

    /** Whether it may be missing something for claims that are not known yet. */
    public boolean isIncomplete() {
        return awaiting.stream().anyMatch(Group::acts);
    }

    /**
     * Decides.
     *
     * @param declared all groups, each as it is in force; one with {@code Audit} as it is declared
     */
    public static PodAdmission of(CandidatePod pod, Author author, Groups declared, MemberFacts facts) {
        if (author.mirrors(pod)) {
            return new PodAdmission(List.of(), PodAdditions.NONE, List.of(), List.of());
        }
        List<Group> groups = declared.of(pod, facts);
        List<Group> acting = groups.stream().filter(Group::acts).toList();
        PodAdditions additions = PodAdditions.of(pod, acting);
        boolean daemon = author.runsDaemon(pod);
        return new PodAdmission(groups, daemon ? additions.withoutAffinity() : additions,
                daemon ? List.of() : acting.stream().filter(Group::isWarned).filter(group -> group.spec().exclusive())
                        .map(PodAdmission::warning).toList(),
                declared.all().stream().filter(group -> group.awaitsClaims(pod, facts)).toList());
    }

    /** Short of the 250 characters that Kubernetes shows, but for the longest names. */
    private static String warning(Group group) {
        return "DedicatedNodes " + group.name() + ": Enforce will let this pod run on Nodes with "
                + group.labelKey() + "=" + group.spec().taint().value() + " alone";
    }
}
