package io.nodeward.controller.admission;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.core.runtime.cluster.Resources;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The names and labels of what this room makes in the management cluster. Nodewards with different watch filters may run
 * beside each other: each has objects of its own, and takes nothing from another.
 *
 * @param watchFilter empty for all
 */
record Own(String watchFilter) {
    static final String FIELD_MANAGER = "nodeward-admission";
    static final String NAME = "nodeward-admission";
    static final Resource WEBHOOKS = cluster("validatingwebhookconfigurations");
    static final Resource POLICIES = cluster("validatingadmissionpolicies");
    static final Resource BINDINGS = cluster("validatingadmissionpolicybindings");
    /** All that it makes; what is to go first, first. */
    static final List<Resource> ALL = List.of(WEBHOOKS, BINDINGS, POLICIES, Resources.SECRETS);

    private static final String FILTER_LABEL = "nodeward.io/watch-filter";

    private static Resource cluster(String plural) {
        return new Resource("admissionregistration.k8s.io", "v1", plural, false);
    }

    /** @param part empty, or what tells several of a kind apart */
    String name(String part) {
        String filter = watchFilter.toLowerCase(Locale.ROOT).replace('_', '-');
        return NAME + (part.isEmpty() ? "" : "-" + part) + (filter.isEmpty() ? "" : "-" + filter);
    }

    Map<String, String> labels() {
        return new TreeMap<>(Map.of(
                "app.kubernetes.io/managed-by", "nodeward",
                "nodeward.io/room", "admission",
                FILTER_LABEL, watchFilter));
    }

    /** Of the labels. */
    String selector() {
        return "app.kubernetes.io/managed-by=nodeward,nodeward.io/room=admission," + FILTER_LABEL + "=" + watchFilter;
    }

    /** Selects the objects that this Nodeward looks after; empty for all. */
    Optional<Map<String, Object>> objects() {
        return watchFilter.isEmpty()
                ? Optional.empty()
                : Optional.of(Map.of("matchLabels", Map.of(ClusterApi.WATCH_FILTER_LABEL, watchFilter)));
    }

    /** Whether an object bears the labels. */
    boolean bears(Tree object) {
        return object.at(List.of("metadata", "labels")).has(Tree.of(labels()));
    }

    /** Whether an object is ours: by its labels, or because we made it and somebody took them off. */
    boolean isOurs(Tree object) {
        return bears(object) || !bearsAnothers(object)
                && object.at(List.of("metadata", "managedFields")).elements().stream()
                        .anyMatch(entry -> entry.at("manager").string().equals(FIELD_MANAGER));
    }

    /** Whether it is of a Nodeward with another watch filter. */
    private boolean bearsAnothers(Tree object) {
        Tree filter = object.at(List.of("metadata", "labels", FILTER_LABEL));
        return filter instanceof Tree.Text(String text) && !text.equals(watchFilter);
    }
}
