package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The objects that a component makes, as they are found later.
 *
 * @param component for logs
 * @param labels that all of them have
 * @param services what the annotation {@code nodeward.io/service} may say of them, empty for an object without it: the others
 *     with the same labels are another Nodeward's; none if all with the labels are these
 * @param kinds in the order of deletion
 * @param optional those of the kinds on which there may be no rights, as it may never have made any
 * @param secret where the Secret among them is, for who may not list those of all namespaces; empty if it is not known
 */
record Labelled(
        String component, Map<String, String> labels, List<String> services, List<Resource> kinds,
        Set<Resource> optional, Optional<ObjectKey> secret) {
    /** A copy of what is given. */
    Labelled {
        labels = Map.copyOf(labels);
        services = List.copyOf(services);
        kinds = List.copyOf(kinds);
        optional = Set.copyOf(optional);
    }

    /** Of the labels. */
    String selector() {
        return new TreeMap<>(labels).entrySet().stream().map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }

    /** Whether it has all of the labels. */
    boolean has(Map<String, String> there) {
        return there.entrySet().containsAll(labels.entrySet());
    }

    /** Whether annotations are those of this Nodeward's, and not of another's with the same labels. */
    boolean isOwn(Map<String, String> annotations) {
        return services.isEmpty() || services.contains(annotations.getOrDefault(ManagedObjects.SERVICE, ""));
    }

    /** How a person deletes them, but for Secrets. No selector of kubectl knows annotations. */
    String deletionByHand() {
        String all = kinds.stream().filter(kind -> !kind.equals(Resources.SECRETS))
                .map(kind -> kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group()).distinct()
                .collect(Collectors.joining(",")) + " -l '" + selector() + "'";
        return services.isEmpty() ? "kubectl delete " + all
                : "kubectl get " + all
                        + " -o custom-columns='KIND:.kind,NAME:.metadata.name,SERVICE:.metadata.annotations."
                        + ManagedObjects.SERVICE.replace(".", "\\.") + "', and delete those whose SERVICE is "
                        + services.stream().map(service -> service.isEmpty() ? "<none>" : service)
                                .collect(Collectors.joining(" or "));
    }
}
