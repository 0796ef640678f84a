package io.nodeward.core.rules.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A pod that a user creates or updates.
 *
 * @param isNew whether it is created
 * @param stored tolerations that it had before: they cannot be taken away
 * @param nodeName the Node that it gets without the scheduler, or that its DaemonSet has chosen; empty if there is none
 * @param ofDaemon whether it is made for that Node by its DaemonSet: it gets on no other, whatever it tolerates
 */
public record PodWrite(
        CandidatePod pod, Author author, boolean isNew, Set<Toleration> stored, String nodeName, boolean ofDaemon) {
    public PodWrite {
        stored = Set.copyOf(stored);
    }

    /** @param object that it is read from */
    public static PodWrite created(CandidatePod pod, Author author, Tree object) {
        String own = pod.pod().nodeName();
        String node = own.isEmpty() && author.runsDaemon(pod)
                ? chosen(object.at("spec").at(PodAdditions.TERMS).elements()) : own;
        return new PodWrite(pod, author, true, Set.of(), node, !node.isEmpty() && author.runsDaemon(pod));
    }

    /** Its Node can only be set by a binding. */
    public static PodWrite updated(CandidatePod pod, Author author, List<Toleration> stored) {
        return new PodWrite(pod, author, false, new HashSet<>(stored), "", false);
    }

    /**
     * Returns why Nodeward could not look into the pod once it is stored; empty if it could. An update that adds no toleration
     * makes it no larger. A kubelet runs its static pods whatever there is to see of them.
     */
    public Optional<String> excess() {
        int tolerations = new HashSet<>(pod.pod().tolerations()).size();
        boolean grows = isNew ? pod.isTruncated()
                : tolerations > Pod.MOST_TOLERATIONS && tolerations > stored.size();
        String name = pod.key().name().isEmpty() ? "the pod" : "Pod " + pod.key();
        return grows && !author.mirrors(pod)
                ? Optional.of(name + " has more than Nodeward keeps of one pod, and could not be looked into: "
                        + String.join(", ", pod.truncatedFields()))
                : Optional.empty();
    }

    /** The DaemonSet controller asks for the Node's name in each term. */
    private static String chosen(List<Tree> terms) {
        Set<String> names = new HashSet<>();
        for (Tree term : terms) {
            names.add(term.at("matchFields").elements().stream()
                    .filter(field -> field.at("key").string().equals("metadata.name")
                            && field.at("operator").string().equals("In") && field.at("values").elements().size() == 1)
                    .map(field -> field.at("values").elements().get(0).string()).findFirst().orElse(""));
        }
        return names.size() == 1 ? names.iterator().next() : "";
    }
}
