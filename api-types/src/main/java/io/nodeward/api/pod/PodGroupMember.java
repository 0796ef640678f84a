package io.nodeward.api.pod;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.Metadata;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pod's place in a PodGroup of {@code scheduling.k8s.io}, in the pod's namespace.
 *
 * @param group the name of the PodGroup
 * @param claims names of the ResourceClaims that the pod uses, whether they are reserved for the group or for the pod
 */
public record PodGroupMember(String group, List<String> claims) {
    public PodGroupMember {
        claims = List.copyOf(claims);
    }

    /** Returns the place that the spec gives the pod, with the claims that the status names for templates; empty if it is in no group. */
    public static Optional<PodGroupMember> of(Tree spec, Tree status) {
        return Optional.of(spec.at(List.of("schedulingGroup", "podGroupName")).string())
                .filter(group -> !group.isEmpty()).map(group -> new PodGroupMember(group, claims(spec, status)));
    }

    /** Returns the field of which more is there than is kept of one pod, if it is in a PodGroup: nobody knows whether it uses the rest. */
    public static List<String> truncated(Tree spec) {
        Tree claims = spec.at("resourceClaims");
        return spec.at("schedulingGroup") instanceof Tree.Absent || claims.elements().size() <= Projection.MOST_PARTS
                ? List.of() : List.of("spec.resourceClaims");
    }

    long heapBytes() {
        return Metadata.PER_TEXT + group.length()
                + claims.stream().mapToLong(claim -> Metadata.PER_TEXT + claim.length()).sum();
    }

    /** Returns the names of the claims that were made of templates, by the names of their entries in the spec; empty if none was needed. */
    public static Map<String, String> made(Tree status) {
        Map<String, String> made = new HashMap<>();
        status.at("resourceClaimStatuses").elements()
                .forEach(claim -> made.put(claim.at("name").string(), claim.at("resourceClaimName").string()));
        return made;
    }

    private static List<String> claims(Tree spec, Tree status) {
        Map<String, String> made = made(status);
        return spec.at("resourceClaims").elements().stream().map(claim -> {
            String named = claim.at("resourceClaimName").string();
            return named.isEmpty() ? made.getOrDefault(claim.at("name").string(), "") : named;
        }).filter(name -> !name.isEmpty()).toList();
    }
}
