package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Pods of each sort that may come: one like each that is there, and one without anything of its own for each namespace. A
 * pod of a DaemonSet is none of them: it gets no affinity.
 */
final class Subjects {
    private Subjects() {}

    static List<CandidatePod> of(ClusterFacts facts) {
        Stream<CandidatePod> plain = facts.members().namespaces().keySet().stream().sorted()
                .map(namespace -> pod(namespace, Map.of(), "default", Set.of()));
        Stream<CandidatePod> alike = facts.pods().stream()
                .filter(pod -> !pod.isOfDaemonSet() && !pod.pod().isMirror() && !pod.isFinished())
                .map(Subjects::sort);
        return Stream.concat(plain, alike).distinct().toList();
    }

    /** What is left of a pod if all is taken away that is not asked for who is a member. */
    private static CandidatePod sort(CandidatePod pod) {
        CandidatePod plain = pod(
                pod.key().namespace(), pod.metadata().labels(), pod.serviceAccount(), pod.resources());
        return new CandidatePod(plain.pod(), plain.serviceAccount(), plain.resources(), pod.claims());
    }

    private static CandidatePod pod(
            String namespace, Map<String, String> labels, String serviceAccount, Set<String> resources) {
        Metadata metadata =
                new Metadata(new ObjectKey(namespace, ""), "", "", labels, Map.of(), List.of(), false);
        return new CandidatePod(new Pod(metadata, "", List.of(), "", ""), serviceAccount, resources, List.of());
    }
}
