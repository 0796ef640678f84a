package io.nodeward.core.rules.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import java.util.Collections;
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
    /** More are refused before they are compared, as a pod can hold a hundred thousand equal ones. */
    private static final int MOST_LISTED = 1000;

    public PodWrite {
        stored = Collections.unmodifiableSet(new HashSet<>(stored));
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
        if (author.mirrors(pod)) {
            return Optional.empty();
        }
        String name = pod.key().name().isEmpty() ? "the pod" : "Pod " + pod.key();
        int listed = pod.pod().tolerations().size();
        if (listed > MOST_LISTED && addsTolerations()) {
            return Optional.of(name + " has " + listed + " tolerations, and Nodeward looks into " + MOST_LISTED
                    + " of one pod: spec.tolerations");
        }
        return grows()
                ? Optional.of(name + " has more than Nodeward keeps of one pod, and could not be looked into: "
                        + String.join(", ", pod.truncatedFields()))
                : Optional.empty();
    }

    private boolean grows() {
        if (isNew) {
            return pod.isTruncated();
        }
        int tolerations = new HashSet<>(pod.pod().tolerations()).size();
        return tolerations > Pod.MOST_TOLERATIONS && tolerations > stored.size();
    }

    /** Returns whether it has tolerations that the pod had not before. */
    public boolean addsTolerations() {
        return isNew || !stored.containsAll(pod.pod().tolerations());
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
