package io.nodeward.core.rules.toleration;

import io.nodeward.api.pod.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which tolerations the pods of a Namespace get and may have, as the admission plugin PodTolerationRestriction decides
 * it.
 *
 * @param defaults of the Namespace; absent: those of the cluster, while an empty list stands for none
 * @param allowed likewise; an empty list allows everything
 */
public record TolerationRestriction(
        Optional<List<Toleration>> defaults,
        Optional<List<Toleration>> allowed,
        List<Toleration> clusterDefaults,
        List<Toleration> clusterAllowed) {
    /** On the Namespace: a JSON list; the empty text stands for an empty list. */
    public static final String DEFAULTS_ANNOTATION = "scheduler.alpha.kubernetes.io/defaultTolerations";
    /** Likewise. */
    public static final String ALLOWED_ANNOTATION = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";

    private static final Toleration MEMORY_PRESSURE =
            Toleration.exists("node.kubernetes.io/memory-pressure", "NoSchedule");

    public TolerationRestriction {
        defaults = defaults.map(List::copyOf);
        allowed = allowed.map(List::copyOf);
        clusterDefaults = List.copyOf(clusterDefaults);
        clusterAllowed = List.copyOf(clusterAllowed);
    }

    /** What is asked of the API server; other requests, and subresources, are not looked at. */
    public enum Request {
        CREATE,
        UPDATE
    }

    /** What becomes of the request. */
    public sealed interface Verdict {
        /** The pod is stored with these tolerations. */
        record Admitted(List<Toleration> tolerations) implements Verdict {}

        /**
         * The request fails.
         *
         * @param message in the words of the plugin, which do not say what is wrong
         * @param notAllowed what is wrong: tolerations that nothing on the list covers
         */
        record Refused(String message, List<Toleration> notAllowed) implements Verdict {}
    }

    /** @param bestEffort whether the pod asks for no resources: others tolerate pressure on memory */
    public Verdict admit(Request request, List<Toleration> tolerations, boolean bestEffort) {
        List<Toleration> more = new ArrayList<>();
        if (request == Request.CREATE) {
            more.addAll(defaults.orElse(clusterDefaults));
        }
        if (!bestEffort) {
            more.add(MEMORY_PRESSURE);
        }
        // Without anything to add the pod's own list stays as it is, redundant or not.
        List<Toleration> merged = more.isEmpty() ? List.copyOf(tolerations) : TolerationCover.merge(tolerations, more);
        List<Toleration> notAllowed = TolerationCover.refused(merged, allowed.orElse(clusterAllowed));
        return notAllowed.isEmpty()
                ? new Verdict.Admitted(merged)
                : new Verdict.Refused(message(), notAllowed);
    }

    private String message() {
        return "pod tolerations (possibly merged with namespace default tolerations) conflict with its "
                + (allowed.isPresent() ? "namespace" : "cluster") + " whitelist";
    }
}
